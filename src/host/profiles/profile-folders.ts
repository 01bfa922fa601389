/** Where the person's profiles stand on the disk: written, found a name, moved aside and back. */
import { join } from 'node:path';
import type { Files } from '../../platform/files.ts';
import { AndironError } from '../../protocol/errors.ts';

/** Beside the profiles, and no profile itself: names that begin with a dot are nobody's. */
const asideName = '.deleted';

export type ProfileFolders = ReturnType<typeof profileFolders>;

/** As long as a deleted session. */
export const keptAsideMs = 7 * 24 * 60 * 60 * 1000;

export type NamedText = [name: string, text: string];

export function profileFolders(files: Files, userDir: string) {
  const aside = join(userDir, asideName);
  const has = async (id: string): Promise<boolean> => (await files.lstat(join(userDir, id))) !== null;

  return {
    /** Whatever stands there, a link too. */
    has,
    /** A person may keep profiles elsewhere and link to them: what the link leads to is written. */
    /** Throws AndironError `storage`; all but the last file may then be written. */
    write: (id: string, contents: readonly NamedText[]): Promise<void> =>
      onDisk(userDir, 'The profile could not be saved', async () => {
        const folder = join(userDir, id);
        await files.makeFolder(folder);
        const real = (await files.realPath(folder)) ?? folder;
        for (const [name, text] of contents) {
          await files.writeAtomic((await files.realPath(join(real, name))) ?? join(real, name), text);
        }
      }),
    /** Returns what `bringBack` needs. */
    setAside: (id: string, now: number): Promise<string> =>
      onDisk(userDir, 'The profile could not be deleted', async () => {
        await files.makeFolder(aside);
        const name = `${id}${separator}${String(now)}`;
        await files.move(join(userDir, id), join(aside, name));
        return name;
      }),
    /** Returns the id. Throws AndironError `not_found`, or `busy` where another profile has taken the name. */
    bringBack: (name: string): Promise<string> =>
      onDisk(userDir, 'The profile could not be brought back', async () => {
        const kept = await files.stat(aside);
        const there = kept && (await files.readFolder(aside)).some((entry) => entry.name === name);
        const id = name.slice(0, name.lastIndexOf(separator));
        if (!there || id === '')
          throw new AndironError(
            'not_found',
            'This profile is not kept any more.',
            'A deleted profile is kept for seven days. Make a new one.',
          );
        if (await has(id)) {
          const advice = `It is kept in ${join(aside, name)}.`;
          throw new AndironError('busy', `There is another profile in the folder ${id} now.`, advice);
        }
        await files.move(join(aside, name), join(userDir, id));
        return id;
      }),
    /** What was set aside so long ago that its undo is over goes for good. */
    async purge(now: number): Promise<void> {
      if (!(await files.stat(aside))) return;
      for (const { name } of await files.readFolder(aside)) {
        // A name without a time is not from here, and stays.
        const [, at] = /~(\d+)$/.exec(name) ?? [];
        if (at !== undefined && Number(at) <= now - keptAsideMs) await files.removeFolder(join(aside, name));
      }
    },
  };
}

/** Between id and time; no id holds it. */
const separator = '~';

async function onDisk<T>(folder: string, failed: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AndironError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const advice = `Check that ${folder} can be written and that the disk is not full.`;
    throw new AndironError('storage', `${failed}: ${reason}`, advice, { cause: error });
  }
}

const maxIdLength = 40;

/** A folder name that the id pattern takes: "Größe & Co." → "grosse-co", and the first free one of "name", "name-2" … */
export async function freeId(
  name: string,
  taken: (id: string) => boolean | Promise<boolean>,
): Promise<string> {
  const words = name
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, maxIdLength)
    .replace(/-+$/, '');
  // Windows has devices of these names.
  const base = words === '' || /^(?:con|prn|aux|nul|com\d|lpt\d)$/.test(words) ? 'profile' : words;
  let id = base;
  for (let next = 2; await taken(id); next += 1) id = `${base}-${String(next)}`;
  return id;
}
