import { expect, test, vi } from 'vitest';
import type { DesktopBridge } from '../../protocol/desktop.ts';
import { aModel, anEngine, aProfile, aSession } from '../testing/fixtures.ts';
import { openTestWindow, type TestWindow } from '../testing/window-kit.tsx';

async function open(desktop: DesktopBridge | null = null): Promise<TestWindow> {
  const window = await openTestWindow(desktop);
  const planner = aProfile({ id: 'planner', name: 'Planner' });
  window.stores.host.setState({
    profiles: [aProfile(), planner],
    defaults: { profileId: 'developer', workspace: '/w' },
  });
  window.stores.engine.setState({ engine: anEngine({ models: [aModel()] }) });
  return window;
}

test('the first task runs on a fresh copy, with the profile that was named and the model that was chosen', async () => {
  const { host, stores, commands } = await open();
  stores.ui.setState({ openSessionId: 'session_9', newSession: { model: 'qwen3:8b' } });
  host
    .answer('sample/copy', () => ({ workspace: '/data/first-tasks/bookbox' }))
    .answer('session/create', () => ({ session: aSession({ id: 'session_1' }) }))
    .answer('session/update', () => ({ session: aSession({ id: 'session_1' }) }))
    .answer('turn/start', () => ({ turnId: 'turn_1', queued: false }));
  expect(await commands.run('first-run/run-task', { text: 'Write it.', profileId: 'planner' })).toBe(true);
  expect(host.last('session/create')).toEqual({
    workspace: '/data/first-tasks/bookbox',
    profileId: 'planner',
  });
  expect(host.last('session/update')).toEqual({ sessionId: 'session_1', model: 'qwen3:8b' });
  expect(host.last('turn/start')).toMatchObject({ sessionId: 'session_1', text: 'Write it.' });
  expect(stores.ui.getState().firstRun).toMatchObject({ shown: 'auto', done: ['task'], task: 'session_1' });
  expect(stores.ui.getState().focus.target).toBe('composer');
});

test('a copy that cannot be made is told, and no session begins', async () => {
  const { host, stores, commands } = await open();
  host.answer('sample/copy', () => new Error('The disk is full.'));
  expect(await commands.run('first-run/run-task', { text: 'Write it.', profileId: 'planner' })).toBe(false);
  expect(host.count('session/create')).toBe(0);
  expect(stores.ui.getState().notices.at(-1)?.message).toContain('The disk is full.');
});

test('an own folder is picked on the desktop, for a new session', async () => {
  const chooseFolder = vi.fn<DesktopBridge['chooseFolder']>(() => Promise.resolve('/home/anna/project'));
  const { stores, commands } = await open({ chooseFolder } as unknown as DesktopBridge);
  stores.ui.setState({ openSessionId: 'session_1' });
  await commands.run('first-run/own-folder');
  expect(chooseFolder).toHaveBeenCalledTimes(1);
  expect(stores.ui.getState()).toMatchObject({
    openSessionId: null,
    newSession: { workspace: '/home/anna/project' },
  });
});

test('in a browser its path is asked for', async () => {
  const { stores, commands } = await open();
  await commands.run('first-run/own-folder');
  expect(stores.ui.getState().focus.target).toBe('folder');
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
