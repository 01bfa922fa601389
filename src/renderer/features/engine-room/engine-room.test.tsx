import { act, cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { EngineState, LoadedModel, SessionSnapshot } from '../../../protocol/model.ts';
import { applySessionSnapshot } from '../../stores/session-store.ts';
import {
  aModel,
  anEngine,
  aProfile,
  aSession,
  aSnapshot,
  aTurn,
  aUsage,
  noon,
} from '../../testing/fixtures.ts';
import { settled } from '../../testing/fake-server.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { EngineRoom } from './engine-room.tsx';

const gib = 1024 ** 3;
const loaded: LoadedModel = {
  name: 'qwen3:8b',
  sizeBytes: 6 * gib,
  vramBytes: 6 * gib,
  contextTokens: 16_384,
  expiresAt: '',
  asPlanned: true,
  plannedTokens: 16_384,
};

async function openPanel(engine: Partial<EngineState>, session: Partial<SessionSnapshot> = {}) {
  const window = await openTestWindow();
  window.stores.host.setState({
    sessions: [aSession()],
    profiles: [aProfile()],
    defaults: { profileId: 'developer', workspace: '/w' },
  });
  window.stores.ui.setState({ openSessionId: 's1' });
  window.stores.session.setState({ sessionId: 's1' });
  applySessionSnapshot(window.stores.session, aSnapshot(session));
  window.stores.engine.setState({ engine: anEngine(engine), connection: 'live' });
  window.engine.answer('model/price', ({ contextTokens }: { contextTokens: number }) => ({
    model: 'qwen3:8b',
    contextTokens,
    loads: true,
    loadBytes: 7 * gib,
    loadMs: 9000,
    unloads: [],
    verdict: 'tight',
  }));
  renderIn(window, <EngineRoom />);
  const user = userEvent.setup();
  const panel = screen.getByRole('region', { name: 'Engine room' });
  return { ...window, user, panel, words: () => panel.textContent };
}

const press = (panel: HTMLElement, name: string) =>
  userEvent.click(within(panel).getByRole('button', { name }));

describe('the model', () => {
  it('is hot when the prompt of the open session is read', async () => {
    const { words } = await openPanel(
      { loaded: [loaded] },
      { warmth: { state: 'hot', tokens: 9920, expectedMs: null } },
    );
    expect(words()).toContain('ready: loaded, and 9,920 tokens of this session are cached');
  });

  it('is loaded with the window of the profile', async () => {
    const cold = await openPanel({});
    await press(cold.panel, 'Load now');
    await cold.engine.asked('model/preload');
    expect(cold.engine.last('model/preload')).toEqual({ model: 'qwen3:8b', contextTokens: 16_384 });
  });

  it('of another server is neither loaded nor unloaded here, and the room says so', async () => {
    const { stores, panel, words } = await openPanel({});
    act(() =>
      stores.host.setState({
        hosts: new Set(['lab']),
        profiles: [aProfile({ models: ['lab/coder'] })],
      }),
    );
    expect(words()).toContain('lab/coder');
    expect(words()).toContain('on another server, which loads and unloads it');
    expect(within(panel).queryByRole('button', { name: 'Load now' })).toBeNull();
  });

  it('is ejected by its own button', async () => {
    const { panel, engine } = await openPanel({ loaded: [loaded] });
    await press(panel, 'Unload');
    await engine.asked('model/unload');
    expect(engine.last('model/unload')).toEqual({ model: 'qwen3:8b' });
  });

  it('is lent and taken back, what was there and what that costs said', async () => {
    const warm = await openPanel({ loaded: [loaded] });
    await press(warm.panel, 'Free the GPU');
    await warm.engine.asked('engine/lend');
    cleanup();
    const lent = { model: 'qwen3:8b', contextTokens: 16_384, since: noon, freedBytes: 6 * gib };
    const { panel, engine, words } = await openPanel({ lent });
    await engine.asked('model/price');
    await act(() => settled());
    expect(words()).toContain('Taking it back loads qwen3:8b with a context of 16,384 tokens.');
    expect(words()).toContain('Loads qwen3:8b again, 7.0 GB, about 9 s, and fits barely.');
    await press(panel, 'Take it back');
    await engine.asked('engine/take-back');
    expect(engine.count('engine/take-back')).toBe(1);
  });

  it('cannot be lent or ejected under a turn', async () => {
    const lease = { id: 'l', model: 'qwen3:8b', purpose: 'turn' as const, label: 'Flaky', since: noon };
    const { panel } = await openPanel({ loaded: [loaded], lease });
    for (const name of ['Free the GPU', 'Unload'])
      expect(within(panel).getByRole('button', { name })).toHaveProperty('disabled', true);
  });

  it('is lent while a prompt is only read in advance', async () => {
    const lease = { id: 'l', model: 'qwen3:8b', purpose: 'warm' as const, label: 'Flaky', since: noon };
    const { panel, engine } = await openPanel({ loaded: [loaded], lease });
    await press(panel, 'Free the GPU');
    await engine.asked('engine/lend');
    expect(engine.count('engine/lend')).toBe(1);
  });

  it('says before it is taken back what is read again', async () => {
    const lent = { model: 'qwen3:8b', contextTokens: 16_384, since: noon, freedBytes: 6 * gib };
    const { engine, words } = await openPanel(
      { lent },
      {
        context: { usedTokens: 12_000, windowTokens: 16_384, estimated: false },
        turns: [aTurn({ status: 'finished', usage: [aUsage({ promptTokens: 12_000 })] })],
      },
    );
    await engine.asked('model/price');
    expect(words()).toContain('and re-reads about 12,000 tokens');
  });

  it('in main memory has no VRAM to lend, and shows what there is instead', async () => {
    const memory = { totalBytes: 32 * gib, usedBytes: 8 * gib, cpuLoad: 93 };
    const inMemory = { ...loaded, vramBytes: 0 };
    const { panel, words } = await openPanel({ gpus: [], memory, loaded: [inMemory] });
    expect(within(panel).queryByRole('button', { name: 'Free the GPU' })).toBeNull();
    expect(words()).not.toContain('Lending');
    expect(document.body.textContent).not.toContain('100 %');
    const part = within(panel).getByRole('region', { name: 'Main memory' }).textContent;
    expect(part).toContain('8.0 of 32.0 GB');
    expect(part).toContain('No GPU found: models run on the processor.CPU 93 % busy');
    expect(within(panel).queryByRole('region', { name: 'VRAM' })).toBeNull();
  });

  it('says of a GPU that cannot be read what it holds, and not that there is none (audit-U4)', async () => {
    const { panel, words } = await openPanel({ gpus: [], loaded: [loaded] });
    expect(within(panel).getByRole('button', { name: 'Free the GPU' })).toBeDefined();
    expect(words()).not.toContain('No GPU');
    expect(within(panel).getByRole('region', { name: 'VRAM' }).textContent).toContain('unknown');
  });

  it('tells weights and cache apart, as estimates', async () => {
    const gpu = { name: 'RTX 3090', vramTotalBytes: 8 * gib, vramUsedBytes: 6.5 * gib, at: noon };
    const { panel } = await openPanel({
      gpus: [{ ...gpu, utilization: 50, temperatureC: 60, powerW: 200 }],
      loaded: [{ ...loaded, weightsBytes: 4.5 * gib }],
    });
    const part = within(panel).getByRole('region', { name: 'VRAM' }).textContent;
    expect(part).toContain('weights about 4.5cache and buffers about 1.5other programs 0.5free 1.5');
  });

  it('has beside it what else stands in VRAM, and takes that out of it', async () => {
    const gpu = { name: 'RTX 3090', vramTotalBytes: 24 * gib, vramUsedBytes: 11 * gib, at: noon };
    const { panel, engine } = await openPanel({
      gpus: [{ ...gpu, utilization: 0, temperatureC: 40, powerW: 30 }],
      loaded: [loaded, { ...loaded, name: 'gemma3:12b', vramBytes: 4.4 * gib }],
    });
    const others = within(panel).getByRole('list', { name: 'Other models in VRAM' });
    expect(within(others).getAllByRole('listitem')).toHaveLength(1);
    expect(others.textContent).toContain('gemma3:12b4.4 GB');
    await press(panel, 'Unload gemma3:12b');
    await engine.asked('model/unload');
    expect(engine.last('model/unload')).toEqual({ model: 'gemma3:12b' });
  });

  it('that is partly on the CPU is called out, with who holds the rest', async () => {
    const gpu = {
      name: 'RTX 3090',
      vramTotalBytes: 8 * gib,
      vramUsedBytes: 7.9 * gib,
      utilization: 50,
      temperatureC: 60,
      powerW: 200,
      throttled: ['heat' as const],
      at: noon,
    };
    const { words } = await openPanel({ loaded: [{ ...loaded, vramBytes: 4.8 * gib }], gpus: [gpu] });
    expect(words()).toContain('20 % of qwen3:8b runs on the CPU');
    expect(words()).toContain('Other programs hold 3.1 GB of VRAM.');
    expect(words()).toContain('Throttled by heat');
  });
});

describe('the window', () => {
  const full = {
    context: { usedTokens: 12_000, windowTokens: 16_384, estimated: false },
    turns: [aTurn({ status: 'finished', usage: [aUsage({ promptTokens: 12_000 })] })],
  };

  it('is planned, loaded and used in one place', async () => {
    const { words } = await openPanel(
      { loaded: [{ ...loaded, contextTokens: 4096, asPlanned: false }] },
      full,
    );
    expect(words()).toContain('Planned16,384');
    expect(words()).toContain('Loaded4,096, not as planned');
    expect(words()).toContain('Used12,000');
    expect(words()).toContain('73 %, summarises at 12,288');
  });

  it('offers what makes room when asked, each with its price', async () => {
    const { words, panel, host, engine } = await openPanel({ loaded: [loaded] }, full);
    expect(words()).not.toContain('Summarise now');
    expect(engine.count('model/price')).toBe(0);
    await press(panel, 'Make room');
    await engine.asked('model/price');
    await settled();
    expect(engine.last('model/price')).toEqual({ model: 'qwen3:8b', contextTokens: 32_768 });
    expect(words()).toContain('one side request, then re-reads at most 5,461 tokens');
    expect(words()).toContain(
      'loads qwen3:8b again, 7.0 GB, about 9 s, fits barely, and re-reads about 12,000 tokens, about 14 s',
    );
    await press(panel, 'Context of 32,768');
    await host.asked('profile/update');
    expect(host.last('profile/update')).toEqual({
      profileId: 'developer',
      changes: { contextTokens: 32_768 },
    });
  });

  it('never grows beyond what the model was trained for', async () => {
    const { words, panel } = await openPanel(
      { loaded: [loaded], models: [aModel({ trainedContext: 16_384 })] },
      full,
    );
    await press(panel, 'Make room');
    expect(words()).toContain('Summarise now');
    expect(words()).not.toContain('Context of');
  });

  it('with room left offers nothing', async () => {
    const context = { usedTokens: 2000, windowTokens: 16_384, estimated: true };
    const { words } = await openPanel({ loaded: [loaded] }, { context });
    expect(words()).toContain('about 2,000');
    expect(words()).not.toContain('Make room');
  });
});

it('says who has the GPU and who waits for it, in order', async () => {
  const lease = { id: 'l', model: 'qwen3:8b', purpose: 'turn' as const, label: 'Flaky', since: noon };
  const queue = [
    { ...lease, id: 'q1', label: 'Retries' },
    { ...lease, id: 'q2', label: 'Notes', purpose: 'warm' as const },
  ];
  const { panel } = await openPanel({ lease, queue, waiting: 2, sideCacheBytes: 1.2 * gib });
  const rows = within(panel)
    .getAllByRole('listitem')
    .map((row) => row.textContent);
  expect(rows[0]).toContain('uses itFlaky');
  expect(rows[1]).toContain('1.Retriesturn');
  expect(rows[2]).toContain('2.Notespreloads');
  expect(panel.textContent).toContain('about 1.2 GB of main memory');
});

it('leads to the page that says why it is slow, and to the settings of the engine', async () => {
  const { panel, stores } = await openPanel({});
  await press(panel, 'Engine settings');
  expect(stores.ui.getState()).toMatchObject({
    view: 'settings',
    settingsSection: 'engine',
  });
});
