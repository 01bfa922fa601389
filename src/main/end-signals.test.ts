import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { onEndSignal } from './end-signals.ts';

const names = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

test.each<[NodeJS.Platform, number]>([
  ['linux', 6],
  ['darwin', 6],
  ['win32', 0],
])('On %s each signal that asks the process to end is heard each time (desk-F14)', (platform, heard) => {
  const process = Object.assign(new EventEmitter(), { platform });
  let times = 0;
  onEndSignal(process, () => (times += 1));
  // Electron's own would let the second one kill.
  for (const name of [...names, ...names]) process.emit(name);
  expect(times).toBe(heard);
});
