/** What the file system says to an Andiron that starts, in words for the person who started it. */

export interface StartFailure {
  message: string;
  /** What to do next. */
  advice: string;
}

const another = 'or start Andiron with another data folder (--data-dir).';

const words: Readonly<Record<string, (where: string) => StartFailure>> = {
  EACCES: notWritable,
  EPERM: notWritable,
  EROFS: (where) => ({
    message: `The disk is read-only: ${where} cannot be written.`,
    advice: `Make it writable, ${another}`,
  }),
  ENOSPC: diskFull,
  EDQUOT: diskFull,
  ENOTDIR: inTheWay,
  EEXIST: inTheWay,
  EISDIR: inTheWay,
  ELOOP: (where) => ({
    message: `A link that leads to itself is in the way of ${where}.`,
    advice: `Move it away, ${another}`,
  }),
};

/** null = it is no failure of the file system that a person can do something about. */
export function describeFileFailure(error: unknown): StartFailure | null {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error)) return null;
  const describe = Object.hasOwn(words, String(error.code)) ? words[String(error.code)] : undefined;
  return describe?.(String(error.path)) ?? null;
}

function notWritable(where: string): StartFailure {
  return {
    message: `Andiron may not write ${where}.`,
    advice: `Give yourself read and write permission on the data folder, ${another}`,
  };
}

function diskFull(where: string): StartFailure {
  return {
    message: `The disk is full: ${where} cannot be written.`,
    advice: 'Free some space, then start Andiron again.',
  };
}

function inTheWay(where: string): StartFailure {
  return {
    message: `Andiron needs this path, and something else is there: ${where}.`,
    advice: `Move it away, ${another}`,
  };
}
