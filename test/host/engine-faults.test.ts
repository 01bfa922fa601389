/**
 * Everything that an engine can do wrong while a turn runs, through the whole house. Whatever it is: the turn ends, the
 * person is told what happened and what to do, nothing written is lost, the history stays valid, the next message works.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { reply } from '../../src/sim/index.ts';
import { answers, calls, engines, gemma, half, longCommand, streams } from '../helpers/engine-faults.ts';
import { FaultyHouses } from '../helpers/faulty-engine.ts';
import { House } from '../helpers/host-world.ts';

const houses = new FaultyHouses();
afterEach(() => houses.close());

const isWarmUp = (body: unknown): boolean => z.object({ raw: z.literal(true) }).safeParse(body).success;

describe.each([
  ['a broken stream', streams],
  ['a broken call', calls],
  ['an answer that refuses', answers],
  ['an engine in trouble', engines],
] as const)('%s', (_group, faults) => {
  it.each(faults)('$fault', async (fault) => {
    expect((await houses.endure(fault)).problems).toEqual([]);
  });
});

it('never runs a call that was cut in its arguments', async () => {
  const { session } = await houses.open([reply().halfCall('run_command', longCommand)], gemma);
  await session.ask('Try');
  const [item] = session.items('tool');
  expect(item).toMatchObject({ state: 'failed', approval: null, runMs: null });
  expect(item?.result).toContain('ended before it was complete');
});

it('goes on with another model when one was deleted, and names it', async () => {
  const { session } = await houses.open([reply().toolCall('read_file', { path: 'README.md' }).deleteModel()]);
  await session.ask('Try');
  await session.ask('Again');
  expect(session.state.turns.map(({ model }) => model)).toEqual(['qwen3.5:9b', 'gemma4:8b']);
});

it('finds a crashed runner dead although /api/ps shows it, and loads before it asks', async () => {
  const { world, session } = await houses.open([half().runnerExit()]);
  await session.ask('Try');
  const { models } = (await (await fetch(`${world.sim.url}/api/ps`)).json()) as { models: unknown[] };
  expect(models).toHaveLength(1);
  await session.ask('Again');
  expect(world.sim.truth.loads.map(({ cause }) => cause)).toEqual(['not loaded', 'the runner had died']);
  const asked = world.sim.truth.requests
    .filter(({ body }) => !isWarmUp(body))
    .map(({ endpoint }) => endpoint)
    .filter((path) => /(?:chat|generate)$/.test(path));
  expect(asked).toEqual(['/api/generate', '/api/chat', '/api/generate', '/api/chat']);
  expect(session.items('note')).toEqual([]);
});

it('says that something else listens at the address of the engine', async () => {
  const server = createServer((_request, response) => response.end('<html>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const house = await House.open(`http://127.0.0.1:${String(port)}`);
  try {
    const session = await house.openSession();
    // As a program: the message of a person would wait.
    const { status } = await session.rpc.call('turn/run', { sessionId: session.sessionId, text: 'Try' });
    expect(status).toBe('failed');
    expect(session.items('error')[0]).toMatchObject({
      code: 'engine_unavailable',
      message: expect.stringContaining('Something else is using') as string,
      advice: expect.stringContaining(String(port)) as string,
    });
  } finally {
    await house.close();
    server.close();
  }
});
