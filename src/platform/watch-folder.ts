/**
 * Watching a folder and the folders directly in it. Node's own recursive watch loses sight of a file on Linux once
 * it was replaced by renaming, which is how editors and Andiron itself save; a folder's watch sees that every time.
 */
import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';

export type FolderWatch = ReturnType<typeof watchFolder>;

/** Whoever reads after `onChange` misses nothing: new folders are watched before it is called. */
export function watchFolder(path: string, onChange: () => void, onError: (error: unknown) => void) {
  let inner: FSWatcher[] = [];
  const closeInner = (): void => {
    for (const watcher of inner) watcher.close();
    inner = [];
  };
  // All anew, because a folder that was removed and made again has the same name.
  const watchInner = (): void => {
    closeInner();
    inner = foldersIn(path).map((folder) =>
      // A folder that is gone is told by the watch above it.
      watch(folder, { persistent: false }, onChange).on('error', closeInner),
    );
  };
  const guarded = (run: () => void): void => {
    try {
      run();
    } catch (error) {
      onError(error);
    }
  };

  const outer = watch(path, { persistent: false }, () => {
    guarded(watchInner);
    onChange();
  });
  outer.on('error', onError);
  guarded(watchInner);
  return {
    close(): void {
      outer.close();
      closeInner();
    },
  };
}

function foldersIn(path: string): string[] {
  return readdirSync(path)
    .map((name) => join(path, name))
    .filter((entry) => statSync(entry, { throwIfNoEntry: false })?.isDirectory() ?? false);
}
