/**
 * What lies among the attached files, or the folders of sessions, and is not known to the store: a crash left it, or it is of
 * sessions whose database was lost or replaced. Such a database may come back, so it is set aside for a week and returns with it.
 */
import { join } from 'node:path';
import type { FolderEntry, Files } from '../../platform/files.ts';

/** Beside them, in their folder; no id begins with a dot. */
const asideName = '.set-aside';
/** Between a name and when it was set aside. */
const separator = '~';
/** As long as a deleted session. */
const keptAsideMs = 7 * 24 * 60 * 60 * 1000;

export interface StraysDeps {
  files: Pick<Files, 'stat' | 'lstat' | 'readFolder' | 'makeFolder' | 'move'>;
  /** A real path. */
  folder: string;
  /** What else is there stays. */
  isOurs: (entry: FolderEntry) => boolean;
  /** Whether the store knows one of this name. */
  isKnown: (name: string) => boolean;
  /** Removes one for good, by its path. */
  remove: (path: string) => Promise<void>;
  /** One of them stays where it is; the others go on. */
  onFailed: (name: string, error: unknown) => void;
}

interface AsideEntry {
  /** In the folder that holds them. */
  entry: string;
  /** That it came with. */
  name: string;
  at: number;
}

export function straysIn({ files, folder, isOurs, isKnown, remove, onFailed }: StraysDeps) {
  const aside = join(folder, asideName);

  async function each<T>(those: readonly T[], nameOf: (one: T) => string, work: (one: T) => Promise<void>) {
    for (const one of those) {
      try {
        await work(one);
      } catch (error) {
        onFailed(nameOf(one), error);
      }
    }
  }

  /** The newest first: of two with one name the later one is what a session saw last. */
  async function setAside(): Promise<AsideEntry[]> {
    if ((await files.stat(aside))?.kind !== 'folder') return [];
    const entries = await files.readFolder(aside);
    return entries
      .flatMap(({ name: entry }) => {
        // A name without a time is not from here, and stays.
        const [, name, at] = /^(.+)~(\d+)$/.exec(entry) ?? [];
        return name === undefined ? [] : [{ entry, name, at: Number(at) }];
      })
      .toSorted((a, b) => b.at - a.at);
  }

  const isFree = async (name: string): Promise<boolean> => (await files.lstat(join(folder, name))) === null;

  return {
    /** What the store knows returns first, then what it does not know goes aside. */
    async settle(now: number): Promise<void> {
      await each(
        (await setAside()).filter(({ name }) => isKnown(name)),
        ({ entry }) => entry,
        async ({ entry, name }) => {
          if (await isFree(name)) await files.move(join(aside, entry), join(folder, name));
        },
      );
      const strays = (await files.readFolder(folder)).filter(
        (entry) => entry.name !== asideName && isOurs(entry) && !isKnown(entry.name),
      );
      if (strays.length === 0) return;
      await files.makeFolder(aside);
      await each(
        strays,
        ({ name }) => name,
        ({ name }) => files.move(join(folder, name), join(aside, `${name}${separator}${String(now)}`)),
      );
    },
    /** What was set aside a week ago goes for good. */
    async purge(now: number): Promise<void> {
      const over = (await setAside()).filter(({ at }) => at <= now - keptAsideMs);
      await each(
        over,
        ({ entry }) => entry,
        ({ entry }) => remove(join(aside, entry)),
      );
    },
  };
}
