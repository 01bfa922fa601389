/** Where imported sessions work until the person chooses a folder: each in an empty one in the data folder. */
import { join } from 'node:path';
import type { Files } from '../platform/files.ts';
import type { Log } from '../platform/log.ts';
import { importedWorkspaces } from '../platform/own-workspaces.ts';
import type { Store } from './store/store.ts';

export interface ImportedFoldersDeps {
  files: Pick<Files, 'makeFolder' | 'realPath' | 'readFolder' | 'removeFolder'>;
  dataDir: string;
  store: Pick<Store, 'workspacesInUse'>;
  log: Log;
}

export function createImportedFolders({ files, dataDir, store, log }: ImportedFoldersDeps) {
  const home = join(dataDir, importedWorkspaces);
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
        for (const { name } of await files.readFolder(root))
          if (!used.has(join(root, name))) await files.removeFolder(join(root, name));
      } catch (error) {
        log.error('Folders of imported sessions could not be removed', error, {});
      }
    },
  };
}
