/** Archives of Electron's kind: those of people, and Andiron's own, which holds its code. */
import { registerHooks } from 'node:module';

/**
 * Electron's file system shows every `*.asar` as a folder (Electron: tutorial/asar-archives.md), where the tools must see
 * the file that it is. After this call this thread sees files. Code that is imported later is still found in Andiron's own
 * archive: the flag is cleared for each step of an import, and set again before anything else can run.
 */
export function showArchivesAsFiles(): void {
  seeArchives(false);
  registerHooks({
    resolve: (specifier, context, nextResolve) => insideArchives(() => nextResolve(specifier, context)),
    load: (url, context, nextLoad) => insideArchives(() => nextLoad(url, context)),
  });
}

/** @param read is synchronous: a tool that ran before it had ended would see folders. */
function insideArchives<T>(read: () => T): T {
  seeArchives(true);
  try {
    return read();
  } finally {
    seeArchives(false);
  }
}

function seeArchives(seen: boolean): void {
  Object.assign(process, { noAsar: !seen });
}
