/** The usage log of the whole app, beside what the simulated engine really processed. */
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { reply, rule, script, type Script, type TruthRequest } from '../../src/sim/index.ts';
import { World, type HouseOptions, type SessionView } from '../helpers/host-world.ts';
import { csvRows } from '../helpers/csv-rows.ts';

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

const models = [{ name: 'main:9b', family: 'template-qwen2.5' as const }];
const tools = ['read_file', 'list_files', 'spawn_agent'];

async function open(
  source: Script,
  changes: Record<string, unknown> = {},
  options: HouseOptions & { speed?: number } = {},
): Promise<{ world: World; session: SessionView }> {
  const { speed, ...house } = options;
  const sim = { models, script: source, ...(speed !== undefined && { speed }) };
  const world = await World.start({ files: { 'a.txt': 'milk and eggs' }, sim, ...house });
  worlds.push(world);
  await world.openWindow().rpc.call('profile/update', {
    profileId: 'developer',
    changes: { models: ['main:9b'], tools, memoryEnabled: false, ...changes },
  });
  return { world, session: await world.openSession('developer') };
}

/** Rows of the usage log, read from its file as a spreadsheet reads it. */
async function rows(session: SessionView): Promise<Record<string, string>[]> {
  const { csv, next } = await session.rpc.call('usage/export', {});
  expect(next).toBeNull();
  return csvRows(csv);
}

const figures = (row: Record<string, string>): (string | undefined)[] => [
  row['model'],
  row['input_tokens'],
  row['cached_tokens'],
  row['output_tokens'],
];
/** What a model has read: chats, and prompts that were read ahead. */
const processed = ({ sim }: World): TruthRequest[] =>
  sim.truth.requests.filter(
    ({ endpoint, promptTokens }) =>
      (endpoint === '/api/chat' || endpoint === '/api/generate') && promptTokens > 0,
  );
const truly = ({ model, promptTokens, cached, generated }: TruthRequest): string[] => [
  model,
  ...[promptTokens, cached, generated].map(String),
];

const sorted = (each: (string | undefined)[][]): string[] =>
  each.map((row) => row.join(' ')).toSorted((one, other) => one.localeCompare(other));

/** Nothing prepares the next prompt any more. */
async function settled(world: World): Promise<void> {
  await world.rest();
  await world.sim.truth.waitFor(({ requests }) => requests.every(({ outcome }) => outcome !== 'running'));
}

describe('the usage log', () => {
  it('has a row for each request of a turn with tools, as the engine processed it (I8, B6)', async () => {
    const { world, session } = await open(
      script([
        rule({ resultCount: 0 }, reply().toolCall('read_file', { path: 'a.txt' })),
        rule({ resultCount: 1 }, reply().toolCall('list_files', {})),
        rule({}, reply().text('Milk and eggs.')),
      ]),
    );
    const turn = await session.ask('What is in a.txt?');
    await settled(world);
    const found = await rows(session);
    expect(sorted(found.map(figures))).toEqual(sorted(processed(world).map(truly)));
    const own = found.filter(({ purpose }) => purpose === 'main');
    expect(own.map(({ session: id, turn: turnId, ended, user }) => [id, turnId, ended, user])).toEqual(
      Array.from({ length: 3 }, () => [session.sessionId, turn.id, 'answered', 'owner']),
    );
  });

  it('tells the requests of a plan from the work (I8)', async () => {
    const { world, session } = await open(
      script([rule({ user: 'Do not start yet' }, reply().text('DIRECT')), rule({}, reply().text('Done.'))]),
      { planningEnabled: true },
    );
    await session.ask('Sum up a.txt and write it into b.txt, then check it.');
    await settled(world);
    const found = await rows(session);
    expect(sorted(found.map(figures))).toEqual(sorted(processed(world).map(truly)));
    const purposes = found.map(({ purpose }) => purpose).filter((purpose) => purpose !== 'warm');
    expect(purposes).toEqual(['plan', 'main']);
  });

  it('counts a subagent for the turn that spawned it (I8)', async () => {
    const task = { task: 'Sum up a.txt.', briefing: 'It lies at the top.' };
    const { world, session } = await open(
      script([
        rule(
          { user: 'You are a subagent', resultCount: 0 },
          reply().toolCall('read_file', { path: 'a.txt' }),
        ),
        rule({ user: 'You are a subagent' }, reply().text('Milk.')),
        rule({ resultCount: 0 }, reply().toolCall('spawn_agent', task)),
        rule({}, reply().text('It is done.')),
      ]),
    );
    const turn = await session.ask('Sum it up');
    await settled(world);
    const found = await rows(session);
    expect(sorted(found.map(figures))).toEqual(sorted(processed(world).map(truly)));
    const ofTurn = found.filter((row) => row['turn'] === turn.id);
    expect(ofTurn.map(({ purpose }) => purpose)).toEqual(['main', 'subagent', 'subagent', 'main']);
  });

  it('has a row without figures for a request that the person stopped (I8)', async () => {
    const { world, session } = await open(
      script([rule({}, reply().text('a long answer '.repeat(400)))]),
      {},
      { speed: 1 },
    );
    const turnId = await session.send('Tell me');
    await session.until(({ items }) => items.some((item) => item.kind === 'text' && item.text !== ''));
    await session.rpc.call('turn/stop', { sessionId: session.sessionId });
    await session.closed(turnId);
    await settled(world);
    const own = (await rows(session)).filter(({ turn, purpose }) => turn === turnId && purpose === 'main');
    expect(own.map((row) => [row['ended'], ...figures(row)])).toEqual([['stopped', 'main:9b', '', '', '']]);
    const { totals } = await session.rpc.call('usage/query', {});
    expect(totals.uncounted).toBe(1);
  });

  it('has no row of a request that the engine refused (I8)', async () => {
    const { session } = await open(script([rule({}, reply().error(400, 'no such thing'))]));
    const { id, status } = await session.ask('Hello');
    expect(status).toBe('failed');
    expect((await rows(session)).filter(({ turn }) => turn === id)).toEqual([]);
  });

  it('has a row without figures for an answer that broke off (I8)', async () => {
    const { session } = await open(
      script([rule({}, reply().text('It begins well and then').midError('out of memory'))]),
    );
    const { id, status } = await session.ask('Hello');
    expect(status).toBe('failed');
    const own = (await rows(session)).filter(({ turn }) => turn === id);
    expect(own.length).toBeGreaterThan(0);
    for (const row of own) expect([row['ended'], ...figures(row)]).toEqual(['failed', 'main:9b', '', '', '']);
  });

  it('answers in sums that are those of its rows (I8)', async () => {
    const { world, session } = await open(script([rule({}, reply().text('Hello.'))]));
    await session.ask('Hello');
    await session.ask('And again');
    await settled(world);
    const found = await rows(session);
    const sum = (name: string): number => found.reduce((all, row) => all + Number(row[name]), 0);
    const { totals, groups } = await session.rpc.call('usage/query', { groupBy: 'model' });
    expect(totals).toMatchObject({ requests: found.length, inputTokens: sum('input_tokens'), costs: [] });
    expect(groups).toEqual([{ key: 'main:9b', ...totals }]);
    const later = await session.rpc.call('usage/query', { from: systemClock.now() + 60_000 });
    expect(later).toMatchObject({ totals: { requests: 0, inputTokens: null }, groups: [] });
  });
});
