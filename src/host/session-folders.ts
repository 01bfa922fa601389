/** Where sessions work for which nobody has chosen a folder: each in an empty one in the data folder. */
import { join } from 'node:path';
import type { Files } from '../platform/files.ts';
import type { Log } from '../platform/log.ts';
import type { Store } from './store/store.ts';

export interface SessionFoldersDeps {
  files: Pick<Files, 'makeFolder' | 'realPath' | 'readFolder' | 'removeFolder'>;
  dataDir: string;
  /** In the data folder: one of `ownWorkspaces`. */
  name: string;
  store: Pick<Store, 'workspacesInUse'>;
  log: Log;
}

export function createSessionFolders({ files, dataDir, name, store, log }: SessionFoldersDeps) {
  const home = join(dataDir, name);
  return {
    /** Returns its real path. */
    async make(sessionId: string): Promise<string> {
      const folder = join(home, sessionId);
      await files.makeFolder(folder);
      return (await files.realPath(folder)) ?? folder;
    },
    /** Removes those of sessions that are gone for good. Never rejects. */
    async tidy(): Promise<void> {
      try {
        const root = await files.realPath(home);
        if (root === null) return;
        const used = store.workspacesInUse();
        for (const { name: id } of await files.readFolder(root))
          if (!used.has(join(root, id))) await files.removeFolder(join(root, id));
      } catch (error) {
        log.error('Folders of sessions could not be removed', error, { home });
      }
    },
  };
}
