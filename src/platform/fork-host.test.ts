import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { forkHost, type ForkedHost } from './fork-host.ts';
import type { FromHost, HostInit } from './host-channel.ts';
import { silentLog } from './log.ts';
import type { Pipe } from './pipe.ts';

const entry = fileURLToPath(new URL('../../test/helpers/echo-host.ts', import.meta.url));
const init: HostInit = { dataDir: '/data', workspace: '/work', resourcesDir: '/resources' };

const hosts: ForkedHost[] = [];
afterEach(() => {
  for (const host of hosts.splice(0)) host.kill();
});

function start(workspace = init.workspace) {
  const host = forkHost(entry, silentLog);
  hosts.push(host);
  const exited = new Promise<number | null>((resolve) => {
    host.onExit(resolve);
  });
  const said: FromHost[] = [];
  const waiting: (() => void)[] = [];
  host.onMessage((message) => {
    said.push(message);
    for (const look of waiting.splice(0)) look();
  });
  const hears = async (type: FromHost['type']): Promise<FromHost> => {
    for (;;) {
      const found = said.find((message) => message.type === type);
      if (found) return found;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  host.post({ type: 'init', init: { ...init, workspace } });
  return { host, exited, hears };
}

/** The next `count` frames. */
const frames = (pipe: Pipe, count: number): Promise<unknown[]> =>
  new Promise((resolve) => {
    const heard: unknown[] = [];
    pipe.onFrame((frame) => {
      if (heard.push(frame) === count) resolve(heard);
    });
  });

test('a forked host becomes ready, answers pings and serves several windows over its one channel', async () => {
  const { host, hears } = start();
  const [a, b] = [host.open('window'), host.open('window')];
  a.send(1);
  b.send(2);
  expect(await Promise.all([frames(a, 2), frames(b, 2)])).toEqual([
    [{ you: 'window' }, { echo: 1 }],
    [{ you: 'window' }, { echo: 2 }],
  ]);
  host.post({ type: 'ping' });
  await hears('ready');
  await hears('pong');
});

test('the host is the client of the engine connection', async () => {
  const { host, hears } = start();
  const engine = host.open('engine');
  expect(await frames(engine, 1)).toEqual([{ from: 'host' }]);
  engine.send('busy');
  expect(await hears('activity')).toEqual({ type: 'activity', runningTurns: 1 });
});

test('a host that cannot start says why', async () => {
  const { hears } = start('/refused');
  expect(await hears('failed')).toEqual({
    type: 'failed',
    message: 'No such workspace.',
    advice: 'The log has the details.',
  });
});

test('a message that cannot be written is lost alone, and its sender goes on (audit-S12)', async () => {
  const { host } = start();
  const window = host.open('window');
  const answers = frames(window, 2);
  const deep: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
  expect(() => window.send(deep)).not.toThrow();
  window.send('after');
  expect(await answers).toEqual([{ you: 'window' }, { echo: 'after' }]);
});

test('asked to stop, it exits by itself', async () => {
  const { host, exited, hears } = start();
  await hears('ready');
  host.post({ type: 'stop' });
  expect(await exited).toBe(0);
});

test('when it dies its connections close and the exit is told', async () => {
  const { host, exited, hears } = start();
  await hears('ready');
  const window = host.open('window');
  const closed = new Promise<void>((resolve) => window.onClose(resolve));
  window.send('die');
  await closed;
  expect(await exited).toBe(7);
  host.post({ type: 'ping' });
});
