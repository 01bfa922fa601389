import { beforeEach, expect, test } from 'vitest';
import { electron, resetElectron, type FakeUtilityProcess } from '../../test/helpers/electron-stub.ts';
import { simAddress } from '../platform/demo.ts';
import { silentLog } from '../platform/log.ts';
import { forkUtilityHost, forkUtilitySim, startUtilitySampler } from './utility.ts';

beforeEach(resetElectron);

function child(): FakeUtilityProcess {
  const process = electron.utilities.at(-1);
  if (!process) throw new Error('no utility process was started');
  return process;
}

test('The system readings are asked for by message, and their process ends when it is killed (audit-A13)', () => {
  const sampler = startUtilitySampler('/out/system-sample.js', silentLog);
  const heard: unknown[] = [];
  sampler.onSample((answer) => heard.push(answer));
  sampler.onExit(() => heard.push('ended'));
  sampler.ask();
  expect(child().entry).toBe('/out/system-sample.js');
  expect(child().posted).toEqual([{ message: 'sample', ports: [] }]);
  child().emit('message', { controllers: [] });
  sampler.kill();
  child().emit('exit', 0);
  expect(heard).toEqual([{ controllers: [] }, 'ended']);
});

test('a host that runs out of memory throws nothing here, and its end is told', () => {
  const ends: unknown[] = [];
  forkUtilityHost('/out/host.js', silentLog, {}).onExit((code) => ends.push(code));
  child().emit('error', 'FatalError', 'heap', '{}');
  child().emit('exit', 5);
  expect(ends).toEqual([5]);
});

test('a host that never got a process is gone once it is killed', () => {
  const ends: unknown[] = [];
  const host = forkUtilityHost('/out/host.js', silentLog, {});
  host.onExit((code) => ends.push(code));
  child().launches = false;
  host.kill();
  host.kill();
  expect(ends).toEqual([null]);
});

test('A host that is given up before it has a process is ended when it gets one after all (desk-P17)', async () => {
  const host = forkUtilityHost('/out/host.js', silentLog, {});
  const ends: unknown[] = [];
  host.onExit((code) => ends.push(code));
  host.kill();
  expect([ends, child().killed]).toEqual([[null], false]);
  await new Promise((resolve) => setImmediate(resolve));
  expect([ends, child().killed]).toEqual([[null], true]);
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

test('The agent host inherits the PATH that the person has, and no secret of theirs (desk-F4)', () => {
  forkUtilityHost('/out/host.js', silentLog, { PATH: '/opt/homebrew/bin', API_KEY: 'k' }, { MORE: '1' });
  expect(child().options['env']).toEqual({ PATH: '/opt/homebrew/bin', MORE: '1' });
});

test('No child of the app inherits the folders of an AppImage (desk-F9)', () => {
  const before = { ...process.env };
  Object.assign(process.env, { APPDIR: '/mnt/a', APPIMAGE: '/a.AppImage', PATH: '/mnt/a/bin:/bin' });
  try {
    startUtilitySampler('/out/system-sample.js', silentLog);
    expect(child().options['env']).toMatchObject({ PATH: '/bin' });
    expect(child().options['env']).not.toHaveProperty('APPDIR');
  } finally {
    for (const name of ['APPDIR', 'APPIMAGE']) delete process.env[name];
    Object.assign(process.env, before);
  }
});
