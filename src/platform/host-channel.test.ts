import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { skippableClock } from '../../test/helpers/skippable-clock.ts';
import type { Clock } from './clock.ts';
import { acceptConnections, HostStartError, type HostHandlers, type HostInit } from './host-channel.ts';
import type { PortLike } from './pipe.ts';
import { hostLimits } from './supervision.ts';

const init: HostInit = { dataDir: '/data', workspace: '/work', resourcesDir: '/resources' };

class FakePort extends EventEmitter implements PortLike {
  started = false;
  posted: unknown[] = [];
  postMessage(message: unknown): void {
    this.posted.push(message);
  }
  start(): void {
    this.started = true;
  }
  close(): void {
    this.emit('close');
  }
}

class FakeParentPort extends EventEmitter {
  posted: unknown[] = [];
  postMessage(message: unknown): void {
    this.posted.push(message);
  }
}

function utilityProcess(handlers: Partial<HostHandlers> = {}, clock?: Pick<Clock, 'after'>) {
  const parentPort = new FakeParentPort();
  const happened: string[] = [];
  const side = Object.assign(new EventEmitter(), {
    parentPort,
    exit: (code: number) => void happened.push(`exit ${String(code)}`),
  });
  const link = acceptConnections(
    {
      onInit: () => Promise.resolve(),
      onEngine: () => happened.push('engine'),
      onWindow: () => happened.push('window'),
      onBridge: (_pipe, platform) => happened.push(`bridge of ${platform}`),
      onBridgeState: (id, { state }) => happened.push(`${id} is ${state}`),
      onStay: () => undefined,
      onPower: (change) => happened.push(change),
      onStop: () => Promise.resolve(void happened.push('stop')),
      ...handlers,
    },
    side,
    clock,
  );
  const tell = (data: unknown, ...ports: PortLike[]): boolean => parentPort.emit('message', { data, ports });
  return { side, parentPort, happened, link, tell };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('in a utility process Ctrl-C is left to the parent, and its kill is not', () => {
  const { side } = utilityProcess();
  // A listener takes the place of the end that the signal would be.
  expect([side.listenerCount('SIGINT'), side.listenerCount('SIGTERM')]).toEqual([1, 0]);
});

test('in a utility process every connection is a port of its own, started at once', async () => {
  const got: unknown[] = [];
  const { tell } = utilityProcess({ onWindow: (pipe) => pipe.onFrame((frame) => got.push(frame)) });
  const port = new FakePort();
  tell({ type: 'init', init });
  await settled();
  tell({ type: 'connect', name: 'window' }, port);
  port.emit('message', { data: 'hello' });
  expect([port.started, got]).toEqual([true, ['hello']]);
});

test('a host that is to stay hears so once it is ready, and at once after that', async () => {
  const stayed: string[] = [];
  const { tell } = utilityProcess({ onStay: () => stayed.push('stays') });
  tell({ type: 'init', init });
  tell({ type: 'stay' });
  expect(stayed).toEqual([]);
  await settled();
  expect(stayed).toEqual(['stays']);
  tell({ type: 'stay' });
  expect(stayed).toEqual(['stays', 'stays']);
});

test('connections that come before the host is ready wait, in order', async () => {
  const { tell, happened, parentPort } = utilityProcess();
  tell({ type: 'init', init });
  tell({ type: 'connect', name: 'engine' }, new FakePort());
  tell({ type: 'connect', name: 'window' }, new FakePort());
  expect(happened).toEqual([]);
  await settled();
  expect(happened).toEqual(['engine', 'window']);
  expect(parentPort.posted).toEqual([{ type: 'ready' }]);
});

test('the keychain of the parent is there from the start, and answers while it starts', async () => {
  const got: unknown[] = [];
  const { tell, parentPort } = utilityProcess({
    onInit: async (_init, keychain) => void got.push(keychain?.name, await keychain?.seal('a key')),
  });
  tell({ type: 'init', init: { ...init, keychain: 'macos' } });
  expect(parentPort.posted).toEqual([{ type: 'keychain', id: 1, act: 'seal', text: 'a key' }]);
  tell({ type: 'keychain', id: 1, text: 'sealed' });
  await settled();
  expect(got).toEqual(['macos', 'sealed']);
});

test('a parent that names no keychain has none', async () => {
  const got: unknown[] = [];
  const { tell } = utilityProcess({ onInit: (_init, keychain) => Promise.resolve(void got.push(keychain)) });
  tell({ type: 'init', init });
  await settled();
  expect(got).toEqual([null]);
});

test('a start failure is told with its advice, and no window is served', async () => {
  const { tell, happened, parentPort } = utilityProcess({
    onInit: () => Promise.reject(new HostStartError('The folder is in use.', 'Close the other one.')),
  });
  tell({ type: 'connect', name: 'window' }, new FakePort());
  tell({ type: 'init', init });
  await settled();
  expect(parentPort.posted).toEqual([
    { type: 'failed', message: 'The folder is in use.', advice: 'Close the other one.' },
  ]);
  expect(happened).toEqual([]);
});

test.each([
  [Object.assign(new Error('The database is damaged.'), { advice: 'Move it away.' }), 'Move it away.'],
  [new TypeError('undefined is not a function'), 'The log has the details.'],
])('whatever says what to do next is passed on: %s', async (cause, advice) => {
  const { tell, parentPort } = utilityProcess({ onInit: () => Promise.reject(cause) });
  tell({ type: 'init', init });
  await settled();
  expect(parentPort.posted).toEqual([{ type: 'failed', message: cause.message, advice }]);
});

test('pings, power changes and activity', async () => {
  const { tell, happened, parentPort, link } = utilityProcess();
  tell({ type: 'ping' });
  tell({ type: 'suspend' });
  tell({ type: 'resume' });
  link.reportActivity(3);
  expect(happened).toEqual(['suspend', 'resume']);
  expect(parentPort.posted).toEqual([{ type: 'pong' }, { type: 'activity', runningTurns: 3 }]);
});

test('it exits after a polite stop, once, even when stopping fails', async () => {
  const { tell, happened } = utilityProcess({ onStop: () => Promise.reject(new Error('disk full')) });
  tell({ type: 'stop' });
  tell({ type: 'stop' });
  await settled();
  expect(happened).toEqual(['exit 1']);
});

test('where the parent is gone the end is ordered before any connection is lost', async () => {
  const happened: string[] = [];
  const side = Object.assign(new EventEmitter(), {
    send: () => true,
    exit: (code: number) => void happened.push(`exit ${String(code)}`),
  });
  const handlers: HostHandlers = {
    onInit: () => Promise.resolve(),
    onEngine: (pipe) => pipe.onClose(() => happened.push('the engine is lost')),
    onWindow: () => undefined,
    onBridge: () => undefined,
    onBridgeState: () => undefined,
    onStay: () => undefined,
    onPower: () => undefined,
    onStop: () => Promise.resolve(void happened.push('stop')),
  };
  acceptConnections(handlers, side);
  side.emit('message', { type: 'init', init });
  side.emit('message', { mux: 'open', id: 1, name: 'engine' });
  await settled();
  side.emit('disconnect');
  await settled();
  expect(happened).toEqual(['stop', 'the engine is lost', 'exit 0']);
});

test('a connection is served as what its name says, and one of another name as nothing (X2)', async () => {
  const happened: string[] = [];
  const messages: unknown[] = [];
  const side = Object.assign(new EventEmitter(), {
    send: (message: unknown) => messages.push(message),
    exit: () => undefined,
  });
  const handlers: HostHandlers = {
    onInit: () => Promise.resolve(),
    onEngine: () => undefined,
    onWindow: () => void happened.push('window'),
    onBridge: (_pipe, platform) => void happened.push(`bridge of ${platform}`),
    onBridgeState: () => undefined,
    onStay: () => undefined,
    onPower: () => undefined,
    onStop: () => Promise.resolve(),
  };
  acceptConnections(handlers, side);
  side.emit('message', { type: 'init', init });
  for (const [id, name] of ['window', 'bridge:telegram', 'windows', 'bridge'].entries())
    side.emit('message', { mux: 'open', id, name });
  await settled();
  expect(happened).toEqual(['window', 'bridge of telegram']);
  expect(messages).toContainEqual({ mux: 'close', id: 2 });
  expect(messages).toContainEqual({ mux: 'close', id: 3 });
});

test('without a parent it does not start', () => {
  const side = Object.assign(new EventEmitter(), { exit: () => undefined });
  const nothing: HostHandlers = {
    onInit: () => Promise.resolve(),
    onEngine: () => undefined,
    onWindow: () => undefined,
    onBridge: () => undefined,
    onBridgeState: () => undefined,
    onStay: () => undefined,
    onPower: () => undefined,
    onStop: () => Promise.resolve(),
  };
  expect(() => acceptConnections(nothing, side)).toThrow(/not by hand/);
});

test('A host that hangs while it stops ends by a limit, as its parent may be gone (desk-F3)', async () => {
  const clock = skippableClock();
  const { tell, happened } = utilityProcess({ onStop: () => new Promise(() => undefined) }, clock);
  tell({ type: 'stop' });
  await settled();
  // Longer than a parent waits that still lives.
  clock.skip(hostLimits.stopMs);
  expect(happened).toEqual([]);
  clock.skip(hostLimits.stopMs * 2);
  expect(happened).toEqual(['exit 1']);
});

test('A host that has stopped well is not ended by the limit too (desk-F3)', async () => {
  const clock = skippableClock();
  const { tell, happened } = utilityProcess({}, clock);
  tell({ type: 'stop' });
  await settled();
  clock.skip(hostLimits.stopMs * 10);
  expect(happened).toEqual(['stop', 'exit 0']);
});
