/**
 * One-call questions of the Berkeley function-calling leaderboard, read from a folder that somebody unpacked: nothing of
 * them is kept here.
 */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';

export const setNames = ['simple_python', 'multiple', 'irrelevance'] as const;
export type SetName = (typeof setNames)[number];

const parameterSchema = z.looseObject({
  type: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  items: z.looseObject({ type: z.string().optional() }).optional(),
});

const functionSchema = z.object({
  name: z.string(),
  description: z.string(),
  parameters: z.looseObject({
    properties: z.record(z.string(), parameterSchema),
    required: z.array(z.string()).default([]),
  }),
});
export type PublicFunction = z.infer<typeof functionSchema>;

const questionSchema = z.object({
  id: z.string(),
  question: z.array(z.array(z.object({ role: z.string(), content: z.string() }))),
  function: z.array(functionSchema),
});

/** Argument → values that are right; '' among them = it may be left out. */
const expectedSchema = z.record(z.string(), z.record(z.string(), z.array(z.unknown())));
export type Expected = z.infer<typeof expectedSchema>;

const answerSchema = z.object({ id: z.string(), ground_truth: z.array(expectedSchema) });

export interface PublicQuestion {
  id: string;
  set: SetName;
  text: string;
  functions: readonly PublicFunction[];
  /** Any of these calls is right; null = none is, the question is to be answered without. */
  expected: readonly Expected[] | null;
}

/** Throws, and says what is missing, where the folder does not hold the sets. */
export async function readSet(folder: string, set: SetName): Promise<PublicQuestion[]> {
  const questions = await readLines(await fileOf(folder, set, false), questionSchema);
  const answers =
    set === 'irrelevance' ? null : await readLines(await fileOf(folder, set, true), answerSchema);
  const truths = new Map(answers?.map(({ id, ground_truth: truth }) => [id, truth]));
  return questions.flatMap(({ id, question, function: functions }) => {
    const text = question[0]?.findLast(({ role }) => role === 'user')?.content;
    const expected = answers === null ? null : truths.get(id);
    return text === undefined || expected === undefined ? [] : [{ id, set, text, functions, expected }];
  });
}

async function fileOf(folder: string, set: SetName, isAnswer: boolean): Promise<string> {
  const name = new RegExp(String.raw`^BFCL_v\d+_${set}\.json$`);
  const paths = (await readdir(folder, { recursive: true }))
    .filter((path) => name.test(basename(path)) && path.includes('possible_answer') === isAnswer)
    .toSorted((one, other) => one.length - other.length);
  const [shortest] = paths;
  if (shortest !== undefined) return join(folder, shortest);
  throw new Error(
    `ANDIRON_BFCL: ${folder} holds no BFCL_v…_${set}.json${isAnswer ? ' in possible_answer' : ''}. Unpack the wheel bfcl-eval there.`,
  );
}

async function readLines<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => schema.parse(JSON.parse(line)));
}
