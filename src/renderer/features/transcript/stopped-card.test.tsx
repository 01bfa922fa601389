import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ChangedFile, ItemOf, Turn } from '../../../protocol/model.ts';
import { applySessionEvents, applySessionSnapshot, resetSession } from '../../stores/session-store.ts';
import { anEngine, anItem, aSession, aSnapshot, aTurn, inOrder, noon } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { StoppedCard } from './stopped-card.tsx';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: noon + 1000 }));
afterEach(() => void vi.useRealTimers());

async function stopped(over: Partial<ItemOf<'stopped'>>, last = true) {
  const window = await openTestWindow();
  const gib = 1024 ** 3;
  const loaded = { name: 'qwen3:8b', sizeBytes: 6 * gib, vramBytes: 6 * gib, contextTokens: 16_384 };
  window.stores.engine.setState({
    engine: anEngine({ loaded: [{ ...loaded, expiresAt: '', asPlanned: true }] }),
  });
  const { container } = renderIn(
    window,
    <StoppedCard item={anItem('stopped', over)} ran={{ files: 0, commands: 0 }} last={last} />,
  );
  return { ...window, words: container.textContent };
}

it('proves the stop: how fast, the model where it was, and what of the prompt is kept', async () => {
  const { words } = await stopped({ promptTokens: 34_020, keptTokens: 31_090, idleMs: 420 });
  expect(words).toContain('Stopped in 460 ms. qwen3:8b is still in VRAM (5.2 GB).');
  expect(words).toContain('About 31k of 34k prompt tokens kept.');
  expect(words).toContain('Nothing is running now.');
  expect(words).toContain('Connection closed after 40 ms');
});

it('a stop is called as fast as the engine was idle, and no speed is named before (audit-U4)', async () => {
  expect((await stopped({ closedMs: 1, idleMs: 2_200 })).words).toContain('Stopped in 2.2 s. qwen3:8b');
  for (const idleMs of [undefined, null]) {
    const { words } = await stopped({ closedMs: 1, ...(idleMs === null && { idleMs }) });
    expect(words).toContain('Stopped. qwen3:8b');
    expect(words).not.toContain('1 ms');
  }
});

it('nothing is said not to run while the next message runs or is on its way (audit-U4)', async () => {
  const { stores } = await stopped({ idleMs: 420 });
  const show = (turns: Turn[]): string | null => {
    act(() => applySessionSnapshot(stores.session, aSnapshot({ turns })));
    return document.body.textContent;
  };
  resetSession(stores.session, 's1');
  expect(show([aTurn({ status: 'stopped' })])).toContain('Nothing is running now.');
  const queued = show([aTurn({ status: 'stopped' }), aTurn({ id: 't2', status: 'running' })]);
  expect(queued).not.toContain('unning now');
});

it('more is never kept of a prompt than it has, also of an older stop (audit-U4)', async () => {
  const { words } = await stopped({ promptTokens: 1_761, keptTokens: 1_825, counted: 'kept' });
  expect(words).toContain('1,825 prompt tokens kept, about the whole prompt.');
  expect(words).not.toContain('1,761');
});

it('tells what is kept as the engine counted it', async () => {
  const all = { promptTokens: 34_021, keptTokens: 34_021 };
  expect((await stopped({ ...all, counted: 'both' })).words).toContain('All 34,021 prompt tokens kept.');
  const some = { promptTokens: 34_020, keptTokens: 31_090 };
  expect((await stopped({ ...some, counted: 'kept' })).words).toContain(
    '31,090 of about 34k prompt tokens kept.',
  );
});

const edits = inOrder(
  ...['a.ts', 'b.ts'].map((path) =>
    anItem('tool', { tool: 'edit_file', display: { kind: 'diff', path, hunks: [], added: 2, removed: 1 } }),
  ),
);
const inForce = ['a.ts', 'b.ts'].map((path): ChangedFile => ({
  path,
  added: 2,
  removed: 1,
  created: false,
  isGone: false,
  kind: 'file',
  turns: ['t1'],
  undone: false,
}));

it('takes back what the stopped turn wrote with one press, and brings it back with the next', async () => {
  const { host, stores, user } = await afterEdits('idle');
  await user.click(screen.getByRole('button', { name: 'Undo 2 file changes' }));
  await host.asked('file/undo');
  expect(host.last('file/undo')).toEqual({ sessionId: 's1', turnId: 't1' });
  const files = inForce.map((file) => ({ ...file, turns: [], undone: true }));
  act(() =>
    applySessionEvents(stores.session, [
      { seq: 1, sessionId: 's1', at: noon, turnId: null, event: { type: 'files/changed', files } },
    ]),
  );
  await user.click(await screen.findByRole('button', { name: 'Redo 2 file changes' }));
  await host.asked('file/redo');
  expect(host.last('file/redo')).toEqual({ sessionId: 's1', paths: ['a.ts', 'b.ts'] });
});

it('waits with the way back until the turn is closed', async () => {
  await afterEdits('running');
  expect(screen.getByRole('button', { name: 'Undo 2 file changes' })).toHaveProperty('disabled', true);
});

async function afterEdits(status: 'idle' | 'running') {
  const window = await openTestWindow();
  const { session, ui } = window.stores;
  const outcomes = inForce.map(({ path }) => ({ path, refused: null, detail: '' }));
  window.host.answer('file/undo', () => ({ outcomes }));
  window.host.answer('file/redo', () => ({ outcomes }));
  ui.setState({ openSessionId: 's1' });
  resetSession(session, 's1');
  const turns = [aTurn({ status: 'stopped' })];
  applySessionSnapshot(
    session,
    aSnapshot({ session: aSession({ status }), turns, items: edits, files: inForce }),
  );
  renderIn(window, <StoppedCard item={anItem('stopped')} ran={{ files: 2, commands: 0 }} last />);
  return { ...window, user: userEvent.setup() };
}

it('calls nobody’s stop a stop by the person', async () => {
  const { words } = await stopped({ appClosed: true });
  expect(words).toContain('Stopped, because Andiron was closed. qwen3:8b is still');
  expect(words).not.toContain('in 40 ms');
});

it('says where a model without a GPU still is', async () => {
  const { words } = await stopped({ vramBytes: 0 });
  expect(words).toContain('qwen3:8b is still loaded, in main memory.');
  expect(words).not.toContain('VRAM');
});

it('calls unknown what could not be found out, and says nothing of a prompt that was not read', async () => {
  const { words } = await stopped({ promptTokens: 34_020, keptTokens: null, idleMs: null });
  expect(words).toContain('How much of the prompt is kept is unknown.');
  expect(words).not.toContain('idle');
  expect((await stopped({ promptTokens: null })).words).not.toContain('prompt');
});

it('says that the engine still finishes, until that is known or no longer likely', async () => {
  const { words } = await stopped({ during: 'text' });
  expect(words).toContain('Ollama is finishing its last step.');
  expect(words).not.toContain('Nothing is running now.');
  expect((await stopped({ during: 'compacting' })).words).toContain('Ollama is finishing');
  expect((await stopped({ during: 'tool', closedMs: null })).words).not.toContain('is finishing');
  vi.setSystemTime(noon + 60_000);
  const later = await stopped({ during: 'text' });
  expect(later.words).not.toContain('is finishing');
  expect(later.words).toContain('Nothing is running now.');
});

it.each([
  ['unproved', 'Checking whether'],
  ['cured', 'reloaded in 9.0 s'],
  ['lost', 'did not bring it back'],
] as const)('a slot that is %s is told', async (slot, told) => {
  expect((await stopped({ slot, reloadMs: 9000, idleMs: null })).words).toContain(told);
});

it('a lost slot offers to unload the model first', async () => {
  const { engine } = await stopped({ slot: 'lost', idleMs: null });
  await userEvent.click(screen.getByRole('button', { name: /^Unload qwen3:8b/ }));
  await engine.asked('model/unload');
  expect(engine.last('model/unload')).toEqual({ model: 'qwen3:8b' });
});
