import { expect, test } from 'vitest';
import type { FromBridge, ToBridge } from './bridge-channel.ts';
import type { Timer } from './clock.ts';
import { KeptBridge, type BridgeProcess, type BridgeState } from './kept-bridge.ts';
import { silentLog } from './log.ts';

interface FakeProcess {
  posted: ToBridge[];
  ports: string[];
  killed: boolean;
  say(message: FromBridge): void;
  exit(code: number | null): void;
}

const noop = (): void => undefined;

function keptBridge() {
  const processes: FakeProcess[] = [];
  const states: BridgeState[] = [];
  const pauses: { ms: number; run: () => void; cancelled: boolean }[] = [];
  let now = 0;
  let host: string | null = 'host 1';
  const spawn = (): BridgeProcess<string> => {
    let hear: (message: FromBridge) => void = noop;
    let exit: (code: number | null) => void = noop;
    const fake: FakeProcess = {
      posted: [],
      ports: [],
      killed: false,
      say: (message) => hear(message),
      exit: (code) => exit(code),
    };
    processes.push(fake);
    return {
      post: (message) => void fake.posted.push(message),
      connect: (port) => void fake.ports.push(port),
      onMessage: (listener) => void (hear = listener),
      onExit: (listener) => void (exit = listener),
      kill: () => void (fake.killed = true),
    };
  };
  const bridge = new KeptBridge<string>({
    name: 'telegram',
    settings: { kind: 'telegram' },
    spawn,
    openHost: () => host,
    clock: {
      monotonic: () => now,
      after(ms, run): Timer {
        const pause = { ms, run, cancelled: false };
        pauses.push(pause);
        return { cancel: () => void (pause.cancelled = true) };
      },
    },
    log: silentLog,
    onState: (state) => void states.push(state),
  });
  return {
    bridge,
    processes,
    states,
    pauses,
    pass: (ms: number) => void (now += ms),
    setHost: (name: string | null) => void (host = name),
    newest: (): FakeProcess => processes.at(-1) as FakeProcess,
  };
}

test('a bridge is told its settings and given the host, and each later host', () => {
  const { bridge, newest, setHost, states } = keptBridge();
  bridge.start();
  expect(newest().posted).toEqual([{ type: 'init', settings: { kind: 'telegram' } }]);
  setHost(null);
  bridge.hostReady();
  setHost('host 2');
  bridge.hostReady();
  newest().say({ type: 'listening', at: '@bot' });
  expect(newest().ports).toEqual(['host 1', 'host 2']);
  expect(states).toEqual([{ state: 'starting' }, { state: 'listening', at: '@bot' }]);
});

test('a bridge that ends is started again after a pause that doubles, and given up after six ends in a row', () => {
  const { bridge, newest, pauses, processes, states } = keptBridge();
  bridge.start();
  for (let end = 0; end < 6; end += 1) {
    newest().exit(1);
    pauses[end]?.run();
  }
  expect(pauses.map(({ ms }) => ms)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
  expect(processes).toHaveLength(6);
  expect(states.at(-1)).toMatchObject({ state: 'failed', message: 'It ended 6 times in a row.' });
});

test('a bridge that worked for a minute before it ended begins with the first pause again', () => {
  const { bridge, newest, pass, pauses } = keptBridge();
  bridge.start();
  newest().exit(1);
  pauses[0]?.run();
  pass(60_000);
  newest().exit(1);
  expect(pauses.map(({ ms }) => ms)).toEqual([1_000, 1_000]);
});

test('a bridge that says that it cannot work is not started again', () => {
  const { bridge, newest, pauses, states } = keptBridge();
  bridge.start();
  newest().say({ type: 'failed', message: 'No.', advice: 'Do this.' });
  expect(newest().killed).toBe(true);
  newest().exit(null);
  expect(pauses).toEqual([]);
  expect(states.at(-1)).toEqual({ state: 'failed', message: 'No.', advice: 'Do this.' });
});

test('a bridge is asked to stop, killed when it does not, and not started again', async () => {
  const { bridge, newest, pauses, processes, states } = keptBridge();
  bridge.start();
  const stopped = bridge.stop();
  expect(newest().posted.at(-1)).toEqual({ type: 'stop' });
  expect(pauses.map(({ ms }) => ms)).toEqual([5_000]);
  pauses[0]?.run();
  expect(newest().killed).toBe(true);
  newest().exit(null);
  await stopped;
  bridge.start();
  expect(processes).toHaveLength(1);
  expect(states.at(-1)).toEqual({ state: 'off' });
});

test('a stop in the pause before a restart ends the bridge at once', async () => {
  const { bridge, newest, pauses, states } = keptBridge();
  bridge.start();
  newest().exit(1);
  await bridge.stop();
  expect(pauses[0]?.cancelled).toBe(true);
  expect(states.at(-1)).toEqual({ state: 'off' });
});

test('a connection that its process wants is handed over, and said to be missing where no host is ready', () => {
  const { bridge, newest, setHost } = keptBridge();
  bridge.start();
  setHost('another');
  newest().say({ type: 'want_host' });
  expect(newest().ports).toEqual(['host 1', 'another']);
  setHost(null);
  newest().say({ type: 'want_host' });
  expect(newest().posted.at(-1)).toEqual({ type: 'no_host' });
});
