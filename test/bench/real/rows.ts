/** What is kept of each finished task, one JSON line each, so that a long run goes on where it ended. */
import { appendFile, readFile } from 'node:fs/promises';
import { z } from 'zod';
import { kinds } from './task.ts';

export const clients = ['andiron', 'plain'] as const;
export type Client = (typeof clients)[number];

const rowSchema = z.object({
  model: z.string(),
  seed: z.number(),
  /** null = the model's own. */
  temperature: z.number().nullable(),
  task: z.string(),
  kind: z.enum(kinds),
  language: z.string(),
  source: z.enum(['kept', 'fixed', 'free']),
  client: z.enum(clients),
  ask: z.string(),
  begunRight: z.boolean(),
  done: z.boolean(),
  /** What was touched though nobody asked for it; null = nothing. */
  harm: z.string().nullable(),
  /** A card had asked about a change of this turn, and the bench allows all of them: somebody else might not have. */
  asked: z.boolean().default(false),
  claimsFalse: z.boolean(),
  runaway: z.boolean(),
  /** Why it is not done; empty = it is. */
  why: z.string(),
  answer: z.string(),
  replies: z.number(),
  longestReply: z.number(),
  wastedTokens: z.number(),
  /** From send to first line, over the turn; null = nobody counted. */
  waitedMs: z.number().nullable(),
  /** Prompt tokens that were not in the cache, over the turn; null = nobody counted. */
  newTokens: z.number().nullable(),
  seconds: z.number(),
});
export type Row = z.infer<typeof rowSchema>;

type RowKey = Pick<Row, 'model' | 'seed' | 'temperature' | 'task' | 'client'>;

export const keyOf = ({ model, seed, temperature, task, client }: RowKey): string =>
  JSON.stringify([model, seed, temperature, task, client]);

/** Of several rows of one key the last; lines that a crash cut short are passed over. A file that is not there has none. */
export async function readRows(paths: readonly string[]): Promise<Row[]> {
  const rows = new Map<string, Row>();
  for (const path of paths) {
    for (const line of (await textOf(path)).split('\n')) {
      const row = rowOf(line);
      if (row !== null) rows.set(keyOf(row), row);
    }
  }
  return [...rows.values()];
}

function rowOf(line: string): Row | null {
  try {
    return rowSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

/** Begins a line of its own even where a crash left one without an end. */
export async function appendRow(path: string, row: Row): Promise<void> {
  const before = await textOf(path);
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  await appendFile(path, `${gap}${JSON.stringify(row)}\n`);
}
