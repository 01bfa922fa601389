import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { EngineState, GpuSample, LoadedModel } from '../../../protocol/model.ts';
import { anEngine, aProfile } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { EngineBar } from './engine-bar.tsx';
import { splitVram, vramParts } from '../../../rules/vram-split.ts';

const gib = 1024 ** 3;
const gpu = (over: Partial<GpuSample> = {}): GpuSample => ({
  name: 'NVIDIA GeForce RTX 3090',
  vramTotalBytes: 24 * gib,
  vramUsedBytes: 21.2 * gib,
  utilization: 0,
  temperatureC: 71,
  powerW: 331,
  at: 0,
  ...over,
});
const loaded = (vram: number, size = vram) => ({
  name: 'qwen3:8b',
  sizeBytes: size * gib,
  vramBytes: vram * gib,
  contextTokens: 16_384,
  expiresAt: '',
  asPlanned: true,
});

async function show(over: Partial<EngineState>, models: string[] = []): Promise<string> {
  const window = await openTestWindow();
  window.stores.host.setState({
    profiles: [aProfile({ models })],
    defaults: { profileId: 'developer', workspace: '/w' },
    hosts: new Set(['lab']),
  });
  window.stores.engine.setState({ engine: anEngine(over), connection: 'live' });
  renderIn(window, <EngineBar />);
  return screen.getByRole('contentinfo', { name: 'Engine' }).textContent;
}

describe('the bar of the engine', () => {
  it('says one figure of the GPU, the model and its state; the others are in the engine room', async () => {
    const text = await show({ gpus: [gpu()], loaded: [loaded(19.9)] });
    for (const said of ['RTX 3090', '21.2 of 24.0 GB', 'qwen3:8b', 'loaded']) {
      expect(text).toContain(said);
    }
  });

  it('says of a model of another server where it is, and nothing of Ollama', async () => {
    const text = await show({ status: { kind: 'absent', tried: [] }, models: [] }, ['lab/coder']);
    expect(text).toContain('lab/coderon another server');
    expect(text).not.toContain('Ollama not found');
  });

  it('leads to the engine room, and back', async () => {
    const window = await openTestWindow();
    window.stores.engine.setState({ engine: anEngine({ loaded: [loaded(6)] }), connection: 'live' });
    renderIn(window, <EngineBar />);
    const button = screen.getByTitle('Engine room');
    await userEvent.click(button);
    expect(window.stores.ui.getState().view).toBe('engine');
    expect(button.getAttribute('aria-pressed')).toBe('true');
    await userEvent.click(button);
    expect(window.stores.ui.getState().view).toBe('session');
  });

  it('warns where the GPU is throttled', async () => {
    expect(await show({ gpus: [gpu({ throttled: ['heat'] })] })).toContain('throttled');
  });

  it('shows what a model has without a GPU: the processor and main memory', async () => {
    const memory = { totalBytes: 32 * gib, usedBytes: 8 * gib, cpuLoad: 93 };
    const text = await show({ gpus: [], memory, loaded: [loaded(0, 6)] });
    expect(text).toContain('No GPU foundCPU 93 %memory 8.0 of 32.0 GB');
  });

  it('says nothing of this machine where a GPU that cannot be read holds the model', async () => {
    const memory = { totalBytes: 32 * gib, usedBytes: 8 * gib, cpuLoad: 93 };
    expect(await show({ gpus: [], memory, loaded: [loaded(6)] })).not.toContain('CPU 93 %');
  });

  it('never says that there is no GPU while one holds a model or is lent (audit-U4)', async () => {
    const held = await show({ gpus: [], loaded: [loaded(5.9)] });
    expect(held).toContain('GPU: figures unknown');
    expect(held).not.toContain('No GPU');
    cleanup();
    const lent = { model: 'qwen3:8b', contextTokens: 16_384, since: Date.now(), freedBytes: 5.9 * gib };
    expect(await show({ gpus: [], lent })).not.toContain('No GPU');
  });

  it('calls unknown what is not known, and never 0', async () => {
    const text = await show({ gpus: [gpu({ vramUsedBytes: null, utilization: null, temperatureC: null })] });
    expect(text).toContain('use unknown of 24.0 GB');
    expect(text).not.toContain('0 %');
  });

  it('tells no GPU from one that was not read yet', async () => {
    expect(await show({ gpus: [] })).toContain('No GPU found');
    expect(await show({ gpus: null }).catch(() => document.body.textContent)).toContain('GPU: reading');
  });

  it('says cold, loading and how much of a model is not on the GPU', async () => {
    expect(await show({ loading: null })).toContain('not loaded');
    cleanup();
    expect(
      await show({ loading: { model: 'qwen3:8b', since: Date.now() - 4500, expectedMs: 9000 } }),
    ).toContain('about 4');
    cleanup();
    expect(await show({ loaded: [loaded(4, 5)] })).toContain('20 % on the CPU');
  });

  it('says what is with the engine where no model of it can have a state', async () => {
    const stopped = { kind: 'stopped' as const, program: '/usr/bin/ollama', canStart: true, startHint: '' };
    expect(await show({ status: stopped })).toContain('qwen3:8bOllama not running');
  });

  it('counts the turns that wait, and not what is read in advance', async () => {
    const waits = { model: 'qwen3:8b', label: 'Flaky', since: Date.now() };
    const turn = { ...waits, id: 'l1', purpose: 'turn' as const };
    const warm = { ...waits, id: 'l2', purpose: 'warm' as const };
    expect(await show({ waiting: 1, queue: [warm] })).not.toContain('for the GPU');
    cleanup();
    expect(await show({ waiting: 2, queue: [turn, warm] })).toContain('1 turn waits for the GPU');
  });
});

describe('the parts of the VRAM', () => {
  it('always make up the whole, although two sources tell them', () => {
    expect(splitVram([gpu({ vramUsedBytes: 10 * gib })], [loaded(12)])).toMatchObject({
      model: 10 * gib,
      other: 0,
    });
    expect(splitVram([gpu(), gpu()], [])).toMatchObject({ total: 48 * gib, used: 42.4 * gib });
    expect(splitVram([gpu(), gpu({ vramUsedBytes: null })], [])).toMatchObject({ used: null });
  });

  it('are one for the models as soon as the weights of one of them are unknown', () => {
    const known = { ...loaded(6), weightsBytes: 5 * gib };
    const keys = (...models: LoadedModel[]): string[] =>
      vramParts({ ...splitVram([gpu()], models), total: 24 * gib, used: 21.2 * gib }).map(({ key }) => key);
    expect(keys(known, known)).toEqual(['weights', 'cache', 'other', 'free']);
    expect(keys(known, loaded(6))).toEqual(['model', 'other', 'free']);
    expect(keys(known, loaded(0, 6))).toEqual(['weights', 'cache', 'other', 'free']);
    expect(keys()).toEqual(['model', 'other', 'free']);
  });
});
