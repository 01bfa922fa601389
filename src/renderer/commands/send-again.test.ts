/** A message whose sending is cut off is sent once, or is back in its box: never both, and never neither. */
import { expect, test } from 'vitest';
import { AndironError } from '../../protocol/errors.ts';
import { maxResendMs } from '../stores/outbox.ts';
import { applySessionSnapshot, resetSession } from '../stores/session-store.ts';
import { browserStorage, type KeyValueStorage } from '../stores/storage.ts';
import { setDraft, setDraftFiles } from '../stores/ui-store.ts';
import { collectionFile } from '../stores/draft-files.ts';
import { settled } from '../testing/fake-server.ts';
import { anItem, aSession, aSnapshot, aTurn, noon } from '../testing/fixtures.ts';
import { MemoryStorage, openTestWindow, type TestWindow } from '../testing/window-kit.tsx';
import { composer } from '../text.ts';

async function windowOn(storage: KeyValueStorage, windowId = 'window-1'): Promise<TestWindow> {
  const window = await openTestWindow(null, null, { storage, windowId });
  open(window, 's1');
  return window;
}

/** As the window's own sync does. */
function open({ stores }: TestWindow, sessionId: string): void {
  stores.ui.setState({ openSessionId: sessionId });
  resetSession(stores.session, sessionId);
}

/** Pressed Enter on it, and the host has not answered when this resolves. */
async function sent(storage: KeyValueStorage, text = 'Hello'): Promise<TestWindow> {
  const window = await windowOn(storage);
  setDraft(window.stores.ui, 's1', text);
  void window.commands.run('turn/send', { text });
  await window.host.asked('turn/start');
  return window;
}

const kept = (name: string): string => localStorage.getItem(name) ?? '';
const begins = ({ turnId }: { turnId: string }) => ({ turnId, queued: false });
const outboxOf = (storage: MemoryStorage): object =>
  JSON.parse(storage.read('andiron.outbox') ?? '{}') as object;
const placesOf = ({ stores }: TestWindow) => ({
  sending: stores.session.getState().sending?.text ?? null,
  drafts: stores.ui.getState().drafts,
});
const nowhere = { sending: null, drafts: {} };

test('A message whose answer was lost with the connection is sent again with the same id, and stays out of its box', async () => {
  const storage = new MemoryStorage();
  const window = await sent(storage);
  window.host.drop();
  await settled();
  expect(placesOf(window)).toEqual({ sending: 'Hello', drafts: {} });
  window.host.answer('turn/start', begins);
  window.clock.run();
  await window.host.asked('turn/start', 2);
  const [first, second] = window.host.requests.filter(({ method }) => method === 'turn/start');
  expect(second).toEqual(first);
  applySessionSnapshot(
    window.stores.session,
    aSnapshot({ turns: [aTurn({ id: 'turn_1', status: 'stopped' })] }),
  );
  expect([placesOf(window), outboxOf(storage), window.stores.ui.getState().notices]).toEqual([
    nowhere,
    {},
    [],
  ]);
});

test('A window that is loaded again sends what was on its way once more under its id, and shows it meanwhile', async () => {
  const storage = new MemoryStorage();
  const { host: before } = await sent(storage);
  const after = await windowOn(storage);
  expect(placesOf(after).drafts).toEqual({});
  after.host.answer('turn/start', begins);
  const resuming = after.commands.run('turn/send-left');
  expect(placesOf(after).sending).toBe('Hello');
  await resuming;
  expect([after.host.last('turn/start'), outboxOf(storage)]).toEqual([before.last('turn/start'), {}]);
  await after.commands.run('turn/send-left');
  expect(after.host.count('turn/start')).toBe(1);
});

test('A message that may have arrived waits for the next connection where one breaks before it is sent again', async () => {
  const storage = new MemoryStorage();
  await sent(storage);
  const after = await windowOn(storage);
  const resuming = after.commands.run('turn/send-left');
  after.host.drop();
  await settled();
  expect(placesOf(after)).toEqual({ sending: 'Hello', drafts: {} });
  after.host.answer('turn/start', begins);
  after.clock.run();
  await resuming;
  expect([after.host.count('turn/start'), outboxOf(storage)]).toEqual([1, {}]);
});

test('A message of a loaded window leaves as on its way with the snapshot that has its turn, and is never shown twice', async () => {
  const storage = new MemoryStorage();
  await sent(storage);
  const after = await windowOn(storage);
  void after.commands.run('turn/send-left');
  applySessionSnapshot(
    after.stores.session,
    aSnapshot({ turns: [aTurn({ id: 'turn_1', status: 'stopped' })] }),
  );
  expect(placesOf(after)).toEqual(nowhere);
});

test('A message that the host takes no more is back in the box of its own session, with its files and why', async () => {
  const storage = new MemoryStorage();
  await sent(storage);
  const after = await windowOn(storage);
  open(after, 's2');
  after.host.answer('turn/start', () => new AndironError('over_budget', 'Nothing is left for today.'));
  expect(await after.commands.run('turn/send-left')).toBe(false);
  expect(placesOf(after)).toEqual({ sending: null, drafts: { s1: 'Hello' } });
  expect(after.stores.ui.getState().notices).toMatchObject([{ message: 'Nothing is left for today.' }]);
  expect(outboxOf(storage)).toEqual({});
});

test('A message that was not asked for yet when its window was loaded again is a draft again, with its files', async () => {
  const storage = new MemoryStorage();
  const before = await windowOn(storage);
  setDraft(before.stores.ui, 's1', 'What do they say?');
  setDraftFiles(before.stores.ui, 's1', [collectionFile({ id: 'c1', name: 'Notes' })]);
  void before.commands.run('turn/send', { text: 'What do they say?' });
  await before.host.asked('collection/attach');
  const after = await windowOn(storage);
  await after.commands.run('turn/send-left');
  expect(placesOf(after)).toEqual({ sending: null, drafts: { s1: 'What do they say?' } });
  expect(after.stores.ui.getState().draftFiles['s1']).toMatchObject([{ collectionId: 'c1' }]);
  expect([after.host.count('turn/start'), outboxOf(storage)]).toEqual([0, {}]);
});

test.each([
  [true, 'is gone where the host has it', {}, []],
  [
    false,
    'is back in its box where the host never had it',
    { s1: 'Hello' },
    [{ message: composer.unsent.notSent }],
  ],
])(
  'After five minutes a message is not sent without the person: %s, it %s',
  async (isKnown, _, drafts, notices) => {
    const storage = new MemoryStorage();
    await sent(storage);
    const after = await openTestWindow(null, null, { storage, windowId: 'another' });
    after.services.now = () => noon + maxResendMs + 1;
    const { createCommands } = await import('./commands.ts');
    const commands = createCommands(after.services, false);
    after.host.answer('turn/known', () => ({ isKnown }));
    await commands.run('turn/send-left');
    expect(after.host.last('turn/known')).toEqual({ sessionId: 's1', turnId: 'turn_1' });
    expect(after.host.count('turn/start')).toBe(0);
    expect(after.stores.ui.getState()).toMatchObject({ drafts, notices });
  },
);

test('A message that another window has on its way is left to that window', async () => {
  const storage = new MemoryStorage();
  await sent(storage);
  const other = await windowOn(storage, 'window-2');
  await other.commands.run('turn/send-left');
  expect([other.host.requests, placesOf(other)]).toEqual([[], nowhere]);
});

test('A page that dies the moment after Send has kept the message in one place', async () => {
  localStorage.clear();
  const window = await windowOn(browserStorage(globalThis.window));
  setDraft(window.stores.ui, 's1', 'Hello');
  void window.commands.run('turn/send', { text: 'Hello' });
  expect(JSON.parse(kept('andiron.ui'))).toMatchObject({ drafts: {} });
  expect(Object.values(JSON.parse(kept('andiron.outbox')) as object)).toMatchObject([{ text: 'Hello' }]);
});

test('A message on its way is shown in its own session alone, and Stop and a refusal find that session', async () => {
  const window = await sent(new MemoryStorage());
  await window.commands.run('turn/stop');
  open(window, 's2');
  expect(placesOf(window).sending).toBeNull();
  open(window, 's1');
  expect(placesOf(window).sending).toBe('Hello');
  open(window, 's2');
  window.host
    .answer('turn/stop', () => ({}))
    .answer('turn/start', begins)
    .drop();
  await settled();
  window.clock.run();
  await window.host.asked('turn/stop');
  expect(window.host.last('turn/stop')).toEqual({ sessionId: 's1', turnId: 'turn_1' });
});

test('A Stop before the host has answered is sent, although the turn was shown before that answer', async () => {
  const window = await sent(new MemoryStorage());
  await window.commands.run('turn/stop');
  const turn = aTurn({ id: 'turn_1' });
  applySessionSnapshot(
    window.stores.session,
    aSnapshot({ turns: [turn], items: [anItem('user', { turnId: turn.id })] }),
  );
  window.host
    .answer('turn/stop', () => ({}))
    .answer('turn/start', begins)
    .drop();
  await settled();
  window.clock.run();
  await window.host.asked('turn/stop');
  expect(placesOf(window)).toEqual(nowhere);
});

test('A first message is kept as one of the session that was made for it before that is opened', async () => {
  const storage = new MemoryStorage();
  const window = await openTestWindow(null, null, { storage });
  window.host.answer('session/create', () => ({ session: aSession({ id: 's9' }) }));
  setDraft(window.stores.ui, 'new', 'Hello');
  const seen: unknown[] = [];
  window.stores.ui.subscribe(({ openSessionId }, before) => {
    if (openSessionId !== before.openSessionId) seen.push(...Object.values(outboxOf(storage)));
  });
  void window.commands.run('turn/send', { text: 'Hello' });
  await window.host.asked('turn/start');
  expect(seen).toMatchObject([{ sessionId: 's9', text: 'Hello' }]);
});

test('A first message that the host takes no more is back in the box of the session that was made for it', async () => {
  const window = await openTestWindow();
  window.host
    .answer('session/create', () => ({ session: aSession({ id: 's9' }) }))
    .answer('turn/start', () => new AndironError('over_budget', 'Nothing is left for today.'));
  setDraft(window.stores.ui, 'new', 'Hello');
  await window.commands.run('turn/send', { text: 'Hello' });
  expect(placesOf(window)).toEqual({ sending: null, drafts: { s9: 'Hello' } });
});

/** Sends a message with a collection; while that is read, `meanwhile` happens. */
async function sentWithCollection(window: TestWindow, draft: string, meanwhile: () => void) {
  const attachment = { id: 'att_1', name: 'Manual.txt', kind: 'text', mime: 'text/plain', size: 9 } as const;
  window.host
    .answer('collection/attach', () => {
      meanwhile();
      return { attachment };
    })
    .answer('session/create', () => ({ session: aSession({ id: 's9' }) }))
    .answer('turn/start', begins);
  setDraft(window.stores.ui, draft, 'How tight?');
  setDraftFiles(window.stores.ui, draft, [collectionFile({ id: 'c1', name: 'Manual' })]);
  void window.commands.run('turn/send', { text: 'How tight?' });
  await window.host.asked('turn/start');
  return window.host.last('turn/start');
}

test('A message for which something is read goes to the session in which it was sent, whatever is open by then', async () => {
  const window = await windowOn(new MemoryStorage());
  const asked = await sentWithCollection(window, 's1', () => open(window, 's2'));
  expect(asked).toMatchObject({ sessionId: 's1' });
});

test('A first message makes its session behind a new page that the person opened after another session', async () => {
  const window = await openTestWindow();
  const asked = await sentWithCollection(window, 'new', () => {
    open(window, 's2');
    window.stores.ui.setState({ openSessionId: null });
    setDraft(window.stores.ui, 'new', 'Something else');
  });
  expect(asked).toMatchObject({ sessionId: 's9' });
  expect(window.stores.ui.getState()).toMatchObject({
    openSessionId: null,
    drafts: { new: 'Something else' },
  });
});

test('A first message makes its session behind the one that the person went to meanwhile', async () => {
  const window = await openTestWindow();
  const asked = await sentWithCollection(window, 'new', () => {
    open(window, 's2');
    setDraft(window.stores.ui, 'new', 'Something else');
  });
  expect(asked).toMatchObject({ sessionId: 's9' });
  expect(window.stores.ui.getState()).toMatchObject({
    openSessionId: 's2',
    drafts: { new: 'Something else' },
  });
});

test('A message that is stopped while something is read for it is back in its box, and nothing is read any more', async () => {
  const storage = new MemoryStorage();
  const window = await windowOn(storage);
  setDraft(window.stores.ui, 's1', 'How tight?');
  setDraftFiles(window.stores.ui, 's1', [collectionFile({ id: 'c1', name: 'Manual' })]);
  const sending = window.commands.run('turn/send', { text: 'How tight?' });
  await window.host.asked('collection/attach');
  await window.commands.run('turn/stop');
  expect(await sending).toBe(true);
  expect(placesOf(window)).toEqual({ sending: null, drafts: { s1: 'How tight?' } });
  expect(window.stores.ui.getState()).toMatchObject({
    draftFiles: { s1: [{ collectionId: 'c1' }] },
    notices: [],
  });
  expect(window.host.cancelled).toEqual(['collection/attach']);
  expect([window.host.count('turn/start'), outboxOf(storage)]).toEqual([0, {}]);
});
