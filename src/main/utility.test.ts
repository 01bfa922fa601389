import { beforeEach, expect, test } from 'vitest';
import { electron, resetElectron, type FakeUtilityProcess } from '../../test/helpers/electron-stub.ts';
import { simAddress } from '../platform/demo.ts';
import { silentLog } from '../platform/log.ts';
import { forkUtilityHost, forkUtilitySim, runUtility } from './utility.ts';

beforeEach(resetElectron);

function child(): FakeUtilityProcess {
  const process = electron.utilities.at(-1);
  if (!process) throw new Error('no utility process was started');
  return process;
}

test('the line that an entry prints is the result, and then it is ended', async () => {
  const result = runUtility('/out/inventory.js', 60_000, silentLog);
  expect(child().entry).toBe('/out/inventory.js');
  child().stdout?.write('{"gpus"');
  child().stdout?.write(':[]}\n');
  expect(await result).toBe('{"gpus":[]}');
  expect(child().killed).toBe(true);
});

test('an entry that ends without a line is an error', async () => {
  const result = runUtility('/out/inventory.js', 60_000, silentLog);
  child().emit('exit', 3);
  await expect(result).rejects.toThrow(/code 3/);
});

test('an entry that takes too long is killed', async () => {
  await expect(runUtility('/out/inventory.js', 0, silentLog)).rejects.toThrow(/longer than 0 ms/);
  expect(child().killed).toBe(true);
});

test('a host that runs out of memory throws nothing here, and its end is told', () => {
  const ends: unknown[] = [];
  forkUtilityHost('/out/host.js', silentLog).onExit((code) => ends.push(code));
  child().emit('error', 'FatalError', 'heap', '{}');
  child().emit('exit', 5);
  expect(ends).toEqual([5]);
});

test('a host that never got a process is gone once it is killed', () => {
  const ends: unknown[] = [];
  const host = forkUtilityHost('/out/host.js', silentLog);
  host.onExit((code) => ends.push(code));
  child().launches = false;
  host.kill();
  host.kill();
  expect(ends).toEqual([null]);
});

test('the simulated engine is a child like any other and says where it is', async () => {
  const address = simAddress(forkUtilitySim('/out/sim.js', silentLog));
  child().stdout?.write('{"ready":true,"url":"http://127.0.0.1:9"}\n');
  expect(await address).toEqual({ url: 'http://127.0.0.1:9', runnersUrl: null });
});

test('a simulated engine that cannot start is an error', async () => {
  const address = simAddress(forkUtilitySim('/out/sim.js', silentLog));
  child().emit('exit', 1);
  await expect(address).rejects.toThrow(/ended at once/);
});
