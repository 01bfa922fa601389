/** Public one-call questions: read from a folder, asked in the loop, judged by their possible answers. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { reply, rule, script, startSim, type Sim } from '../../src/sim/index.ts';
import { isExpected } from '../bench/real/public/expected.ts';
import { listedTool } from '../bench/real/public/function-tools.ts';
import { isRight, publicFigures, runPublic, type PublicRow } from '../bench/real/public/run.ts';
import { readSet, type PublicFunction } from '../bench/real/public/sets.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'andiron-public-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const boil: PublicFunction = {
  name: 'kitchen.boil',
  description: 'Boil something.',
  parameters: {
    properties: {
      what: { type: 'string', description: 'What to boil.' },
      minutes: { type: 'float' },
      salt: { type: 'boolean' },
      pots: { type: 'tuple', items: { type: 'integer' } },
      extra: { type: 'dict' },
    },
    required: ['what', 'minutes'],
  },
};

const truth = { 'kitchen.boil': { what: ['eggs', 'two eggs'], minutes: [4], salt: ['', true] } };

const ask = (id: string, content: string) =>
  JSON.stringify({ id, question: [[{ role: 'user', content }]], function: [boil] });
const answer = (id: string) => JSON.stringify({ id, ground_truth: [truth] });

async function writeSets(): Promise<void> {
  const answers = join(folder, 'data', 'possible_answer');
  await mkdir(answers, { recursive: true });
  const put = (name: string, ...lines: string[]) => writeFile(join(folder, 'data', name), lines.join('\n'));
  await put('BFCL_v9_simple_python.json', ask('simple_python_0', 'Boil eggs for four minutes.'), '');
  await put('BFCL_v9_multiple.json', ask('multiple_0', 'Boil two eggs for four minutes.'));
  await put('BFCL_v9_irrelevance.json', ask('irrelevance_0', 'Who painted the night watch?'));
  await writeFile(join(answers, 'BFCL_v9_simple_python.json'), answer('simple_python_0'));
  await writeFile(join(answers, 'BFCL_v9_multiple.json'), answer('multiple_0'));
}

it('a call is right with any of the values that are, and with nothing left out that is needed', () => {
  const fits = (args: Record<string, unknown>): boolean =>
    isExpected({ name: 'kitchen_boil', args }, [truth]);
  expect(fits({ what: 'eggs', minutes: 4 })).toBe(true);
  expect(fits({ what: 'Two-Eggs', minutes: 4, salt: true })).toBe(true);
  expect(fits({ what: 'eggs', minutes: 4, salt: false })).toBe(false);
  expect(fits({ what: 'eggs' })).toBe(false);
  expect(fits({ what: 'eggs', minutes: '4' })).toBe(false);
  expect(fits({ what: 'eggs', minutes: 4, lid: true })).toBe(false);
  expect(isExpected({ name: 'boil', args: { what: 'eggs', minutes: 4 } }, [truth])).toBe(false);
});

it('lists and objects in a call are compared value by value', () => {
  const expected = [{ f: { list: [['a b', 2]], size: [{ width: [1, 2], unit: ['', 'cm'] }] } }];
  const fits = (list: unknown, size: unknown): boolean =>
    isExpected({ name: 'f', args: { list, size } }, expected);
  expect(fits(['A-B', 2], { width: 2 })).toBe(true);
  expect(fits(['A-B', 2], { width: 2, unit: 'cm' })).toBe(true);
  expect(fits(['A-B'], { width: 2 })).toBe(false);
  expect(fits(['A-B', 2], { width: 3 })).toBe(false);
  expect(fits(['A-B', 2], { width: 2, depth: 1 })).toBe(false);
});

it('a question that no function fits is right only where it was answered without a call', () => {
  const call = { name: 'kitchen_boil', args: {} };
  expect(isRight({ expected: null }, { call: null, hasAnswered: true })).toBe(true);
  expect(isRight({ expected: null }, { call: null, hasAnswered: false })).toBe(false);
  expect(isRight({ expected: null }, { call, hasAnswered: false })).toBe(false);
  expect(isRight({ expected: [truth] }, { call: null, hasAnswered: true })).toBe(false);
});

it('a function becomes a tool as a server lists it, with the types of JSON Schema', () => {
  expect(listedTool(boil)).toEqual({
    name: 'kitchen_boil',
    description: 'Boil something.',
    inputSchema: {
      type: 'object',
      properties: {
        what: { type: 'string', description: 'What to boil.' },
        minutes: { type: 'number' },
        salt: { type: 'boolean' },
        pots: { type: 'array', items: { type: 'integer' } },
        extra: { type: 'object' },
      },
      required: ['what', 'minutes'],
    },
  });
});

it('a folder that lacks a set is refused with words on what to do', async () => {
  await expect(readSet(folder, 'multiple')).rejects.toThrow('Unpack the wheel bfcl-eval there');
  await writeSets();
  expect(await readSet(folder, 'multiple')).toMatchObject([{ id: 'multiple_0', expected: [truth] }]);
  expect(await readSet(folder, 'irrelevance')).toMatchObject([{ id: 'irrelevance_0', expected: null }]);
});

it('questions are asked in the whole app, stop at the first call, and are not asked twice', async () => {
  await writeSets();
  const sim: Sim = await startSim({ speed: 1000 });
  try {
    const boils = { name: 'functions.kitchen_boil', arguments: { what: 'eggs', minutes: 4 } };
    sim.setScript(
      script([
        rule({ resultCount: 1 }, reply().toolCall('tool_call', boils)),
        rule({}, reply().toolCall('tool_search', { query: 'boil' })),
      ]),
    );
    const written: PublicRow[] = [];
    const options = {
      url: sim.url,
      model: 'qwen3.5:9b',
      seed: 1,
      folder,
      questions: 5,
      out: join(folder, 'rows.jsonl'),
      onRow: (row: PublicRow) => void written.push(row),
      simulated: true,
    };
    const rows = await runPublic(options);
    expect(rows).toMatchObject([
      { set: 'simple_python', right: true, call: { name: 'kitchen_boil' }, error: null },
      { set: 'multiple', right: true },
      { set: 'irrelevance', right: false, answered: false },
    ]);
    expect(publicFigures(rows)).toMatchObject([
      { set: 'simple_python', asked: 1, right: 1, called: 1 },
      { set: 'multiple', asked: 1, right: 1 },
      { set: 'irrelevance', asked: 1, right: 0, called: 1 },
    ]);
    expect(await runPublic(options)).toEqual(rows);
    expect(written).toHaveLength(3);
  } finally {
    await sim.close();
  }
});
