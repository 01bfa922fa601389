/** What outlives a start: the newest feed that was believed, and the version that ran last. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { writeAtomic } from '../../platform/write-atomic.ts';
import { UpdateFailure } from './failure.ts';

const contentSchema = z.object({
  /** By feed: when the newest one was signed. */
  feeds: z.record(z.string(), z.iso.datetime()).default({}),
  lastVersion: z.string().nullable().default(null),
});
type Content = z.infer<typeof contentSchema>;

export interface UpdateMemory {
  /** Throws UpdateFailure when a younger feed was seen before; else this one is the newest from now on. */
  accept(file: string, issuedAt: string): Promise<void>;
  /** The version that ran before this one; null = this is the first start that is known of. */
  lastVersion(): string | null;
  rememberVersion(version: string): Promise<void>;
}

/** @param file made when there is something to keep; one that cannot be read counts as empty */
export function openUpdateMemory(file: string): UpdateMemory {
  let content = read(file);
  const keep = async (next: Content): Promise<void> => {
    content = next;
    await writeAtomic(file, `${JSON.stringify(next)}\n`, { mode: 0o600 });
  };
  return {
    async accept(feed, issuedAt) {
      const newest = content.feeds[feed];
      if (newest === issuedAt) return;
      if (newest !== undefined && Date.parse(issuedAt) < Date.parse(newest)) {
        throw new UpdateFailure('replayed');
      }
      await keep({ ...content, feeds: { ...content.feeds, [feed]: issuedAt } });
    },
    lastVersion: () => content.lastVersion,
    async rememberVersion(version) {
      if (content.lastVersion !== version) await keep({ ...content, lastVersion: version });
    },
  };
}

function read(file: string): Content {
  try {
    return contentSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return { feeds: {}, lastVersion: null };
  }
}
