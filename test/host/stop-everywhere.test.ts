/**
 * Stop, wherever a turn may be, and twice over: it ends as stopped, no connection stays open, the model stays loaded,
 * every call has its one result, and the next message works (H6).
 */
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { TurnPhase } from '../../src/protocol/model.ts';
import { reply, rule, script, type Reply } from '../../src/sim/index.ts';
import { half, modelSaid, nine } from '../helpers/engine-faults.ts';
import { FaultyHouses, type Run } from '../helpers/faulty-engine.ts';
import { houseProblems } from '../helpers/house-checks.ts';
import { House, type SessionView, type World } from '../helpers/host-world.ts';
import { MortalHouse } from '../helpers/mortal-house.ts';
import { endedTurnProblems, storedProblems } from '../helpers/session-checks.ts';

const houses = new FaultyHouses();
afterEach(() => houses.close());

interface Place {
  place: string;
  /** What the model does while it is stopped. */
  engine: Reply;
  /** Resolves when the turn is there. */
  reached: (run: Run) => Promise<void>;
  during: TurnPhase;
}

const inPhase =
  (phase: TurnPhase) =>
  ({ session }: Run): Promise<void> =>
    session.until(({ turns }) => turns.at(-1)?.phase === phase);

const chats = ({ sim }: World) => sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/chat');

/** The turn that runs has asked the model, which has written so many tokens of its answer. */
const written =
  (tokens: number) =>
  ({ world, session }: Run): Promise<void> => {
    const asked = session.state.turns.length;
    return world.sim.truth.waitFor(
      () => chats(world).length >= asked && (chats(world).at(-1)?.generated ?? 0) >= tokens,
    );
  };

const longCommand = { command: 'echo $$; exec sleep 600' };
const commandId = ({ session }: Run): number =>
  Number(session.items('tool').findLast(({ output }) => output !== '')?.output);

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const places: Place[] = [
  {
    place: 'in prefill',
    engine: reply().prefill(60).text('Never.'),
    reached: ({ world, session }) =>
      world.sim.truth.waitFor(
        () =>
          chats(world).length >= session.state.turns.length &&
          chats(world).at(-1)?.phases.at(-1)?.phase === 'prefill',
      ),
    during: 'prefill',
  },
  {
    place: 'in thinking',
    engine: reply().thinking('Let me see.').hang(),
    reached: inPhase('thinking'),
    during: 'thinking',
  },
  { place: 'in text', engine: reply().text('And so').hang(), reached: inPhase('text'), during: 'text' },
  {
    place: 'in a call that is being written, before anything comes',
    engine: reply().raw('</think>', '\n\n', '<tool_call>', '\n', '<function=read_file>').hang(),
    reached: written(5),
    during: 'prefill',
  },
  {
    place: 'in a call that has come, before done',
    engine: reply().toolCall('read_file', { path: 'README.md' }).hang(),
    reached: inPhase('call'),
    during: 'call',
  },
  {
    place: 'in an approval',
    engine: reply().toolCall('run_command', longCommand).toolCall('read_file', { path: 'README.md' }),
    reached: inPhase('approval'),
    during: 'approval',
  },
  {
    place: 'in a tool',
    engine: reply().toolCall('run_command', longCommand).toolCall('read_file', { path: 'README.md' }),
    reached: async (run) => {
      const before = run.session.items('tool').length;
      await inPhase('approval')(run);
      await run.session.answer('allow');
      await run.session.until(({ items }) =>
        items.slice(before).some((item) => item.kind === 'tool' && /\d\n/.test(item.output)),
      );
      expect(lives(commandId(run))).toBe(true);
    },
    during: 'tool',
  },
];

/** Twice at once, as by a finger that is not sure. */
async function stop(session: SessionView): Promise<void> {
  const { sessionId } = session;
  await Promise.all([
    session.rpc.call('turn/stop', { sessionId }),
    session.rpc.call('turn/stop', { sessionId }),
  ]);
}

/** Nothing of a stopped turn goes on, and what it used is still there. */
async function expectRest({ world, session }: Run): Promise<void> {
  await world.sim.truth.waitFor(() => chats(world).every(({ outcome }) => outcome !== 'running'));
  await world.rest();
  expect(houseProblems(world, session)).toEqual([]);
  expect(world.sim.truth.unloads).toEqual([]);
  expect(world.sim.truth.loads.map(({ outcome }) => outcome)).toEqual(['loaded']);
  const calls = session.items('tool').filter(({ state }) => state === 'running' || state === 'streaming');
  expect(calls).toEqual([]);
}

describe('Stop', () => {
  it.each(places)('$place', async ({ engine, reached, during }) => {
    const run = await houses.open([engine, engine]);
    const { world, session } = run;
    for (const text of ['First', 'Second']) {
      const turnId = await session.send(text);
      await reached(run);
      await stop(session);
      expect((await session.closed(turnId)).status).toBe('stopped');
      expect(session.items('stopped').at(-1)).toMatchObject({
        turnId,
        during,
        stillLoaded: true,
        model: nine,
      });
      await expectRest(run);
    }
    await stop(session);
    expect((await session.ask('Again')).status).toBe('finished');
    expect(session.items('text').at(-1)?.text).toBe('Better.');
    await expectRest(run);
    expect(world.sim.truth.loads).toHaveLength(1);
  });

  it('in a tool: its process is gone before the turn is over, and no other call begins', async () => {
    const place = places.find(({ during }) => during === 'tool');
    const run = await houses.open(place ? [place.engine] : []);
    const turnId = await run.session.send('First');
    await place?.reached(run);
    const pid = commandId(run);
    await stop(run.session);
    await run.session.closed(turnId);
    expect(lives(pid)).toBe(false);
    expect(run.session.items('tool').map(({ state, result }) => [state, result])).toEqual([
      ['stopped', 'operation cancelled by user'],
      ['stopped', 'operation cancelled by user'],
    ]);
  });

  it('between two steps: the next one is not begun, or is closed', async () => {
    const read = reply().toolCall('read_file', { path: 'README.md' });
    const run = await houses.open([], {
      script: script([
        rule({ user: 'First', resultCount: 0 }, read),
        rule({ user: 'First' }, reply().prefill(60).text('Never.')),
        rule({}, reply().text('Better.')),
      ]),
    });
    const { session } = run;
    const turnId = await session.send('First');
    await session.until(({ items }) => items.some((item) => item.kind === 'tool' && item.state === 'done'));
    await stop(session);
    expect((await session.closed(turnId)).status).toBe('stopped');
    expect(session.items('tool')).toMatchObject([{ state: 'done' }]);
    await expectRest(run);
    expect((await session.ask('Again')).status).toBe('finished');
  });

  it('while the model is being loaded: the load goes on to its end', async () => {
    const run = await houses.open([]);
    const { world, session } = run;
    world.sim.setLoad(nine, { seconds: 0.3 });
    const started = world.sim.truth.next('load-started');
    const turnId = await session.send('First');
    await Promise.all([started, inPhase('loading')(run)]);
    await stop(session);
    expect((await session.closed(turnId)).status).toBe('stopped');
    expect(session.items('stopped')).toMatchObject([{ during: 'loading', closedMs: null }]);
    expect(world.sim.truth.loads).toMatchObject([{ outcome: 'loading' }]);
    await expectRest(run);
    expect((await session.ask('Again')).status).toBe('finished');
    await expectRest(run);
  });

  it('while another session has the GPU: it leaves the queue, the other goes on', async () => {
    const run = await houses.open([reply().text('Busy').hang()]);
    const { world, session } = run;
    const other = await world.openSession();
    const busy = await other.send('Hold it');
    await inPhase('text')({ ...run, session: other });
    const turnId = await session.send('First');
    await world.engineUntil(({ waiting }) => waiting === 1);
    await stop(session);
    expect((await session.closed(turnId)).status).toBe('stopped');
    expect(session.items('stopped')).toMatchObject([{ during: 'lease', closedMs: null }]);
    expect([other.turn(busy)?.status, world.engine.state().waiting]).toEqual(['running', 0]);
    await stop(other);
    await other.closed(busy);
    await expectRest(run);
    expect((await session.ask('Again')).status).toBe('finished');
  });

  it('behind the running turn of its session: it is withdrawn, the running one goes on', async () => {
    const run = await houses.open([half().hang()]);
    const { session } = run;
    const first = await session.send('First');
    await modelSaid(run, 'Half');
    const turnId = await session.send('Second');
    const params = { sessionId: session.sessionId, turnId };
    await Promise.all([session.rpc.call('turn/stop', params), session.rpc.call('turn/stop', params)]);
    await session.until(({ turns }) => turns.length === 1);
    expect(session.turn(first)?.status).toBe('running');
    await stop(session);
    await session.closed(first);
    await expectRest(run);
    expect((await session.ask('Again')).status).toBe('finished');
  });

  it('while the engine is away: nobody waits for it any more', async () => {
    const run = await houses.open([half().restart(3_600_000)]);
    const { world, session, clock } = run;
    const turnId = await session.send('First');
    await modelSaid(run, 'Half');
    await world.engineUntil(({ status }) => status.kind === 'absent');
    await stop(session);
    expect((await session.closed(turnId)).status).toBe('stopped');
    expect(session.items('stopped')).toMatchObject([{ stillLoaded: null }]);
    await world.rest();
    expect(houseProblems(world, session)).toEqual([]);
    await world.sim.restart();
    clock.skip(11_000);
    await world.engineUntil(({ status }) => status.kind === 'running');
    expect((await session.ask('Again')).status).toBe('finished');
  });

  it('while the engine is still being looked for: at once', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const house = await House.open(`http://127.0.0.1:${String(port)}`);
    try {
      const session = await house.openSession();
      const turnId = await session.send('First');
      await stop(session);
      expect((await session.closed(turnId)).status).toBe('stopped');
      expect(endedTurnProblems(session.state)).toEqual([]);
    } finally {
      await house.close();
      silent.close();
    }
  });

  it('during the recovery from a crash: the dead turn is left as it is, the queued one withdrawn', async () => {
    const house = await MortalHouse.start({
      sim: { script: script([rule({ nth: 1 }, half().hang()), rule({}, reply().text('Better.'))]) },
    });
    try {
      const window = house.openWindow();
      const { session: created } = await window.rpc.call('session/create', {});
      const before = await window.follow(created.id);
      const dead = await before.send('First');
      const queued = await before.send('Second');
      await modelSaid({ session: before }, 'Half');
      house.kill();
      await house.birth();
      const after = house.openWindow();
      const { sessionId } = before;
      await Promise.all(
        [dead, queued, undefined, dead, queued].map((turnId) =>
          after.rpc.call('turn/stop', { sessionId, ...(turnId !== undefined && { turnId }) }),
        ),
      );
      const session = await after.follow(sessionId);
      expect(session.state.turns.map(({ id, status }) => [id, status])).toEqual([[dead, 'interrupted']]);
      expect((await session.ask('Again')).status).toBe('finished');
      expect(endedTurnProblems(session.state)).toEqual([]);
      expect(storedProblems(house.dir, true)).toEqual([]);
      expect(house.sim.truth.unloads).toEqual([]);
    } finally {
      await house.close();
    }
  });
});
