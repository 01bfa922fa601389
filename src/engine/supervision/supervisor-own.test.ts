import { expect, test } from 'vitest';
import { fakeFiles } from '../testing/fakes.ts';
import { openSupervisor } from '../testing/open-supervisor.ts';
import type { OwnHost } from './supervisor.ts';

const usual = 'http://127.0.0.1:11434';
const ours = 'http://127.0.0.1:40000';

function ownHost() {
  const own = { alive: false, coming: false, started: 0, hung: 0 };
  const host: OwnHost = {
    look: () => ({
      url: ours,
      program: '/data/ollama',
      alive: own.alive,
      coming: own.coming,
      hint: 'Read its log.',
    }),
    async start() {
      own.started += 1;
      own.alive = true;
    },
    async hung() {
      own.hung += 1;
    },
  };
  return { own, host };
}

/** In use until it falls silent; `hang` does that for so long. */
async function withOwnInUse() {
  const { own, host } = ownHost();
  own.alive = true;
  const house = openSupervisor({}, host);
  const { ollama, clock } = house.deps;
  ollama.listensAt = new Set([ours]);
  await house.supervisor.look();
  const hang = async (ms: number): Promise<void> => {
    ollama.silent = true;
    void house.supervisor.look();
    await clock.advance(ms);
  };
  return { ...house, own, hang };
}

test('our own child is used before the usual address, and called our own', async () => {
  const { own, host } = ownHost();
  own.alive = true;
  const { deps, supervisor, status } = openSupervisor({}, host);
  deps.ollama.listensAt.add(ours);
  await supervisor.look();
  expect(status()).toMatchObject({ kind: 'running', url: ours, own: true });
});

test('who answers at our port without our child is a stranger, and not used', async () => {
  const { deps, supervisor, status, standings } = openSupervisor({}, ownHost().host);
  deps.ollama.listensAt = new Set([ours]);
  await supervisor.look();
  expect(status()).toEqual({
    kind: 'stopped',
    program: '/data/ollama',
    canStart: true,
    startHint: 'Read its log.',
  });
  expect(standings()).toEqual([`${ours} silent`, `${usual} silent`]);
});

test('a child of ours that does not answer yet is starting, and asked often', async () => {
  const { own, host } = ownHost();
  own.alive = true;
  const { deps, supervisor, status } = openSupervisor({}, host);
  deps.ollama.listensAt.clear();
  await supervisor.look();
  expect(status().kind).toBe('starting');
  deps.ollama.listensAt.add(ours);
  await deps.clock.advance(500);
  expect(status()).toMatchObject({ kind: 'running', url: ours });
});

test('start starts what was set up here, not another program', async () => {
  const { own, host } = ownHost();
  const { deps, supervisor, status } = openSupervisor({ files: fakeFiles({ '/usr/bin/ollama': '' }) }, host);
  deps.ollama.listensAt = new Set([ours]);
  await supervisor.look();
  await supervisor.start();
  expect(own.started).toBe(1);
  expect(deps.processes.launched).toEqual([]);
  expect(status()).toMatchObject({ kind: 'running', url: ours });
});

test('a child of ours that says nothing for a minute hangs, and that is said once a minute', async () => {
  const { own, hang, deps } = await withOwnInUse();
  await hang(58_000);
  expect(own.hung).toBe(0);
  await deps.clock.advance(8_000);
  expect(own.hung).toBe(1);
  await deps.clock.advance(50_000);
  expect(own.hung).toBe(1);
});

test('a child of ours that lives and refuses connections hangs too', async () => {
  const { own, deps, supervisor } = await withOwnInUse();
  deps.ollama.listensAt.clear();
  void supervisor.look();
  await deps.clock.advance(66_000);
  expect(own.hung).toBe(1);
});

test('a child of ours that hangs is noticed while another host is used', async () => {
  const { own, hang, deps, status } = await withOwnInUse();
  deps.ollama.listensAt.add(usual);
  const answer = deps.ollama.version.bind(deps.ollama);
  deps.ollama.version = (url, signal) => (url === ours ? new Promise(() => undefined) : answer(url, signal));
  await hang(0);
  deps.ollama.silent = false;
  await deps.clock.advance(150_000);
  expect(status()).toMatchObject({ kind: 'running', url: usual });
  expect(own.hung).toBeGreaterThan(0);
});

test('a child of ours that answers once in a minute does not hang', async () => {
  const { own, hang, deps, supervisor } = await withOwnInUse();
  await hang(50_000);
  deps.ollama.silent = false;
  void supervisor.look();
  await deps.clock.advance(2_000);
  await hang(50_000);
  expect(own.hung).toBe(0);
});

test('a child of ours that is starting does not hang, however long that takes', async () => {
  const { own, hang, deps } = await withOwnInUse();
  own.coming = true;
  await hang(120_000);
  expect(own.hung).toBe(0);
  own.coming = false;
  await deps.clock.advance(58_000);
  expect(own.hung).toBe(0);
});

test('two missed looks with a sleep of the machine between them are no hang', async () => {
  const { own, hang, deps } = await withOwnInUse();
  await hang(2_000);
  const awake = deps.clock.monotonic.bind(deps.clock);
  deps.clock.monotonic = () => awake() + 3_600_000;
  await deps.clock.advance(8_000);
  expect(own.hung).toBe(0);
});
