import { expect, test } from 'vitest';
import type { BridgeProcess } from './kept-bridge.ts';
import { createKeptBridges } from './kept-bridges.ts';
import { silentLog } from './log.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function keptBridges() {
  const happened: string[] = [];
  const exits: (() => void)[] = [];
  let started = 0;
  const spawn = (): BridgeProcess<string> => {
    const n = (started += 1);
    return {
      post: (message) =>
        void happened.push(
          `${String(n)} ${message.type}${message.type === 'init' ? ` ${JSON.stringify(message.settings)}` : ''}`,
        ),
      connect: (port) => void happened.push(`${String(n)} gets ${port}`),
      onMessage: () => undefined,
      onExit: (listener) => void exits.push(() => listener(0)),
      kill: () => undefined,
    };
  };
  const bridges = createKeptBridges<string>({
    spawn,
    openHost: (platform) => `the host as ${platform}`,
    clock: { monotonic: () => 0, after: () => ({ cancel: () => undefined }) },
    log: silentLog,
    onState: (id, { state }) => void happened.push(`${id} is ${state}`),
  });
  return { bridges, happened, exits };
}

test('each wanted bridge is started once, with a connection of its own platform', async () => {
  const { bridges, happened } = keptBridges();
  bridges.want([{ id: 'telegram', settings: 1 }]);
  bridges.want([{ id: 'telegram', settings: 1 }]);
  await settled();
  expect(happened).toEqual(['telegram is starting', '1 init 1', '1 gets the host as telegram']);
});

test('other settings end a bridge before the next one of its platform starts', async () => {
  const { bridges, happened, exits } = keptBridges();
  bridges.want([{ id: 'telegram', settings: 1 }]);
  bridges.want([{ id: 'telegram', settings: 2 }]);
  await settled();
  expect(happened.at(-1)).toBe('1 stop');
  exits[0]?.();
  await settled();
  expect(happened.slice(4)).toEqual([
    'telegram is off',
    'telegram is starting',
    '2 init 2',
    '2 gets the host as telegram',
  ]);
});

test('a host that comes back is given to each bridge, and hears how each is', async () => {
  const { bridges, happened } = keptBridges();
  bridges.want([{ id: 'webhook', settings: 1 }]);
  await settled();
  bridges.hostReady();
  expect(happened.slice(3)).toEqual(['1 gets the host as webhook', 'webhook is starting']);
});

test('a stop ends all of them, and none is started any more', async () => {
  const { bridges, happened, exits } = keptBridges();
  bridges.want([{ id: 'webhook', settings: 1 }]);
  await settled();
  const stopped = bridges.stop();
  bridges.want([{ id: 'telegram', settings: 1 }]);
  await settled();
  exits[0]?.();
  await stopped;
  await settled();
  expect(happened.at(-1)).toBe('webhook is off');
});
