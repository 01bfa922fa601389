/** A recorded trace, as far as the replay reads it. */
import { readdir, readFile } from 'node:fs/promises';
import { z } from 'zod';
import { controlSchema } from './trace-runner.ts';

const chunk = z.union([z.tuple([z.number(), z.string()]), z.string()]);
const exchangeStep = z.object({
  kind: z.literal('exchange').default('exchange'),
  at_ms: z.number(),
  label: z.string().optional(),
  method: z.string(),
  path: z.string(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
  status: z.number().optional(),
  response_headers: z.record(z.string(), z.string()).optional(),
  chunks: z.array(chunk).optional(),
  end: z.string().optional(),
  end_ms: z.number().optional(),
  closed_by_client_ms: z.number().optional(),
});
const rawStep = z.object({
  kind: z.literal('raw').default('raw'),
  at_ms: z.number(),
  raw_request: z.string(),
  chunks: z.array(chunk),
  end: z.string(),
  end_ms: z.number(),
});
const scriptStep = z.object({
  kind: z.literal('script').default('script'),
  at_ms: z.number(),
  runner_script: controlSchema,
});
const noteStep = z.object({ kind: z.literal('note').default('note'), at_ms: z.number(), note: z.string() });
const traceSchema = z.object({
  name: z.string(),
  environment: z.record(z.string(), z.string()).default({}),
  steps: z.array(z.union([exchangeStep, rawStep, scriptStep, noteStep])),
  /** A text among them says that the list was cut. */
  runner: z
    .array(z.union([z.string(), z.object({ ev: z.string().optional(), phase: z.string().optional() })]))
    .default([]),
});

export type ExchangeStep = z.infer<typeof exchangeStep>;
export type RawStep = z.infer<typeof rawStep>;
export type Step = z.infer<typeof traceSchema>['steps'][number];
export type Trace = z.infer<typeof traceSchema>;

export async function traceNames(folder: string): Promise<string[]> {
  const files = await readdir(folder);
  return files.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -'.json'.length));
}

export async function readTrace(folder: string, name: string): Promise<Trace> {
  return traceSchema.parse(JSON.parse(await readFile(`${folder}/${name}.json`, 'utf8')));
}
