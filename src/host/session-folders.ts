/** Where sessions work for which nobody has chosen a folder: each in an empty one in the data folder. */
import { basename, join } from 'node:path';
import type { Clock } from '../platform/clock.ts';
import type { Files } from '../platform/files.ts';
import type { Log } from '../platform/log.ts';
import { straysIn, type StraysDeps } from './attachments/strays.ts';
import type { Store } from './store/store.ts';

export interface SessionFoldersDeps {
  files: Pick<Files, 'realPath' | 'removeFolder'> & StraysDeps['files'];
  dataDir: string;
  /** In the data folder: one of `ownWorkspaces`. */
  name: string;
  store: Pick<Store, 'sessionPlaces'>;
  clock: Clock;
  log: Log;
}

export function createSessionFolders({ files, dataDir, name, store, clock, log }: SessionFoldersDeps) {
  const home = join(dataDir, name);
  const warnOf = (id: string) => (error: unknown) =>
    log.warn('A folder of a session could not be tidied', { id, error: String(error) });
  return {
    /** Returns its real path. */
    async make(sessionId: string): Promise<string> {
      const folder = join(home, sessionId);
      await files.makeFolder(folder);
      return (await files.realPath(folder)) ?? folder;
    },
    /** For sessions that are gone for good. Nothing happens where there is none, or another session works in it. */
    async remove(sessionId: string): Promise<void> {
      if (namesIn(store.sessionPlaces()).has(sessionId)) return;
      await files.removeFolder(join(home, sessionId)).catch(warnOf(sessionId));
    },
    /**
     * Sets aside those of sessions that the store does not know, and brings back those that it knows again; what was set
     * aside a week ago is removed. Never rejects.
     */
    async tidy(): Promise<void> {
      try {
        const folder = await files.realPath(home);
        if (folder === null) return;
        const known = namesIn(store.sessionPlaces());
        const strays = straysIn({
          files,
          folder,
          isOurs: ({ kind }) => kind === 'folder',
          isKnown: (id) => known.has(id),
          remove: (path) => files.removeFolder(path),
          onFailed: (id, error) => warnOf(id)(error),
        });
        await strays.settle(clock.now());
        await strays.purge(clock.now());
      } catch (error) {
        log.error('Folders of sessions could not be tidied', error, { home });
      }
    },
  };
}

/** By name, not by path: the data folder may have been moved. A fork works in the folder of the session that it came from. */
const namesIn = (places: ReturnType<Store['sessionPlaces']>): Set<string> =>
  new Set(places.flatMap(({ id, folder }) => [id, basename(folder)]));
