/** What of a machine lies beside the work, and is not there for a command that is kept in. */
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { ReadableFiles } from '../files.ts';

/** People's own folders, other disks, temporary files, and where services have their sockets. */
const besideOnLinux = [
  '/home',
  '/root',
  '/mnt',
  '/media',
  '/run',
  '/tmp',
  '/var/tmp',
  '/var/lib/docker',
  '/srv',
];

/** The last one shows the volume of the others once more, by names that nobody uses. */
const besideOnMac = [
  '/Users',
  '/Volumes',
  '/Network',
  '/home',
  '/tmp',
  '/var/tmp',
  '/var/folders',
  '/var/root',
  '/var/run',
  '/System/Volumes/Data',
];

/** Those that are there, by their real paths; a home that lies elsewhere as well. */
export async function hiddenPlaces(
  files: Pick<ReadableFiles, 'realPath' | 'stat'>,
  homeDir: string | null,
  platform = 'linux',
): Promise<string[]> {
  const beside = platform === 'darwin' ? besideOnMac : besideOnLinux;
  const named = homeDir === null ? beside : [...beside, homeDir];
  const real = await Promise.all(
    named.map(async (path) => {
      const found = await files.realPath(path).catch(() => null);
      // A machine whose home is the whole disk has nothing beside it.
      if (found === null || found === '/') return [];
      return (await files.stat(found))?.kind === 'folder' ? [found] : [];
    }),
  );
  return [...new Set(real.flat())];
}

/** The first of that name on a PATH; null = there is none. */
export async function findProgram(name: string, path = ''): Promise<string | null> {
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const file = join(folder, name);
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return null;
}
