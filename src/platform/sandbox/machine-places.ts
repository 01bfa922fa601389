/** What of a Linux machine lies beside the work, and is not there for a command that is kept in. */
import type { ReadableFiles } from '../files.ts';

/** People's own folders, other disks, temporary files, and where services have their sockets. */
const beside = ['/home', '/root', '/mnt', '/media', '/run', '/tmp', '/var/tmp', '/var/lib/docker', '/srv'];

/** Those that are there, by their real paths; a home that lies elsewhere as well. */
export async function hiddenPlaces(
  files: Pick<ReadableFiles, 'realPath' | 'stat'>,
  homeDir: string | null,
): Promise<string[]> {
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
