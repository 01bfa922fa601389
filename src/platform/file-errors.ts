/** What the file system, or the edge before it, refused. */

/**
 * `link`: a link stands where a real path was promised. `changed`: another state than `expect`. `read_only`: Windows does not
 * replace such a file.
 */
export type FileRefusal = 'link' | 'changed' | 'not_a_file' | 'too_large' | 'read_only';

const refusals: Record<FileRefusal, string> = {
  link: 'is reached through a link',
  changed: 'has changed in this very moment',
  not_a_file: 'is not a regular file',
  too_large: 'is too large',
  read_only: 'is read-only',
};

export class FileRefusedError extends Error {
  readonly refusal: FileRefusal;
  readonly path: string;

  constructor(refusal: FileRefusal, path: string) {
    super(`${path} ${refusals[refusal]}`);
    this.name = 'FileRefusedError';
    this.refusal = refusal;
    this.path = path;
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

export async function absentAsNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    // ENOTDIR: a file stands where a parent folder was named. ELOOP: a link that leads to itself.
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR') || hasCode(error, 'ELOOP')) return null;
    throw error;
  }
}
