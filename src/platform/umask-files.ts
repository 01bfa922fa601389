/** Files as they are made in a workspace: with the permissions that the person's other programs would give them. */
import { chmod, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Files } from './files.ts';

/** @param umask what the person's new files do without */
export function filesWithUmask(files: Files, umask: number): Files {
  return {
    ...files,
    writeAtomic: (path, content, options) =>
      files.writeAtomic(path, content, {
        ...options,
        mode: options?.mode ?? 0o666 & ~umask,
        folderMode: 0o777 & ~umask,
      }),
    async makeFolder(path) {
      const first = await mkdir(path, { recursive: true });
      if (first === undefined) return;
      for (let made = path; made.length >= first.length; made = dirname(made))
        await chmod(made, 0o777 & ~umask);
    },
  };
}
