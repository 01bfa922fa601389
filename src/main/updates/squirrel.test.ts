import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { skippableClock } from '../../../test/helpers/skippable-clock.ts';
import { silentLog } from '../../platform/log.ts';
import { awaitSquirrel } from './squirrel.ts';
import { startUpdates, type UpdateCheck, type Updates } from './updates.ts';

const clock = skippableClock();
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function start(native: EventEmitter, check: UpdateCheck['checkForUpdates'] = found): Updates {
  return startUpdates({
    updater: () => Promise.resolve(awaitSquirrel({ checkForUpdates: check }, native, clock)),
    isEnabled: () => false,
    runningTurns: () => 0,
    quitToInstall: () => undefined,
    onState: () => undefined,
    clock,
    log: silentLog,
  });
}
const available = { isUpdateAvailable: true, updateInfo: { version: '0.2.0' } };
const found: UpdateCheck['checkForUpdates'] = () =>
  Promise.resolve({ ...available, downloadPromise: Promise.resolve() });
const heard = (native: EventEmitter): number =>
  native.listenerCount('error') + native.listenerCount('update-downloaded');

test('On a Mac an update is ready only once the system has accepted it', async () => {
  const native = new EventEmitter();
  const updates = start(native);
  const checked = updates.check();
  await settled();
  expect(updates.state().kind).toBe('downloading');
  native.emit('update-downloaded');
  expect(await checked).toEqual({ kind: 'ready', version: '0.2.0' });
  expect(heard(native)).toBe(0);
});

test('On a Mac an answer that comes before the last byte was counted is not missed', async () => {
  const native = new EventEmitter();
  const updates = start(native, () => {
    native.emit('update-downloaded');
    return found();
  });
  expect((await updates.check()).kind).toBe('ready');
});

test.each([
  ['refuses it', (native: EventEmitter) => native.emit('error', new Error('Code signature did not pass'))],
  ['never answers', () => clock.skip(5 * 60_000)],
])('On a Mac an update fails in one sentence when the system %s', async (_name, answer) => {
  const native = new EventEmitter();
  const updates = start(native);
  const checked = updates.check();
  await settled();
  answer(native);
  expect(await checked).toEqual({
    kind: 'failed',
    message: "macOS didn't accept the update, so this version stays. The log has the details.",
  });
  expect(updates.restart()).toBe(false);
  expect(heard(native)).toBe(0);
});

test.each<[string, UpdateCheck['checkForUpdates'], string]>([
  ['there is none', () => Promise.resolve({ ...available, isUpdateAvailable: false }), 'current'],
  ['the check fails', () => Promise.reject(new Error('x')), 'failed'],
  [
    'the download fails',
    () => Promise.resolve({ ...available, downloadPromise: Promise.reject(new Error('x')) }),
    'failed',
  ],
])('On a Mac nobody waits for the system when %s', async (_name, check, kind) => {
  const native = new EventEmitter();
  expect((await start(native, check).check()).kind).toBe(kind);
  expect(heard(native)).toBe(0);
});
