import { expect, test } from 'vitest';
import type { AndironError } from '../../protocol/errors.ts';
import { failureOf, fakeDeps, settle, type Fakes } from '../testing/fakes.ts';
import type { ServeRequest, SetupEdges } from './edges.ts';
import { setupFolders } from './setup-folders.ts';
import { nodeSetupEdges } from './node-edges.ts';
import { createOwnChild } from './own-child.ts';
import type { OwnRecord } from './own-record.ts';

const fresh: OwnRecord = {
  version: '0.40.2',
  previous: null,
  port: null,
  modelsFolder: '/data/ollama/models',
  child: null,
};

interface FakeProcess {
  pid: number;
  request: ServeRequest;
  end(code: number | null): void;
}

const urlOf = ({ env }: ServeRequest): string => `http://${env['OLLAMA_HOST'] ?? ''}`;

/** A machine on which processes are only numbers; each listens at once unless told otherwise. */
function open(changes: Partial<Fakes> = {}, record: Partial<OwnRecord> = {}) {
  const deps = fakeDeps(changes);
  deps.ollama.listensAt.clear();
  const world = {
    record: { ...fresh, ...record } as OwnRecord | null,
    served: [] as FakeProcess[],
    signals: [] as [number, boolean][],
    alive: new Map<number, string | null>(),
    taken: new Set<number>(),
    /** What a new process does. */
    onServe: (child: FakeProcess): void => listen(child),
    onSignal: (child: FakeProcess | undefined, _force: boolean): void => child?.end(null),
    changes: 0,
    givenUp: [] as AndironError[],
    log: 'starting up\nlast words',
  };
  const listen = (child: FakeProcess): void => void deps.ollama.listensAt.add(urlOf(child.request));
  let nextPort = 40_000;
  const edges: SetupEdges = {
    ...nodeSetupEdges,
    files: {
      ...nodeSetupEdges.files,
      makeFolder: () => Promise.resolve(),
      capLog: () => Promise.resolve(),
      readEnd: () => Promise.resolve(world.log),
    },
    processes: {
      ...nodeSetupEdges.processes,
      async serve(request) {
        const pid = 1_000 + world.served.length;
        const exited = Promise.withResolvers<number | null>();
        const child: FakeProcess = {
          pid,
          request,
          end(code) {
            world.alive.delete(pid);
            deps.ollama.listensAt.delete(urlOf(request));
            exited.resolve(code);
          },
        };
        world.alive.set(pid, `born ${String(pid)}`);
        world.served.push(child);
        world.onServe(child);
        return { pid, exited: exited.promise };
      },
      end(pid, force) {
        world.signals.push([pid, force]);
        world.onSignal(
          world.served.find((child) => child.pid === pid),
          force,
        );
      },
      isAlive: (pid) => world.alive.has(pid),
      identity: (pid) => world.alive.get(pid) ?? null,
      identityOfNew: (pid) => world.alive.get(pid) ?? null,
      async freePort(wanted) {
        if (wanted !== null && !world.taken.has(wanted)) return wanted;
        nextPort += 1;
        return nextPort;
      },
    },
  };
  const child = createOwnChild(deps, edges, {
    records: { own: () => world.record, setOwn: (own) => (world.record = own) },
    folders: setupFolders('linux', '/data/engine.json'),
    program: () => Promise.resolve('/data/ollama/versions/0.40.2/bin/ollama'),
    keepsPartials: () => false,
    onChange: () => (world.changes += 1),
    onGivenUp: (failure) => world.givenUp.push(failure),
  });
  return { deps, world, child, listen, clock: deps.clock };
}

test('it is started on a free port of loopback, which is kept with its process', async () => {
  const { world, child } = open();
  await child.start();
  expect(child.isAlive()).toBe(true);
  expect(world.record).toMatchObject({ port: 40_001, child: { pid: 1_000, identity: 'born 1000' } });
  expect(world.served[0]?.request).toMatchObject({
    command: '/data/ollama/versions/0.40.2/bin/ollama',
    args: ['serve'],
    env: { OLLAMA_HOST: '127.0.0.1:40001', OLLAMA_MODELS: '/data/ollama/models' },
    logFile: '/data/logs/ollama.log',
  });
});

test('started again, it keeps its port; asked twice, it is started once', async () => {
  const { world, child } = open({}, { port: 41_000 });
  await Promise.all([child.start(), child.start()]);
  await child.start();
  expect(world.record?.port).toBe(41_000);
  expect(world.served).toHaveLength(1);
});

test('when somebody takes the port in the last moment, it gets another one', async () => {
  const { world, child, listen } = open({}, { port: 41_000 });
  world.onServe = (started) => {
    if (world.served.length === 1) started.end(1);
    else listen(started);
  };
  await child.start();
  expect(world.record?.port).toBe(40_001);
  expect(child.isAlive()).toBe(true);
});

test('a program that ends at once is not tried for ever, and its last words are told', async () => {
  const { world, child, clock } = open();
  world.onServe = (started) => started.end(127);
  const failed = failureOf(child.start());
  await clock.advance(10_000);
  expect(await failed).toMatchObject({
    code: 'engine_unavailable',
    message: expect.stringContaining('last words'),
    advice: expect.stringContaining('/data/logs/ollama.log'),
  });
  expect(world.served).toHaveLength(2);
  expect(child.isAlive()).toBe(false);
  await clock.advance(600_000);
  expect(world.served).toHaveLength(2);
});

test('one that never answers is ended after a minute', async () => {
  const { world, child, clock } = open();
  world.onServe = () => undefined;
  const failed = failureOf(child.start());
  await clock.advance(61_000);
  expect(await failed).toMatchObject({ message: expect.stringContaining('minute') });
  expect(world.signals).toEqual([[1_000, false]]);
  expect(child.isAlive()).toBe(false);
});

test('one that dies is started again, later each time, and given up in the end', async () => {
  const { world, child, clock } = open();
  await child.start();
  const startedAfter: number[] = [];
  for (const ms of [1_000, 2_000, 5_000, 10_000, 30_000]) {
    world.served.at(-1)?.end(2);
    await clock.advance(ms - 1);
    startedAfter.push(world.served.length);
    expect(child.isComing()).toBe(true);
    await clock.advance(1);
  }
  expect(startedAfter).toEqual([1, 2, 3, 4, 5]);
  expect(child.isAlive()).toBe(true);
  world.served.at(-1)?.end(2);
  await clock.advance(600_000);
  expect(world.served).toHaveLength(6);
  expect(world.givenUp).toMatchObject([{ message: expect.stringContaining('again and again') }]);
  await child.start();
  expect(child.isAlive()).toBe(true);
});

test('one that hangs is ended and started again, as one that died', async () => {
  const { world, child, clock } = open();
  await child.start();
  for (const ms of [1_000, 2_000, 5_000, 10_000, 30_000]) {
    await child.hung();
    await clock.advance(ms);
  }
  expect(world.served).toHaveLength(6);
  expect(child.isAlive()).toBe(true);
  await child.hung();
  await clock.advance(600_000);
  expect(world.served).toHaveLength(6);
  expect(world.givenUp).toMatchObject([{ message: expect.stringContaining('again and again') }]);
});

test('one that hangs so badly that nothing ends it is left behind, and another one runs at another port', async () => {
  const { deps, world, child, clock } = open();
  await child.start();
  world.onSignal = () => undefined;
  deps.ollama.listensAt.clear();
  world.taken.add(40_001);
  const ended = child.hung();
  await clock.advance(12_000);
  await ended;
  expect(world.signals).toEqual([
    [1_000, false],
    [1_000, true],
  ]);
  await clock.advance(15_000);
  expect(world.record).toMatchObject({ port: 40_002, child: { pid: 1_001 } });
  expect(child.isAlive()).toBe(true);
});

test('one that is only starting has its own limit, and does not hang', async () => {
  const { world, child, clock, listen } = open();
  world.onServe = () => undefined;
  const started = child.start();
  await settle();
  await child.hung();
  expect(world.signals).toEqual([]);
  world.served.forEach(listen);
  await clock.advance(1_000);
  await started;
});

test('deaths that lie far apart are not counted together', async () => {
  const { world, child, clock } = open();
  await child.start();
  for (let death = 0; death < 12; death += 1) {
    world.served.at(-1)?.end(2);
    await clock.advance(11 * 60_000);
  }
  expect(child.isAlive()).toBe(true);
  expect(world.givenUp).toEqual([]);
});

test('it is asked to end, and made to when it does not listen', async () => {
  const { world, child, clock } = open();
  await child.start();
  world.onSignal = (started, force) => force && started?.end(null);
  const stopped = child.stop();
  await clock.advance(9_999);
  expect(world.signals).toEqual([[1_000, false]]);
  await clock.advance(1);
  await stopped;
  expect(world.signals).toEqual([
    [1_000, false],
    [1_000, true],
  ]);
  expect(world.record?.child).toBeNull();
  await clock.advance(600_000);
  expect(world.served).toHaveLength(1);
});

test('stopped while it starts, it is ended and does not come back', async () => {
  const { world, child, clock } = open();
  world.onServe = () => undefined;
  const failed = failureOf(child.start());
  await settle();
  const stopped = child.stop();
  await clock.advance(1_000);
  await stopped;
  expect(await failed).toMatchObject({ code: 'cancelled' });
  expect(world.alive.size).toBe(0);
  await clock.advance(600_000);
  expect(world.served).toHaveLength(1);
});

test('on Windows, where nothing asks politely, it is ended at once', async () => {
  const base = fakeDeps();
  const { world, child } = open({ machine: { ...base.machine, platform: 'win32' } });
  await child.start();
  await child.stop();
  expect(world.signals).toEqual([[1_000, true]]);
});

const left = { port: 41_000, child: { pid: 77, identity: 'born 77' } };

test('one that an Andiron left behind is used on, and ended with this one', async () => {
  const { deps, world, child, clock } = open({}, left);
  world.alive.set(77, 'born 77');
  deps.ollama.listensAt.add('http://127.0.0.1:41000');
  await child.start();
  expect(world.served).toEqual([]);
  expect(child.isAlive()).toBe(true);
  world.onSignal = () => world.alive.delete(77);
  const stopped = child.stop();
  await clock.advance(1_000);
  await stopped;
  expect(world.signals).toEqual([[77, false]]);
});

test('one that was left behind and dies is noticed and started again', async () => {
  const { deps, world, child, clock } = open({}, left);
  world.alive.set(77, 'born 77');
  deps.ollama.listensAt.add('http://127.0.0.1:41000');
  await child.start();
  world.alive.delete(77);
  deps.ollama.listensAt.clear();
  await clock.advance(2_000);
  expect(world.served).toHaveLength(1);
  expect(child.isAlive()).toBe(true);
});

test('one that was left behind and does not answer is ended, and another is started', async () => {
  const { world, child, clock } = open({}, left);
  world.alive.set(77, 'born 77');
  world.onSignal = () => world.alive.delete(77);
  const started = child.start();
  await clock.advance(1_000);
  await started;
  expect(world.signals).toEqual([[77, false]]);
  expect(world.served).toHaveLength(1);
});

test("somebody else's process with the number of ours is never touched", async () => {
  const { world, child } = open({}, left);
  world.alive.set(77, 'born later');
  await child.start();
  await child.stop();
  expect(world.signals).toEqual([[1_000, false]]);
  expect(world.alive.has(77)).toBe(true);
});

test('where nobody can tell whose it is, what does not answer as ours is not touched', async () => {
  const { world, child } = open({}, { port: 41_000, child: { pid: 77, identity: null } });
  world.alive.set(77, null);
  await child.start();
  expect(world.signals).toEqual([]);
  expect(world.served).toHaveLength(1);
});
