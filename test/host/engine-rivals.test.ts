/** Another program on the same engine, and what a stop can cost: nobody says so, Andiron notices it and tells. */
import { afterEach, describe, expect, it } from 'vitest';
import { reply, rule, script } from '../../src/sim/index.ts';
import { half, modelSaid, nine } from '../helpers/engine-faults.ts';
import { FaultyHouses } from '../helpers/faulty-engine.ts';
import { houseProblems } from '../helpers/house-checks.ts';

const houses = new FaultyHouses();
afterEach(() => houses.close());

function post(url: string, path: string, body: object, signal?: AbortSignal): Promise<Response> {
  return fetch(url + path, { method: 'POST', body: JSON.stringify(body), ...(signal && { signal }) });
}

/** A load that has waited for a minute for memory which a rival's answer keeps. */
async function crowd() {
  const other = 'llama3.1:8b';
  const gib = 2 ** 30;
  const run = await houses.open([], {
    gpu: { totalBytes: 10 * gib, otherBytes: gib },
    script: script([
      rule({ model: other, endpoint: 'generate' }, reply().text('On and on').hang()),
      rule({}, reply().text('Better.')),
    ]),
  });
  const rival = new AbortController();
  const body = { model: other, prompt: 'x', keep_alive: '10m' };
  const answer = await post(run.world.sim.url, '/api/generate', body, rival.signal);
  await run.session.rpc.call('session/update', { sessionId: run.session.sessionId, model: nine });
  const turnId = await run.session.send('Try');
  await run.session.until(({ turns }) => turns.at(-1)?.phase === 'loading');
  run.clock.skip(61_000);
  await run.world.engineUntil(({ problem }) => problem?.code === 'load_starved');
  const leave = async (): Promise<void> => {
    rival.abort();
    await answer.text().catch(() => '');
  };
  return { ...run, other, turnId, leave };
}

describe('another program on the same engine', () => {
  it('reloads the model in the middle of a turn: the turn goes on and tells', async () => {
    const run = await houses.open([reply().toolCall('write_file', { path: 'a.txt', content: 'a' })]);
    const { world, session } = run;
    const turnId = await session.send('Try');
    await session.until(({ turns }) => turns.at(-1)?.phase === 'approval');
    await (await post(world.sim.url, '/api/generate', { model: nine, options: { num_ctx: 2048 } })).text();
    world.sim.setLoad(nine, { seconds: 1.1 });
    await session.answer('allow');
    expect((await session.closed(turnId)).status).toBe('finished');
    expect(session.items('note')).toMatchObject([
      { note: 'reload', text: expect.stringContaining('qwen3.5:9b was reloaded') as string },
    ]);
    expect(world.sim.truth.loads).toHaveLength(3);
    expect((await session.ask('Again')).status).toBe('finished');
    expect(world.sim.truth.loads).toHaveLength(3);
  });

  it('reloads the model between two turns: the next one loads by its plan before it asks', async () => {
    const { world, session } = await houses.open([]);
    await session.ask('First');
    await (await post(world.sim.url, '/api/generate', { model: nine, options: { num_ctx: 2048 } })).text();
    const seen = session.events.length;
    expect((await session.ask('Second')).status).toBe('finished');
    const phases = session.events.slice(seen).flatMap(({ event }) => ('phase' in event ? [event.phase] : []));
    expect(phases).toContain('loading');
    expect(world.sim.truth.loads.map(({ numCtx }) => numCtx)).toEqual([16_384, 2048, 16_384]);
  });

  it('starves a load: it is told by name while it waits, and goes on when the memory is free', async () => {
    const { world, session, other, turnId, leave } = await crowd();
    expect(world.engine.state()).toMatchObject({
      loading: { model: nine },
      problem: {
        message: expect.stringContaining(other) as string,
        advice: expect.stringContaining(`unload ${other}`) as string,
      },
    });
    await leave();
    expect((await session.closed(turnId)).status).toBe('finished');
    await world.rest();
    expect(world.engine.state().problem).toBeNull();
    expect(houseProblems(world, session)).toEqual([]);
  });

  it('starves a load: the turn can be stopped, and nothing waits for the GPU any more', async () => {
    const { world, session, turnId, leave } = await crowd();
    await session.rpc.call('turn/stop', { sessionId: session.sessionId });
    expect((await session.closed(turnId)).status).toBe('stopped');
    await world.rest();
    expect(world.engine.state().problem).toBeNull();
    expect(houseProblems(world, session)).toEqual([]);
    await leave();
    expect((await session.ask('Again')).status).toBe('finished');
    expect(world.sim.truth.loads.map(({ model, outcome }) => [model, outcome])).toEqual([
      ['llama3.1:8b', 'loaded'],
      [nine, 'loaded'],
    ]);
  });
});

it('finds a lost slot after a stop, loads the model anew, says so, and works on', async () => {
  const run = await houses.open([half().loseSlot().hang()]);
  const { world, session, clock } = run;
  const first = await session.send('Begin');
  await modelSaid(run, 'Half');
  const probed = world.sim.truth.next('slot-waiting');
  await session.rpc.call('turn/stop', { sessionId: session.sessionId });
  await probed;
  clock.skip(60_000);
  expect((await session.closed(first)).status).toBe('stopped');
  expect(session.items('stopped')).toMatchObject([{ slot: 'cured', reloadMs: expect.any(Number) as number }]);
  expect(world.engine.state().incidents).toMatchObject([{ kind: 'slot_lost', model: nine }]);
  expect((await session.ask('Again')).status).toBe('finished');
  await world.rest();
  expect(houseProblems(world, session)).toEqual([]);
});
