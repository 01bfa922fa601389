/** `pulls.json` beside `engine.json`: downloads that were not finished, offered again at the next start. */
import { z } from 'zod';
import type { Log } from '../../platform/log.ts';
import { pullSchema, type Pull } from '../../protocol/engine-room.ts';
import { parseJson } from '../../protocol/json.ts';
import type { EngineFiles } from '../base/engine-deps.ts';

/** A download, and the Ollama at which it was begun; null = not known, as in older files. */
export interface WantedPull {
  pull: Pull;
  host: string | null;
}

const fileSchema = z.object({
  version: z.literal(1),
  pulls: z
    .array(
      pullSchema
        .pick({
          model: true,
          completedBytes: true,
          totalBytes: true,
          startedAt: true,
          problem: true,
        })
        .extend({ host: z.string().nullable().default(null) }),
    )
    .max(1_000),
});

/** @param path null = nothing is kept. */
export function openWantedPulls(files: EngineFiles, path: string | null, log: Log) {
  let writing = Promise.resolve();
  let written = '';
  return {
    /** As they were left: paused, or failed where they had. */
    read: (): WantedPull[] => (path === null ? [] : readPulls(files, path, log)),
    keep(pulls: readonly WantedPull[]): void {
      if (path === null) return;
      const wanted = pulls.filter(({ pull }) => pull.phase !== 'done').map(toRecord);
      const text = `${JSON.stringify({ version: 1, pulls: wanted }, null, 2)}\n`;
      if (text === written) return;
      written = text;
      writing = writing
        .then(() => files.writeWhole(path, text))
        .catch((error: unknown) => log.error('pulls.json could not be written', error));
    },
    /** Resolves when everything said so far is on disk, or failed to get there (logged). */
    flushed: (): Promise<void> => writing,
  };
}

export type WantedPulls = ReturnType<typeof openWantedPulls>;

function toRecord({ pull, host }: WantedPull) {
  const { model, completedBytes, totalBytes, startedAt, phase, problem } = pull;
  // What a download that goes on still suffers from is no reason to call it failed.
  return { model, completedBytes, totalBytes, startedAt, problem: phase === 'failed' ? problem : null, host };
}

function readPulls(files: EngineFiles, path: string, log: Log): WantedPull[] {
  try {
    const { pulls } = fileSchema.parse(parseJson(files.readTextNow(path)));
    return pulls.map(({ host, ...pull }) => ({
      pull: { ...pull, phase: pull.problem ? 'failed' : 'paused', bytesPerSecond: null },
      host,
    }));
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!missing)
      log.warn('pulls.json was not readable; unfinished downloads are not offered', {
        reason: String(error),
      });
    return [];
  }
}
