import { beforeEach, expect, test } from 'vitest';
import { electron, resetElectron, type FakeUtilityProcess } from '../../test/helpers/electron-stub.ts';
import { simAddress } from '../platform/demo.ts';
import { forkUtilitySim, runUtility } from './utility.ts';

beforeEach(resetElectron);

function child(): FakeUtilityProcess {
  const process = electron.utilities.at(-1);
  if (!process) throw new Error('no utility process was started');
  return process;
}

test('an entry runs to its end, and what it printed is the result', async () => {
  const result = runUtility('/out/inventory.js', 60_000);
  expect(child().entry).toBe('/out/inventory.js');
  child().stdout?.write('{"gpus"');
  child().stdout?.end(':[]}');
  await new Promise((resolve) => child().stdout?.once('end', resolve));
  child().emit('exit', 0);
  expect(await result).toBe('{"gpus":[]}');
});

test('an entry that fails is an error', async () => {
  const result = runUtility('/out/inventory.js', 60_000);
  child().emit('exit', 3);
  await expect(result).rejects.toThrow(/code 3/);
});

test('an entry that takes too long is killed', async () => {
  await expect(runUtility('/out/inventory.js', 0)).rejects.toThrow(/longer than 0 ms/);
  expect(child().killed).toBe(true);
});

test('the simulated engine is a child like any other and says where it is', async () => {
  const address = simAddress(forkUtilitySim('/out/sim.js'));
  child().stdout?.write('{"ready":true,"url":"http://127.0.0.1:9"}\n');
  expect(await address).toBe('http://127.0.0.1:9');
});

test('a simulated engine that cannot start is an error', async () => {
  const address = simAddress(forkUtilitySim('/out/sim.js'));
  child().emit('exit', 1);
  await expect(address).rejects.toThrow(/ended at once/);
});
