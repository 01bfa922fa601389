/** Public one-call questions: drawn by the seed, asked once, and kept as rows like the tasks. */
import { appendFile, readFile } from 'node:fs/promises';
import { z } from 'zod';
import { Draw } from '../draw.ts';
import type { BenchOptions } from '../bench-house.ts';
import { withAsker, type Reaction } from './ask.ts';
import { isExpected } from './expected.ts';
import { readSet, setNames, type PublicQuestion } from './sets.ts';

const rowSchema = z.object({
  model: z.string(),
  seed: z.number(),
  set: z.enum(setNames),
  question: z.string(),
  right: z.boolean(),
  /** The call as it was made; null = none. */
  call: z.object({ name: z.string(), args: z.record(z.string(), z.unknown()) }).nullable(),
  answered: z.boolean(),
  error: z.string().nullable(),
  seconds: z.number(),
});
export type PublicRow = z.infer<typeof rowSchema>;

export interface PublicOptions extends BenchOptions {
  /** Where the sets lie. */
  folder: string;
  /** Of each set. */
  questions: number;
  /** Of those only these, by their place; left out = all. */
  isWanted?: (question: unknown, at: number) => boolean;
  out: string | undefined;
  onRow: (row: PublicRow) => void;
}

const keyOf = ({ model, seed, question }: Pick<PublicRow, 'model' | 'seed' | 'question'>): string =>
  JSON.stringify([model, seed, question]);

/** Returns the rows of all questions, those of earlier runs among them. */
export async function runPublic(options: PublicOptions): Promise<PublicRow[]> {
  const { model, seed, out } = options;
  const asked = (await drawnQuestions(options)).filter(options.isWanted ?? (() => true));
  const known = await readPublicRows(out === undefined ? [] : [out]);
  const rows = new Map(known.map((row) => [keyOf(row), row]));
  const key = ({ id }: PublicQuestion): string => keyOf({ model, seed, question: id });
  const missing = asked.filter((question) => !rows.has(key(question)));
  if (missing.length > 0)
    await withAsker(options, async (ask) => {
      for (const question of missing) {
        const startedAt = performance.now();
        const reaction = await ask(question);
        const { call, hasAnswered: answered, error } = reaction;
        const { set, id } = question;
        const seconds = (performance.now() - startedAt) / 1000;
        const right = isRight(question, reaction);
        const row = { model, seed, set, question: id, right, call, answered, error, seconds };
        rows.set(key(question), row);
        if (out !== undefined) await appendFile(out, `${JSON.stringify(row)}\n`);
        options.onRow(row);
      }
    });
  return asked.flatMap((question) => rows.get(key(question)) ?? []);
}

/** A question that no function fits is right where it was answered in words. */
export const isRight = (
  { expected }: Pick<PublicQuestion, 'expected'>,
  { call, hasAnswered }: Pick<Reaction, 'call' | 'hasAnswered'>,
): boolean => (expected === null ? hasAnswered : call !== null && isExpected(call, expected));

async function drawnQuestions({ folder, questions, seed }: PublicOptions): Promise<PublicQuestion[]> {
  const sets = await Promise.all(setNames.map((set) => readSet(folder, set)));
  return sets.flatMap((set) => new Draw(seed).shuffled(set).slice(0, questions));
}

/** Rows of tasks in the same files, and lines that a crash cut short, are passed over. */
export async function readPublicRows(paths: readonly string[]): Promise<PublicRow[]> {
  const rows = new Map<string, PublicRow>();
  for (const path of paths) {
    for (const line of (await readFile(path, 'utf8').catch(() => '')).split('\n')) {
      const row = rowOf(line);
      if (row !== null) rows.set(keyOf(row), row);
    }
  }
  return [...rows.values()];
}

function rowOf(line: string): PublicRow | null {
  try {
    return rowSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

export interface PublicFigures {
  model: string;
  set: PublicRow['set'];
  asked: number;
  right: number;
  /** A call was made, right or wrong. */
  called: number;
}

export function publicFigures(rows: readonly PublicRow[]): PublicFigures[] {
  const models = [...new Set(rows.map(({ model }) => model))];
  return models.flatMap((model) =>
    setNames.flatMap((set) => {
      const own = rows.filter((row) => row.model === model && row.set === set);
      const count = (holds: (row: PublicRow) => boolean): number => own.filter(holds).length;
      const [right, called] = [count((row) => row.right), count(({ call }) => call !== null)];
      return own.length === 0 ? [] : [{ model, set, asked: own.length, right, called }];
    }),
  );
}
