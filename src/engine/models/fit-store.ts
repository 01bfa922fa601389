/** `fits.json`: what is known of models, by digest. Only the engine writes it. */
import { z } from 'zod';
import type { Log } from '../../platform/log.ts';
import { parseJson } from '../../protocol/json.ts';
import type { EngineFiles } from '../base/engine-deps.ts';
import { measuredLoadSchema, type MeasuredLoad } from './learnt.ts';
import { modelNumbersSchema, type ModelNumbers } from './numbers.ts';

const recordSchema = z.object({
  /** Absent = not asked yet, or it said nothing. */
  numbers: modelNumbersSchema.optional(),
  /** Newest last, one for each window, batch and place. */
  loads: z.array(measuredLoadSchema).default([]),
});
const fileSchema = z.object({ version: z.literal(1), models: z.record(z.string(), recordSchema) });
type Contents = z.infer<typeof fileSchema>;

const empty: Contents = { version: 1, models: {} };
const keptModels = 200;
const keptLoads = 12;

/** @param path null = kept in memory only. */
export function openFitStore(files: EngineFiles, path: string | null, log: Log) {
  let contents = path === null ? empty : read(files, path, log);
  let writing = Promise.resolve();

  const recordOf = (digest: string): z.infer<typeof recordSchema> =>
    (Object.hasOwn(contents.models, digest) ? contents.models[digest] : undefined) ?? { loads: [] };

  const put = (digest: string, record: z.infer<typeof recordSchema>): void => {
    const others = Object.entries(contents.models).filter(([each]) => each !== digest);
    // The one that was asked about longest ago is forgotten first.
    const models = Object.fromEntries([...others, [digest, record] as const].slice(-keptModels));
    contents = { ...contents, models };
    if (path === null) return;
    writing = writing
      .then(() => files.writeWhole(path, `${JSON.stringify(contents)}\n`))
      .catch((error: unknown) => log.error('fits.json could not be written', error));
  };

  return {
    numbers: (digest: string): ModelNumbers | undefined => recordOf(digest).numbers,
    setNumbers: (digest: string, numbers: ModelNumbers): void =>
      put(digest, { ...recordOf(digest), numbers }),
    loads: (digest: string): readonly MeasuredLoad[] => recordOf(digest).loads,
    addLoad(digest: string, load: MeasuredLoad): void {
      const record = recordOf(digest);
      if (record.loads.some((each) => isSamePlan(each, load) && each.bytes === load.bytes)) return;
      const others = record.loads.filter((each) => !isSamePlan(each, load));
      put(digest, { ...record, loads: [...others, load].slice(-keptLoads) });
    },
    /** Resolves when everything said so far is on disk, or failed to get there (logged). */
    flushed: (): Promise<void> => writing,
  };
}

export type FitStore = ReturnType<typeof openFitStore>;

function isSamePlan(a: MeasuredLoad, b: MeasuredLoad): boolean {
  return a.contextTokens === b.contextTokens && a.batch === b.batch && a.onGpu === b.onGpu;
}

function read(files: EngineFiles, path: string, log: Log): Contents {
  try {
    return fileSchema.parse(parseJson(files.readTextNow(path)));
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!missing) log.warn('fits.json was not readable; sizes are learnt anew', { reason: String(error) });
    return empty;
  }
}
