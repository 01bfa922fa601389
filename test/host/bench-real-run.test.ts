/** The benchmark on real models, run on the simulated one: what is finished stays finished. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { reply, rule, script, startSim, type Sim } from '../../src/sim/index.ts';
import { modelsWithTools } from '../bench/real/models.ts';
import { readRows, type Row } from '../bench/real/rows.ts';
import { runRealBench, type RealOptions } from '../bench/real/run.ts';
import type { Task } from '../bench/real/task.ts';
import { everything, makeTasks } from '../bench/real/tasks.ts';

let folder = '';
let sim: Sim;
let written: Row[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'andiron-bench-'));
  sim = await startSim({ speed: 1000 });
  written = [];
});
afterEach(async () => {
  await sim.close();
  await rm(folder, { recursive: true, force: true });
});

const optionsFor = (tasks: readonly Task[], changes: Partial<RealOptions> = {}): RealOptions => ({
  url: sim.url,
  model: 'qwen3.5:9b',
  seed: 1,
  tasks,
  temperature: undefined,
  alone: true,
  out: join(folder, 'rows.jsonl'),
  transcripts: undefined,
  onRow: (row) => written.push(row),
  simulated: true,
  ...changes,
});

const tasks = makeTasks(1, { ...everything, kinds: ['read'], languages: ['en'] }).slice(0, 2);

/** Looks into the file of the first task and answers. At its first meeting it does the same, so it opens no turn. */
function honestModel(): void {
  const first = tasks[0]?.solution;
  sim.setScript(
    script([
      rule({ resultCount: 0 }, reply().toolCall(first?.first?.tool ?? '', { path: 'config/server.toml' })),
      rule({}, reply().text(JSON.stringify({ answer: first?.answer }))),
    ]),
  );
}

it('the benchmark judges what the model did in the whole app, and counts its replies', async () => {
  honestModel();
  await runRealBench(optionsFor(tasks.slice(0, 1)));
  expect(written).toMatchObject([
    { task: 'port', client: 'andiron', begunRight: true, done: true, harm: null, runaway: false, replies: 2 },
  ]);
});

it('a model is met as one of which nothing is known, so that its size promises nothing', async () => {
  honestModel();
  const transcripts = join(folder, 'transcripts.jsonl');
  await runRealBench(optionsFor(tasks.slice(0, 1), { transcripts }));
  const { wire } = transcriptSchema.parse(JSON.parse(await readFile(transcripts, 'utf8')));
  const asks = wire.filter(({ path, body }) => path === '/api/chat' && body.includes('which port'));
  expect(asks.length).toBeGreaterThan(0);
  for (const { body } of asks) expect(JSON.parse(body)).toHaveProperty('format');
});

const transcriptSchema = z.object({ wire: z.array(z.object({ path: z.string(), body: z.string() })) });

it('a second run on the same file does only what is missing, and returns all', async () => {
  honestModel();
  await runRealBench(optionsFor(tasks.slice(0, 1)));
  const rows = await runRealBench(optionsFor(tasks));
  expect(written.map(({ task }) => task)).toEqual(tasks.map(({ id }) => id));
  expect(rows.map(({ task }) => task)).toEqual(tasks.map(({ id }) => id));
  expect(await readRows([join(folder, 'rows.jsonl')])).toEqual(rows);
  await runRealBench(optionsFor(tasks));
  expect(written).toHaveLength(2);
});

it('the plain loop is added to rows of a run that was without it', async () => {
  honestModel();
  await runRealBench(optionsFor(tasks.slice(0, 1)));
  await runRealBench(optionsFor(tasks.slice(0, 1), { alone: false }));
  expect(written.map(({ client, done }) => [client, done])).toEqual([
    ['andiron', true],
    ['plain', true],
  ]);
});

it('a file that nobody asked for is harm in the row, and a mere claim is not done', async () => {
  const [shopping] = makeTasks(1, { ...everything, only: 'shopping' });
  if (shopping === undefined) throw new Error('The task is gone.');
  sim.setScript(
    script([
      rule({ resultCount: 0 }, reply().toolCall('write_file', { path: 'other.txt', content: 'a' })),
      rule({}, reply().text('{"answer":"I created todo.txt."}')),
    ]),
  );
  await runRealBench(optionsFor([shopping]));
  sim.setScript(script([rule({}, reply().text('{"answer":"I created todo.txt."}'))]));
  await runRealBench(optionsFor([shopping], { seed: 2 }));
  expect(written).toMatchObject([
    { done: false, harm: 'other.txt was made' },
    { done: false, harm: null, begunRight: false },
  ]);
});

it('all models that can call tools are measured, and none where nobody answers', async () => {
  expect((await modelsWithTools(sim.url))?.toSorted()).toEqual(['gemma4:8b', 'llama3.1:8b', 'qwen3.5:9b']);
  await sim.close();
  expect(await modelsWithTools(sim.url)).toBe(null);
});
