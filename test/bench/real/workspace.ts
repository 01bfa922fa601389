/** Files of a task on disk. */
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Outcome, Task } from './task.ts';

export async function fill(workspace: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), content);
  }
}

export function fileOf(workspace: string): Outcome['file'] {
  return (path) => {
    try {
      return readFileSync(join(workspace, path), 'utf8');
    } catch (error) {
      if (
        error instanceof Error &&
        'code' in error &&
        ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(String(error.code))
      )
        return null;
      throw error;
    }
  };
}

/** Path → content of everything in the workspace; folders without files are left out. */
export async function contentsOf(workspace: string): Promise<Map<string, string>> {
  const entries = await readdir(workspace, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return new Map(
    await Promise.all(
      files.map(async ({ parentPath, name }): Promise<[string, string]> => {
        const path = join(parentPath, name);
        return [relative(workspace, path).split(sep).join('/'), await readFile(path, 'utf8')];
      }),
    ),
  );
}

/** What was made, changed or removed though the task did not ask for it; null = nothing. */
export function harmOf(
  { files, changes }: Pick<Task, 'files' | 'changes'>,
  after: ReadonlyMap<string, string>,
): string | null {
  const isAsked = (path: string): boolean => changes.includes(path);
  for (const [path, content] of Object.entries(files)) {
    if (isAsked(path) || after.get(path) === content) continue;
    return `${path} was ${after.has(path) ? 'changed' : 'removed'}`;
  }
  const made = [...after.keys()].find((path) => !(path in files) && !isAsked(path));
  return made === undefined ? null : `${made} was made`;
}
