/** What outlives a start: the newest feed that was believed, the version that ran last, and an update that was tried. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { writeAtomic } from '../../platform/write-atomic.ts';
import { parseJson } from '../../protocol/json.ts';
import { UpdateFailure } from './failure.ts';

const installSchema = z.object({
  /** The version that ran. */
  from: z.string(),
  to: z.string(),
  /** null = none that was seen before the app had ended. */
  failure: z.string().nullable(),
});
export type TriedInstall = z.infer<typeof installSchema>;

const contentSchema = z.object({
  /** By feed: when the newest one was signed. */
  feeds: z.record(z.string(), z.iso.datetime()).default({}),
  lastVersion: z.string().nullable().default(null),
  install: installSchema.nullable().default(null),
});
type Content = z.infer<typeof contentSchema>;

export type UpdateMemory = ReturnType<typeof openUpdateMemory>;

/** @param file made when there is something to keep; one that cannot be read counts as empty */
export function openUpdateMemory(file: string) {
  let content = read(file);
  const keep = async (next: Content): Promise<void> => {
    content = next;
    await writeAtomic(file, `${JSON.stringify(next)}\n`, { mode: 0o600 });
  };
  return {
    /** Throws UpdateFailure when a younger feed was seen before; else this one is the newest from now on. */
    async accept(feed: string, issuedAt: string): Promise<void> {
      const newest = content.feeds[feed];
      if (newest === issuedAt) return;
      if (newest !== undefined && Date.parse(issuedAt) < Date.parse(newest)) {
        throw new UpdateFailure('replayed');
      }
      await keep({ ...content, feeds: { ...content.feeds, [feed]: issuedAt } });
    },
    /** The version that ran before this one; null = this is the first start that is known of. */
    lastVersion: (): string | null => content.lastVersion,
    /** What was tried before this start has been told by then. */
    async rememberVersion(version: string): Promise<void> {
      if (content.lastVersion === version && content.install === null) return;
      await keep({ ...content, lastVersion: version, install: null });
    },
    /** The last update that was to be installed, until a version was remembered; null = none. */
    lastInstall: (): TriedInstall | null => content.install,
    /** At once: the app ends. Throws when it cannot be written. */
    noteInstall(install: TriedInstall): void {
      content = { ...content, install };
      const draft = `${file}.draft`;
      writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
      renameSync(draft, file);
    },
  };
}

function read(file: string): Content {
  try {
    return contentSchema.parse(parseJson(readFileSync(file, 'utf8')));
  } catch {
    return { feeds: {}, lastVersion: null, install: null };
  }
}
