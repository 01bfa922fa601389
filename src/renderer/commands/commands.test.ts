import type { DesktopBridge } from '../../protocol/desktop.ts';
import { describe, expect, it } from 'vitest';
import { settled } from '../testing/fake-server.ts';
import { aSession, aSnapshot, aTurn } from '../testing/fixtures.ts';
import { takeImports } from '../testing/uploads.ts';
import { openTestWindow } from '../testing/window-kit.tsx';
import { applySessionSnapshot, resetSession } from '../stores/session-store.ts';
import { newSessionKey } from '../stores/drafts-slice.ts';
import type { View } from '../stores/layout-slice.ts';
import { setDraft } from '../stores/ui-store.ts';
import { shell } from '../text.ts';

async function windowWithSession() {
  const window = await openTestWindow();
  window.stores.ui.setState({ openSessionId: 's1' });
  resetSession(window.stores.session, 's1');
  applySessionSnapshot(window.stores.session, aSnapshot());
  return window;
}

async function withTurn() {
  const window = await windowWithSession();
  const turn = aTurn({ status: 'finished', phase: null, text: 'Why?' });
  applySessionSnapshot(window.stores.session, aSnapshot({ turns: [turn] }));
  return window;
}

describe('sending', () => {
  it('makes the session with what was chosen for it, then starts the turn', async () => {
    const { host, stores, commands } = await openTestWindow();
    host
      .answer('session/create', () => ({ session: aSession({ id: 's9' }) }))
      .answer('session/update', () => ({ session: aSession({ id: 's9' }) }))
      .answer('turn/start', () => ({ turnId: 't1', queued: false }));
    stores.ui.setState({ newSession: { workspace: '/w', profileId: 'writer', model: 'qwen3:4b' } });
    expect(await commands.run('turn/send', { text: ' Hello ' })).toBe(true);
    expect(host.requests).toEqual([
      { method: 'session/create', params: { workspace: '/w', profileId: 'writer' } },
      { method: 'session/update', params: { sessionId: 's9', model: 'qwen3:4b' } },
      { method: 'turn/start', params: { sessionId: 's9', turnId: 'turn_1', text: 'Hello' } },
    ]);
    expect(stores.ui.getState()).toMatchObject({ openSessionId: 's9', newSession: {} });
  });

  it('asks the desktop for the folder that nobody has chosen, then sends what was written (audit-S15)', async () => {
    const folders: (string | null)[] = [null, '/chosen'];
    const desktop = { chooseFolder: () => Promise.resolve(folders.shift() ?? null) } as DesktopBridge;
    const { host, stores, commands } = await openTestWindow(desktop);
    host
      .answer('session/create', () => ({ session: aSession({ id: 's9' }) }))
      .answer('turn/start', () => ({ turnId: 't1', queued: false }));
    stores.host.setState({ defaults: { profileId: 'developer', workspace: null } });
    stores.ui.setState({ drafts: { [newSessionKey]: 'Hello' } });
    await commands.run('turn/send', { text: 'Hello' });
    expect([host.requests, stores.ui.getState().drafts]).toEqual([[], { [newSessionKey]: 'Hello' }]);
    await commands.run('turn/send', { text: 'Hello' });
    expect(host.requests.map(({ method, params }) => [method, params])).toEqual([
      ['session/create', { workspace: '/chosen' }],
      ['turn/start', { sessionId: 's9', turnId: 'turn_1', text: 'Hello' }],
    ]);
  });

  it('keeps in the box what is written while the session is made', async () => {
    const { host, stores, commands } = await openTestWindow();
    host
      .answer('session/create', () => {
        stores.ui.setState({ drafts: { [newSessionKey]: 'And then this' } });
        return { session: aSession({ id: 's9' }) };
      })
      .answer('turn/start', () => ({ turnId: 't1', queued: false }));
    await commands.run('turn/send', { text: 'Hello' });
    expect(stores.ui.getState().drafts).toEqual({ s9: 'And then this' });
  });

  it('empties the box at once and gives the text back when it fails', async () => {
    const { host, stores, commands } = await windowWithSession();
    host.answer('turn/start', () => new Error('The disk is full.'));
    stores.ui.setState({ drafts: { s1: 'Hello' } });
    const sending = commands.run('turn/send', { text: 'Hello' });
    expect(stores.ui.getState().drafts).toEqual({});
    expect(stores.session.getState().sending?.text).toBe('Hello');
    expect(await sending).toBe(false);
    expect(stores.ui.getState().drafts).toEqual({ s1: 'Hello' });
    expect(stores.session.getState().sending).toBeNull();
    expect(stores.ui.getState().notices).toMatchObject([{ message: 'The disk is full.' }]);
  });

  it('puts what could not be sent before what was written meanwhile', async () => {
    const { host, stores, commands } = await windowWithSession();
    host.answer('turn/start', () => new Error('The disk is full.'));
    const sending = commands.run('turn/send', { text: 'Hello' });
    stores.ui.setState({ drafts: { s1: 'And then this' } });
    await sending;
    expect(stores.ui.getState().drafts).toEqual({ s1: 'Hello\n\nAnd then this' });
  });

  it('stops the turn as soon as its id is known when Stop came first, although the connection broke', async () => {
    const { host, commands, clock } = await windowWithSession();
    host.answer('turn/stop', () => ({}));
    const sending = commands.run('turn/send', { text: 'Hello' });
    await host.asked('turn/start');
    await commands.run('turn/stop');
    expect(host.count('turn/stop')).toBe(0);
    host.answer('turn/start', ({ turnId }: { turnId: string }) => ({ turnId, queued: false })).drop();
    await settled();
    clock.run();
    await sending;
    expect(host.last('turn/stop')).toEqual({ sessionId: 's1', turnId: 'turn_1' });
  });

  it('stops the turn that runs at once, although a message behind it is still on its way', async () => {
    const { host, stores, commands } = await windowWithSession();
    host.answer('turn/stop', () => ({}));
    applySessionSnapshot(stores.session, aSnapshot({ turns: [aTurn({ id: 't1' })] }));
    void commands.run('turn/send', { text: 'And then this' });
    await host.asked('turn/start');
    await commands.run('turn/stop');
    expect(host.last('turn/stop')).toEqual({ sessionId: 's1' });
    expect(stores.session.getState().sending?.stopRequested).toBe(true);
  });

  it('sends Stop with the id it waited for', async () => {
    const { host, commands } = await windowWithSession();
    host.answer('turn/stop', () => ({})).answer('turn/start', () => ({ turnId: 't7', queued: false }));
    const sending = commands.run('turn/send', { text: 'Hello' });
    await commands.run('turn/stop');
    await sending;
    expect(host.last('turn/stop')).toEqual({ sessionId: 's1', turnId: 't7' });
  });

  it('sends nothing twice and nothing empty', async () => {
    const { host, commands } = await windowWithSession();
    await commands.run('turn/send', { text: '  ' });
    void commands.run('turn/send', { text: 'Hello' });
    await commands.run('turn/send', { text: 'Hello' });
    await settled();
    expect(host.count('turn/start')).toBe(1);
  });
});

const refusedIn = async (view: View) => {
  const { host, stores, commands } = await windowWithSession();
  host.refuses = true;
  host.drop();
  await settled();
  stores.host.setState({ connection: 'lost' });
  stores.ui.setState({ view });
  await commands.run('turn/send', { text: 'Hello' });
  return stores.ui.getState();
};

describe('without a connection', () => {
  it('a message stays in the box, and the line above it is the only one that says why', async () => {
    expect(await refusedIn('session')).toMatchObject({ notices: [], drafts: { s1: 'Hello' } });
  });

  it('that is said in the settings, which have no such line', async () => {
    expect(await refusedIn('settings')).toMatchObject({ notices: [{ message: 'There is no connection.' }] });
  });

  it('what was asked when the connection broke may have arrived, and that is said', async () => {
    const { host, stores, commands } = await windowWithSession();
    stores.host.setState({ connection: 'live' });
    stores.engine.setState({ connection: 'live' });
    const resuming = commands.run('turn/resume');
    await host.asked('turn/resume');
    host.drop();
    await resuming;
    expect(stores.ui.getState().notices).toMatchObject([{ advice: shell.perhapsArrived }]);
  });
});

async function sentTooSoon() {
  const window = await windowWithSession();
  const { defaults } = window.stores.host.getState();
  window.stores.host.setState({ connection: 'connecting', defaults: null });
  setDraft(window.stores.ui, 's1', 'Hello');
  void window.commands.run('turn/send', { text: 'Hello' });
  void window.commands.run('turn/send', { text: 'Hello' });
  await settled();
  return { ...window, hostAnswers: () => window.stores.host.setState({ connection: 'live', defaults }) };
}

describe('a message that is sent while the host still starts', () => {
  it('stays in its box, and goes once as soon as the host has said which sessions there are', async () => {
    const { host, stores, hostAnswers } = await sentTooSoon();
    stores.host.setState({ connection: 'live' });
    await settled();
    expect([host.count('turn/start'), stores.ui.getState().drafts['s1']]).toEqual([0, 'Hello']);
    hostAnswers();
    await host.asked('turn/start');
    expect([host.count('turn/start'), stores.ui.getState().drafts['s1'] ?? '']).toEqual([1, '']);
  });

  it('is not sent when it was changed meanwhile', async () => {
    const { host, stores, hostAnswers } = await sentTooSoon();
    setDraft(stores.ui, 's1', 'Hello, or rather not');
    hostAnswers();
    await settled();
    expect([host.count('turn/start'), stores.ui.getState().drafts['s1']]).toEqual([
      0,
      'Hello, or rather not',
    ]);
  });

  it('stays in its box where the host never comes', async () => {
    const { host, stores } = await sentTooSoon();
    host.refuses = true;
    host.drop();
    await settled();
    stores.host.setState({ connection: 'lost' });
    await settled();
    await settled();
    expect(stores.ui.getState().drafts['s1']).toBe('Hello');
  });
});

describe('a queued message', () => {
  const queue = [
    aTurn({ id: 't2', status: 'queued', text: 'First' }),
    aTurn({ id: 't3', status: 'queued', text: 'Second' }),
  ];

  it('is moved before the one that stands before it', async () => {
    const { host, stores, commands } = await windowWithSession();
    host.answer('turn/move', () => ({}));
    applySessionSnapshot(stores.session, aSnapshot({ turns: queue }));
    await commands.run('turn/move-up', { turnId: 't3' });
    expect(host.last('turn/move')).toEqual({ sessionId: 's1', turnId: 't3', before: 't2' });
    await commands.run('turn/move-up', { turnId: 't2' });
    expect(host.count('turn/move')).toBe(1);
  });
});

describe('another version', () => {
  it('of a message is on its way at once, and ends the editing when the host has it', async () => {
    const { host, stores, commands } = await withTurn();
    host.answer('turn/edit', () => ({ turnId: 't9' }));
    stores.ui.setState({ editing: { turnId: 't1', text: ' Why then? ' } });
    const asked = commands.run('turn/edit', { turnId: 't1', text: ' Why then? ' });
    expect(stores.session.getState().sending?.text).toBe('Why then?');
    await asked;
    expect(host.last('turn/edit')).toEqual({ sessionId: 's1', turnId: 't1', text: 'Why then?' });
    expect(stores.ui.getState().editing).toBeNull();
  });

  it('that the host refuses is still there to be sent', async () => {
    const { host, stores, commands } = await withTurn();
    host.answer('turn/edit', () => new Error('A turn is running.'));
    stores.ui.setState({ editing: { turnId: 't1', text: 'Why then?' } });
    expect(await commands.run('turn/edit', { turnId: 't1', text: 'Why then?' })).toBe(false);
    expect(stores.ui.getState().editing?.text).toBe('Why then?');
    expect(stores.session.getState().sending).toBeNull();
  });

  it('of an answer is asked for with the message that is there', async () => {
    const { host, stores, commands } = await withTurn();
    host.answer('turn/regenerate', () => ({ turnId: 't9' }));
    const asked = commands.run('turn/regenerate', { turnId: 't1' });
    expect(stores.session.getState().sending?.text).toBe('Why?');
    await asked;
    expect(host.last('turn/regenerate')).toEqual({ sessionId: 's1', turnId: 't1' });
  });
});

describe('other commands', () => {
  it('leave a deleted session, and bring it back as it was', async () => {
    const { host, stores, commands } = await windowWithSession();
    host.answer('session/delete', () => ({})).answer('session/restore', () => ({ session: aSession() }));
    stores.host.setState({ sessions: [aSession()] });
    stores.ui.setState({ drafts: { s1: 'Draft' } });
    await commands.run('session/delete', { sessionId: 's1' });
    expect(stores.ui.getState()).toMatchObject({
      openSessionId: null,
      notices: [{ message: '“Flaky lease test” deleted', restores: ['s1'], news: true }],
    });
    await commands.run('session/restore', { sessionIds: ['s1'], noticeId: 1 });
    expect(stores.ui.getState()).toMatchObject({
      openSessionId: 's1',
      notices: [],
      drafts: { s1: 'Draft' },
    });
  });

  it('save a session under its title, and bring one in as the text of its file', async () => {
    const { host, stores, commands, files } = await windowWithSession();
    host.answer('session/export', () => ({ snapshot: { version: 1 } }));
    const imported = takeImports(host, () => ({ sessions: ['s9'], notices: ['Its folder is gone.'] }));
    stores.host.setState({ sessions: [aSession({ title: 'Why? A/B – über' })] });
    await commands.run('session/export', { sessionId: 's1' });
    expect(files.saved).toMatchObject([{ name: 'why-a-b-über.json', content: '{\n  "version": 1\n}' }]);
    await commands.run('session/import');
    expect(imported).toEqual([]);
    files.chosen = '{"version":1}';
    await commands.run('session/import');
    expect(imported).toEqual(['{"version":1}']);
    expect(stores.ui.getState()).toMatchObject({
      openSessionId: 's9',
      notices: [{ message: 'Its folder is gone.', news: true }],
    });
  });

  it('branch from a turn into a session of its own', async () => {
    const { host, stores, commands } = await windowWithSession();
    host.answer('session/fork', () => ({ session: aSession({ id: 's9' }) }));
    await commands.run('session/fork', { sessionId: 's1', turnId: 't1' });
    expect(host.last('session/fork')).toEqual({ sessionId: 's1', turnId: 't1' });
    expect(stores.ui.getState().openSessionId).toBe('s9');
  });

  it('keep what was found for the words that stand in the field', async () => {
    const { host, stores, commands } = await windowWithSession();
    host.answer('session/search', ({ query }: { query: string }) => ({
      hits: [{ sessionId: 's1', title: query, itemId: null, turnId: null, snippet: '', at: 1 }],
      complete: true,
    }));
    await Promise.all([
      commands.run('session/find', { query: 'le' }),
      commands.run('session/find', { query: 'lease' }),
    ]);
    expect(stores.ui.getState().search).toMatchObject({
      query: 'lease',
      found: { hits: [{ title: 'lease' }] },
    });
    await commands.run('session/find', { query: ' ' });
    expect(stores.ui.getState().search).toEqual({ query: ' ', found: null });
    expect(host.count('session/search')).toBe(2);
  });

  it('step through the sessions in the order of the list', async () => {
    const { stores, commands } = await openTestWindow();
    stores.host.setState({
      sessions: [
        aSession({ id: 'old', updatedAt: 1 }),
        aSession({ id: 'new', updatedAt: 3 }),
        aSession({ id: 'pin', updatedAt: 0, pinned: true }),
      ],
    });
    const visited: (string | null)[] = [];
    for (let step = 0; step < 4; step += 1) {
      await commands.run('session/next');
      visited.push(stores.ui.getState().openSessionId);
    }
    expect(visited).toEqual(['pin', 'new', 'old', 'old']);
  });
});
