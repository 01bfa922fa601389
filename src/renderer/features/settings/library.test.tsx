import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type {
  CatalogueEntry,
  EngineState,
  Fit,
  GpuSample,
  ModelDetails,
  Pull,
} from '../../../protocol/model.ts';
import { settled } from '../../testing/fake-server.ts';
import { aModel, anEngine, aProfile, aSession, noon } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { dependentsOf } from './model-page.tsx';
import { ModelsPane } from './models-pane.tsx';

const gib = 1024 ** 3;

const fit = (contextTokens: number): Fit => ({
  model: 'qwen3:8b',
  contextTokens,
  weightsBytes: 5 * gib,
  cacheBytes: (contextTokens / 16_384) * gib,
  bufferBytes: 0.3 * gib,
  overheadBytes: 0.2 * gib,
  totalBytes: 5.5 * gib + (contextTokens / 16_384) * gib,
  freeBytes: 7 * gib,
  verdict: contextTokens > 24_576 ? 'spills' : contextTokens > 16_384 ? 'tight' : 'fits',
  basis: 'formula',
});

const entry: CatalogueEntry = {
  name: 'gemma4:12b',
  description: 'Good prose',
  downloadBytes: 7e9,
  trainedContext: 131_072,
  capabilities: ['completion'],
  forVramGib: 12,
  source: 'offline',
  installed: false,
  verdict: 'tight',
};

const details: ModelDetails = {
  name: 'qwen3:8b',
  digest: 'sha256:8f1c',
  sizeBytes: 5 * gib,
  family: 'qwen3',
  architecture: 'qwen3',
  parameterSize: '8B',
  quantization: 'Q4_K_M',
  capabilities: ['completion', 'tools'],
  trainedContext: 40_960,
  layers: null,
  cacheBytesPerToken: 147_456,
  parameters: 'top_k 20',
  licence: 'Apache',
  dependents: [{ kind: 'tag', name: 'qwen3:latest' }],
  modifiedAt: '',
};

const pull = (over: Partial<Pull>): Pull => ({
  model: 'gemma4:12b',
  phase: 'pulling',
  completedBytes: gib,
  totalBytes: 4 * gib,
  bytesPerSecond: gib / 10,
  startedAt: noon,
  problem: null,
  ...over,
});

const aGpu: GpuSample = {
  name: 'RTX 4060',
  vramTotalBytes: 8 * gib,
  vramUsedBytes: gib,
  utilization: null,
  temperatureC: null,
  powerW: null,
  at: noon,
};

async function openLibrary(engine: Partial<EngineState> = {}, lacking: readonly object[] = []) {
  const window = await openTestWindow();
  window.stores.host.setState({
    sessions: [aSession({ model: 'qwen3:8b', title: 'Pinned to it' })],
    profiles: [aProfile()],
    defaults: { profileId: 'developer', workspace: '/w' },
  });
  window.stores.engine.setState({ engine: anEngine({ gpus: [aGpu], ...engine }) });
  window.engine
    .answer('library/catalogue', () => ({
      entries: [entry, { ...entry, name: 'qwen3:8b', installed: true }],
    }))
    .answer('model/fit', ({ contextTokens }: { contextTokens: number[] }) => ({
      fits: contextTokens.map(fit),
    }))
    .answer('library/lacking-room', () => ({ lacking }))
    .answer('model/details', () => details);
  renderIn(window, <ModelsPane />);
  await act(() => settled());
  return { ...window, user: userEvent.setup(), words: () => document.body.textContent };
}

const drawn = (): number => screen.getAllByTitle(/^Details of m\d+:latest/).length;
const button = (name: string) => screen.getByRole('button', { name });

describe('the list', () => {
  it('says of every model whether it fits with the window in use', async () => {
    const { engine, words } = await openLibrary();
    expect(engine.last('model/fit')).toEqual({ model: 'qwen3:8b', contextTokens: [16_384] });
    expect(screen.getByRole('row', { name: /qwen3:8b.*5\.0 GB.*fits/ })).toBeDefined();
    expect(words()).toContain('gemma4:12b');
  });

  it('draws and works out a part of 20,000 models, and more of them when asked (audit-S23)', async () => {
    const models = Array.from({ length: 20_000 }, (_, index) => aModel({ name: `m${String(index)}:latest` }));
    const { engine, user, words } = await openLibrary({ models });
    expect([drawn(), engine.count('model/fit')]).toEqual([200, 200]);
    expect(words()).toContain('200 of 20,000 models');
    await user.click(button('Show more'));
    expect(drawn()).toBe(400);
  });

  it('gets a model of the catalogue, or any other by its name', async () => {
    const { engine, user } = await openLibrary();
    const row = screen.getByRole('row', { name: /gemma4:12b/ });
    expect(row.textContent).toContain('fits barely');
    await user.click(within(row).getByRole('button', { name: 'Get' }));
    await engine.asked('model/pull');
    expect(engine.last('model/pull')).toEqual({ model: 'gemma4:12b' });
    await user.type(screen.getByRole('textbox', { name: 'Another model by its name' }), ' phi5:3b {Enter}');
    await engine.asked('model/pull', 2);
    expect(engine.last('model/pull')).toEqual({ model: 'phi5:3b' });
  });

  it('does not offer to get what the disk has no room for, and says how much is free', async () => {
    const { engine, user } = await openLibrary({}, [
      { model: 'gemma4:12b', neededBytes: 8e9, freeBytes: 4.2e9 },
    ]);
    const row = screen.getByRole('row', { name: /gemma4:12b/ });
    expect(row.textContent).toContain('no room, 4.2 GB free');
    await user.click(within(row).getByRole('button', { name: 'Get' }));
    expect(engine.count('model/pull')).toBe(0);
    expect(engine.last('library/lacking-room')).toEqual({ models: ['gemma4:12b'] });
  });

  it('says why a download was refused beside its button', async () => {
    const { engine, user } = await openLibrary();
    engine.answer('model/pull', () => new Error('The disk is full.'));
    await user.click(within(screen.getByRole('row', { name: /gemma4:12b/ })).getByRole('button'));
    expect((await screen.findByRole('alert')).textContent).toContain('The disk is full.');
  });

  it('stays of use where the catalogue cannot be had', async () => {
    const { words, stores, engine } = await openLibrary({ models: [aModel({ name: 'a:1b' })] });
    engine.answer('library/catalogue', () => new Error('No such method.'));
    act(() => stores.engine.setState({ engine: anEngine({ models: [aModel({ name: 'b:1b' })] }) }));
    await act(() => settled());
    expect(words()).toContain('The catalogue could not be read. No such method.');
    expect(screen.getByRole('textbox')).toBeDefined();
  });
});

describe('a download', () => {
  it('says how far it is, how fast, and how long it takes, and is paused', async () => {
    const { engine, user, words } = await openLibrary({ pulls: [pull({})] });
    expect(words()).toContain('1.1 GB of 4.3 GB107 MB a second30 s left');
    await user.click(button('Pause'));
    await engine.asked('model/pull-pause');
    expect(engine.last('model/pull-pause')).toEqual({ model: 'gemma4:12b' });
  });

  it('that was paused goes on, or is forgotten', async () => {
    const { engine, user, words } = await openLibrary({ pulls: [pull({ phase: 'paused' })] });
    expect(words()).toContain('paused');
    expect(words()).not.toContain('left');
    await user.click(button('Resume'));
    await engine.asked('model/pull');
    await user.click(button('Forget'));
    await engine.asked('model/pull-forget');
    expect(engine.last('model/pull-forget')).toEqual({ model: 'gemma4:12b' });
  });

  it('that failed says why and what to do', async () => {
    const problem = { code: 'disk', message: 'The disk is full.', advice: 'Delete a model.' };
    const { words } = await openLibrary({ pulls: [pull({ phase: 'failed', problem, totalBytes: null })] });
    expect(words()).toContain('The disk is full. Delete a model.');
    expect(button('Try again')).toBeDefined();
  });
});

describe('the page of a model', () => {
  it('tells what it is, and what it takes as the window slider moves', async () => {
    const { user, words, engine } = await openLibrary();
    await user.click(button('qwen3:8b'));
    await act(() => settled());
    expect(words()).toContain('144 kB per token of context');
    expect(words()).toContain('It fits and leaves 512 MB.');
    const slider = screen.getByRole('slider', { name: 'Context' });
    expect(slider.getAttribute('aria-valuetext')).toBe('16,384 tokens');
    const asked = engine.count('model/fit');
    fireEvent.change(slider, { target: { value: String(Number(slider.getAttribute('max'))) } });
    expect(slider.getAttribute('aria-valuetext')).toBe('40,960 tokens');
    expect(words()).toContain('too much. Part of it would run on the CPU');
    expect(engine.count('model/fit')).toBe(asked);
    fireEvent.keyUp(slider);
    await user.click(button('Load with this context'));
    await engine.asked('model/preload');
    expect(engine.last('model/preload')).toEqual({ model: 'qwen3:8b', contextTokens: 40_960 });
  });

  it('is deleted only after a yes that names what depends on it', async () => {
    const { user, engine } = await openLibrary();
    await user.click(button('qwen3:8b'));
    await user.click(button('Delete model'));
    const dialog = screen.getByRole('alertdialog');
    expect(dialog.textContent).toContain('2 profiles or sessions use it and fall back');
    await user.click(within(dialog).getByRole('button', { name: 'Keep model' }));
    expect(engine.count('model/delete')).toBe(0);
    await user.click(button('Delete model'));
    await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete model' }));
    await engine.asked('model/delete');
    expect(engine.last('model/delete')).toEqual({ model: 'qwen3:8b' });
  });

  it('leaves by itself when the model is gone', async () => {
    const { user, stores } = await openLibrary();
    await user.click(button('qwen3:8b'));
    act(() => stores.engine.setState({ engine: anEngine({ models: [] }) }));
    expect(screen.getByText('Ollama has no model yet. Get one below.')).toBeDefined();
  });
});

it('profiles and sessions that name a model depend on it, with or without its tag', () => {
  const host = {
    profiles: [aProfile({ models: ['Qwen3'] }), aProfile({ name: 'Other', models: ['qwen3:8b'] })],
    sessions: [aSession({ model: 'qwen3:latest' }), aSession({ model: null })],
  };
  expect(dependentsOf('qwen3:latest', host, [{ kind: 'loaded', name: 'qwen3:latest' }])).toEqual([
    { kind: 'profile', name: 'Developer' },
    { kind: 'session', name: 'Flaky lease test' },
    { kind: 'loaded', name: 'qwen3:latest' },
  ]);
});
