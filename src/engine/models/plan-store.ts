/** `engine.json`: load plans and what was learnt from loads. Only the engine writes it. */
import { z } from 'zod';
import type { Log } from '../../platform/log.ts';
import { parseJson } from '../../protocol/json.ts';
import { keepAlivePolicySchema, loadPlanSchema, type KeepAlivePolicy } from '../../protocol/model.ts';
import type { EngineFiles } from '../base/engine-deps.ts';
import { prefillRateSchema } from './batch.ts';
import { ownRecordSchema, type OwnRecord } from '../setup/own-record.ts';

const recordSchema = z.object({
  /** Of the model the plan was made for: other weights under the same name get a new one. */
  digest: z.string(),
  plan: loadPlanSchema,
  /** Measured by `/api/ps` after a load with this plan; null = not loaded yet. */
  onCpu: z.boolean().nullable(),
  sizeBytes: z.number().nullable(),
  loadMs: z.number().nullable(),
  /** Of its prefills, as the host measured them; absent = none yet. */
  rate: prefillRateSchema.optional(),
});
export type PlanRecord = z.infer<typeof recordSchema>;

const fileSchema = z.object({
  version: z.literal(1),
  keepAlive: keepAlivePolicySchema,
  keepMinutes: z.number().int().positive().optional(),
  models: z.record(z.string(), recordSchema),
  /** Where Ollama is looked for besides, in order. */
  hosts: z.array(z.string()).default([]),
  own: ownRecordSchema.nullable().default(null),
});
type Contents = z.infer<typeof fileSchema>;

const empty: Contents = { version: 1, keepAlive: 'while_open', models: {}, hosts: [], own: null };

/** @param path null = kept in memory only. */
export function openPlanStore(files: EngineFiles, path: string | null, log: Log) {
  let contents = path === null ? empty : read(files, path, log);
  let writing = Promise.resolve();

  const change = (next: Contents): void => {
    contents = next;
    if (path === null) return;
    writing = writing
      .then(() => files.writeWhole(path, `${JSON.stringify(contents, null, 2)}\n`))
      .catch((error: unknown) => log.error('engine.json could not be written', error));
  };
  return {
    get: (model: string): PlanRecord | undefined =>
      Object.hasOwn(contents.models, model) ? contents.models[model] : undefined,
    put: (model: string, record: PlanRecord): void =>
      change({ ...contents, models: { ...contents.models, [model]: record } }),
    keepAlive: (): KeepAlivePolicy => contents.keepAlive,
    /** For the policy `minutes`; undefined = never chosen. */
    keepMinutes: (): number | undefined => contents.keepMinutes,
    setKeepAlive: (
      keepAlive: KeepAlivePolicy,
      keepMinutes: number | undefined = contents.keepMinutes,
    ): void => change({ ...contents, keepAlive, ...(keepMinutes !== undefined && { keepMinutes }) }),
    hosts: (): readonly string[] => contents.hosts,
    setHosts: (hosts: readonly string[]): void => change({ ...contents, hosts: [...hosts] }),
    /** Of Andiron's own Ollama; null = none was set up. */
    own: (): OwnRecord | null => contents.own,
    setOwn: (own: OwnRecord | null): void => change({ ...contents, own }),
    /** Resolves when everything said so far is on disk, or failed to get there (logged). */
    flushed: (): Promise<void> => writing,
  };
}

export type PlanStore = ReturnType<typeof openPlanStore>;

function read(files: EngineFiles, path: string, log: Log): Contents {
  try {
    return fileSchema.parse(parseJson(files.readTextNow(path)));
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!missing) log.warn('engine.json was not readable; load plans start fresh', { reason: String(error) });
    return empty;
  }
}
