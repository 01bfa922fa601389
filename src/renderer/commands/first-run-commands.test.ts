import { expect, test } from 'vitest';
import { aModel, anEngine, aProfile, aSession } from '../testing/fixtures.ts';
import { openTestWindow, type TestWindow } from '../testing/window-kit.tsx';

async function open(): Promise<TestWindow> {
  const window = await openTestWindow();
  const planner = aProfile({ id: 'planner', name: 'Planner' });
  window.stores.host.setState({
    profiles: [aProfile(), planner],
    defaults: { profileId: 'developer', workspace: '/w' },
  });
  window.stores.engine.setState({ engine: anEngine({ models: [aModel()] }) });
  return window;
}

test('the first task begins a session in its folder with the model that was chosen', async () => {
  const { host, stores, commands } = await open();
  stores.ui.setState({ openSessionId: null, newSession: { workspace: '/home/ada/kiln', model: 'qwen3:8b' } });
  host
    .answer('session/create', () => ({ session: aSession({ id: 'session_1' }) }))
    .answer('session/update', () => ({ session: aSession({ id: 'session_1' }) }))
    .answer('turn/start', () => ({ turnId: 'turn_1', queued: false }));
  expect(await commands.run('first-run/start', { text: 'Explain it.' })).toBe(true);
  expect(host.last('session/create')).toEqual({ workspace: '/home/ada/kiln' });
  expect(host.last('session/update')).toEqual({ sessionId: 'session_1', model: 'qwen3:8b' });
  expect(host.last('turn/start')).toMatchObject({ sessionId: 'session_1', text: 'Explain it.' });
  expect(stores.ui.getState().firstRun.done).toEqual(['task']);
});

test('the sample project is a fresh copy, and the folder of the first session', async () => {
  const { host, stores, commands } = await open();
  stores.ui.setState({ newSession: { model: 'qwen3:8b' } });
  host.answer('sample/copy', () => ({ workspace: '/data/first-tasks/bookbox' }));
  await commands.run('first-run/sample-folder');
  expect(stores.ui.getState().newSession).toEqual({
    model: 'qwen3:8b',
    workspace: '/data/first-tasks/bookbox',
  });
});

test('a copy that cannot be made is told, and no folder is chosen', async () => {
  const { host, stores, commands } = await open();
  host.answer('sample/copy', () => new Error('The disk is full.'));
  expect(await commands.run('first-run/sample-folder')).toBe(false);
  expect(stores.ui.getState().newSession).toEqual({});
  expect(stores.ui.getState().notices.at(-1)?.message).toContain('The disk is full.');
});

test('a task that is taken back is a draft of its session', async () => {
  const { host, stores, commands } = await open();
  stores.ui.setState({ openSessionId: 'session_1' });
  host.answer('turn/stop', () => ({}));
  await commands.run('first-run/take-back', { turnId: 'turn_1', text: 'Explain it.' });
  expect(host.last('turn/stop')).toEqual({ sessionId: 'session_1', turnId: 'turn_1' });
  expect(stores.ui.getState().drafts).toEqual({ session_1: 'Explain it.' });
});

test('it can be left at any time, and opened again with what was done still done', async () => {
  const { stores, commands } = await open();
  await commands.run('first-run/step-done', { step: 'tour' });
  await commands.run('first-run/leave');
  expect(stores.ui.getState().firstRun).toMatchObject({ shown: 'left', done: ['tour'] });
  stores.ui.setState({ openSessionId: 'session_1', view: 'settings' });
  await commands.run('first-run/open');
  expect(stores.ui.getState()).toMatchObject({ openSessionId: null, view: 'session' });
  expect(stores.ui.getState().firstRun).toMatchObject({ shown: 'open', done: ['tour'] });
});

test('an exam is taken under the profile that the next session begins with', async () => {
  const { host, stores, commands } = await open();
  stores.ui.setState({ newSession: { profileId: 'planner' } });
  host.answer('exam/begin', () => ({}));
  await commands.run('exam/begin', { model: 'qwen3:8b' });
  expect(host.last('exam/begin')).toEqual({ model: 'qwen3:8b', profileId: 'planner' });
});
