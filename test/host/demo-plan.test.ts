/** The demo's large task through the whole house: a plan, a subagent, a file that proves a step. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { demoScript } from '../../src/sim/demo/index.ts';
import type { SimOptions } from '../../src/sim/index.ts';
import { abilitiesWithoutOpening } from '../helpers/proven-models.ts';
import { World, type SessionView, type WorldOptions } from '../helpers/host-world.ts';

const files = {
  'README.md': '# Tide tables\n\nTells when the tide is high.\n',
  'src/tides.js': 'export const high = 1;\n',
};

let world: World;
afterEach(() => world.close());

async function report(
  model: NonNullable<SimOptions['models']>[number],
  { before, known }: Pick<WorldOptions, 'known'> & { before?: string } = {},
): Promise<SessionView> {
  const there = { ...files, ...(before !== undefined && { 'REPORT.md': before }) };
  world = await World.start({
    ...(known && { known }),
    files: there,
    sim: { script: demoScript, models: [model] },
  });
  const session = await world.openSession();
  await session.rpc.call('session/set-profile', { sessionId: session.sessionId, profileId: 'planner' });
  await session.send('Write a report about this folder.');
  await session.until(({ items }) =>
    items.some((item) => item.kind === 'tool' && item.state === 'awaiting_approval'),
  );
  const asking = session.items('tool').find(({ state }) => state === 'awaiting_approval');
  await session.rpc.call('approval/answer', {
    sessionId: session.sessionId,
    approvalId: asking?.approval?.id ?? '',
    decision: 'allow',
  });
  await session.until(({ turns }) => turns.at(-1)?.closed === true);
  return session;
}

describe.each([
  ['native calls', { name: 'qwen3.5:9b', family: 'qwen3.5' }, 'done'],
  // A grammar has room for one call, so this model marks no step, and the answer ends no list with open work.
  ['calls under a grammar', { name: 'llama3.1:8b', family: 'template-llama3.1' }, 'pending'],
] as const)('a report by %s', (_how, model, lastStep) => {
  it('is planned, handed over in part, written and proved (D9, D12, A4)', async () => {
    const session = await report(model, { known: abilitiesWithoutOpening });
    expect(session.state.turns.at(-1)?.status).toBe('finished');
    const [plan] = session.items('plan');
    expect(plan?.steps.map(({ executor }) => executor.kind)).toEqual([
      'tool',
      'tool',
      'agent',
      'tool',
      'self',
    ]);
    expect(plan?.review).toContain('Plan Adjustments');
    const spawned = session.items('tool').find(({ agent }) => agent);
    expect(spawned?.agent).toMatchObject({ profileId: 'reader', state: 'ended', stopReason: 'completed' });
    const nested = session.state.items.filter(({ parentCallId }) => parentCallId === spawned?.callId);
    expect(nested.map(({ kind }) => kind)).toContain('tool');
    expect(session.state.todo?.steps.at(-1)?.status).toBe(lastStep);
    const written = session.state.todo?.steps[3];
    expect(written?.evidence?.text).toMatch(/^exists, \d+ bytes$/);
    expect(await readFile(join(world.workspace, 'REPORT.md'), 'utf8')).toContain('# Report');
    expect(world.sim.truth.violations).toEqual([]);
  });
});

it('a report by a model that opens its turns is written in steps, without a plan', async () => {
  const session = await report({ name: 'llama3.1:8b', family: 'template-llama3.1' });
  expect(session.state.turns.at(-1)?.status).toBe('finished');
  expect(session.items('plan')).toEqual([]);
  const { scope } = session.state.turns.at(-1) ?? {};
  expect(scope).toMatchObject({ change: true, run: false });
  expect(scope?.steps.map(({ act }) => act)).toEqual(['look', 'look', 'change', 'answer']);
  expect(session.items('tool').map(({ tool, state }) => [tool, state])).toEqual([
    ['list_files', 'done'],
    ['read_file', 'done'],
    ['write_file', 'done'],
  ]);
  const written = await readFile(join(world.workspace, 'REPORT.md'), 'utf8');
  expect(written).toContain('Tells when the tide is high.');
  expect(session.items('text').at(-1)?.text).toContain('The report is in `REPORT.md`.');
  expect(world.sim.truth.violations).toEqual([]);
});

it.each([
  ['native calls', { name: 'qwen3.5:9b', family: 'qwen3.5' }],
  ['calls under a grammar', { name: 'llama3.1:8b', family: 'template-llama3.1' }],
] as const)(
  'a report that is there already is read before it is written anew, by %s',
  async (_how, model) => {
    const session = await report(model, { known: abilitiesWithoutOpening, before: 'An older one.' });
    expect(session.state.turns.at(-1)?.status).toBe('finished');
    const written = await readFile(join(world.workspace, 'REPORT.md'), 'utf8');
    expect(written).toContain('# Report');
    expect(written).not.toContain('An older one.');
    expect(session.items('text').at(-1)?.text).toContain('The report is in `REPORT.md`.');
  },
);
