/** A model that makes more calls in one reply than anybody can want: the host stays responsive, the history valid. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ItemOf } from '../../src/protocol/model.ts';
import { reply, rule, script, startSim, type Sim } from '../../src/sim/index.ts';
import { costOf, paceMs } from '../helpers/cost.ts';
import { House, type SessionView } from '../helpers/host-world.ts';
import { hostileEngine, oneLine, type ChatBody, type HostileEngine } from '../helpers/hostile-engine.ts';
import { assertValidLogs, storedLog } from '../helpers/session-world.ts';

/** Work in one go, by the pace of the machine: half a second on a machine of today. */
const maxLag = 100;

const path = 'notes.txt';
/** How a model writes so many calls. */
const floods: Record<string, (count: number) => object> = {
  native: (count) => ({ tool_calls: Array.from({ length: count }, nativeCall) }),
  list: (count) => ({ content: JSON.stringify(Array.from({ length: count }, textCall)) }),
  tags: (count) => ({
    content: Array.from({ length: count }, textCall)
      .map((call) => `<tool_call>${JSON.stringify(call)}</tool_call>`)
      .join('\n'),
  }),
};

/** One call with too much in it. */
const wideCalls: Record<string, (count: number) => object> = {
  arguments: (count) =>
    nativeWith(Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${String(n)}`, n]))),
  characters: (count) => nativeWith({ path: 'x'.repeat(count) }),
};
const nativeWith = (args: object): object => ({
  tool_calls: [{ function: { name: 'read_file', arguments: args } }],
});

function nativeCall(_: unknown, n: number): object {
  return { id: 'same', function: { index: n, name: 'read_file', arguments: { path, start_line: n + 1 } } };
}

function textCall(_: unknown, n: number): object {
  return { name: 'read_file', arguments: { path, start_line: n + 1 } };
}

/** `flood native 1000` is answered with so many calls, once. */
function flood(chat: ChatBody): string | null {
  const last = chat.messages.at(-1);
  if (last?.role !== 'user') return null;
  const [, how = '', count = ''] = /flood (\w+) (\d+)/.exec(last.content) ?? [];
  const message = (floods[how] ?? wideCalls[how])?.(Number(count));
  return message ? oneLine(chat, message) : null;
}

let sim: Sim;
let engine: HostileEngine;
let house: House;
let session: SessionView;
beforeEach(async () => {
  sim = await startSim({ speed: 1000, script: script([rule({}, reply().text('Done.'))]) });
  engine = await hostileEngine(sim.url, flood);
  house = await House.open(engine.url, { files: { [path]: 'milk\n' }, simulated: true });
  session = await house.openSession();
});
afterEach(async () => {
  assertValidLogs(house);
  await house.close();
  await engine.close();
  await sim.close();
});

const cards = (view: SessionView): ItemOf<'tool'>[] => view.items('tool');

it.each(Object.keys(floods))(
  'a reply of 40 calls written as %s runs 32 of them and refuses the rest (audit-S6)',
  async (how) => {
    const turn = await session.ask(`flood ${how} 40`);
    expect(turn.status).toBe('finished');
    const calls = cards(session);
    expect(calls.length).toBe(40);
    expect(calls.slice(0, 32).every(({ runMs }) => runMs !== null)).toBe(true);
    for (const { state, runMs, result } of calls.slice(32)) {
      expect({ state, runMs }).toEqual({ state: 'failed', runMs: null });
      expect(result).toMatch(/^Tool error: not run\. Only the first 32 calls of a reply run\.$/);
    }
    expect(session.items('note').map(({ text }) => text)).toContain(
      'The model made 40 calls in one reply. Only the first 32 ran; 8 did not.',
    );
    const results = storedLog(house, session.sessionId).flatMap((each) =>
      each.role === 'tool' ? [each.content] : [],
    );
    expect(results.length).toBe(40);
    expect(results.filter((content) => content.startsWith('Tool error: not run.')).length).toBe(8);
  },
);

it('a reply of 32 calls has none of them refused (audit-S6)', async () => {
  await session.ask('flood native 32');
  expect(cards(session).filter(({ runMs }) => runMs === null)).toEqual([]);
  expect(session.items('note')).toEqual([]);
});

it('a reply keeps 64 calls with their results and counts the others, so the next prompt fits (audit-S6)', async () => {
  const turn = await session.ask('flood native 65');
  expect(turn.status).toBe('finished');
  expect(cards(session).length).toBe(64);
  const next = engine.chats.at(-1)?.messages ?? [];
  expect(next.flatMap((each) => each.tool_calls ?? []).length).toBe(64);
  expect(next.filter(({ role }) => role === 'tool').length).toBe(64);
  expect(next.at(-1)?.content).toContain(
    '33 calls of this reply were not run. Make those that are still needed',
  );
});

it.each(Object.keys(floods))(
  '20,000 calls as %s cost no more a call than 1,000, and hold nothing up for long (audit-S6)',
  async (how) => {
    await session.ask(`flood ${how} 1000`);
    const cpuMs: number[] = [];
    for (const count of [1_000, 20_000]) {
      const view = await house.openSession();
      const before = process.threadCpuUsage();
      const { results, lagMs, heapMb } = await costOf(() => view.ask(`flood ${how} ${String(count)}`));
      const { user, system } = process.threadCpuUsage(before);
      cpuMs.push((user + system) / 1_000);
      expect(results.status).toBe('finished');
      expect(lagMs / paceMs()).toBeLessThan(maxLag);
      expect(heapMb).toBeLessThan(150);
    }
    const [few = 1, many = 0] = cpuMs;
    expect(many / few).toBeLessThan(20);
  },
);

it.each([
  ['arguments', 100_000],
  ['characters', 1_010_000],
])(
  'A call with too many %s is refused once, kept without them, and holds nothing up (audit-S6)',
  async (how, count) => {
    await session.ask('flood native 1');
    const { results: turn, lagMs } = await costOf(() => session.ask(`flood ${how} ${String(count)}`));
    expect(turn.status).toBe('finished');
    expect(lagMs / paceMs()).toBeLessThan(maxLag);
    const call = cards(session).at(-1);
    expect(call).toMatchObject({ state: 'failed', args: {} });
    expect(call?.result).toMatch(/its arguments are too large/);
    expect(JSON.stringify(storedLog(house, session.sessionId)).length).toBeLessThan(100_000);
  },
);

it('a Stop is heard between two of many calls, and another session works meanwhile (audit-S6)', async () => {
  const other = await house.openSession();
  const turnId = await session.send('flood native 20000');
  await session.until(() => cards(session).some(({ runMs }) => runMs !== null));
  await session.rpc.call('turn/stop', { sessionId: session.sessionId, turnId });
  const [stopped, asked] = await Promise.all([session.closed(turnId), other.ask('Hello')]);
  expect([stopped.status, asked.status]).toEqual(['stopped', 'finished']);
  expect(cards(session).filter(({ state }) => state === 'stopped').length).toBeGreaterThan(32);
});
