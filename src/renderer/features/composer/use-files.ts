import { useEffect, useState } from 'react';
import { useAnswer } from '../../commands/use-answer.ts';

export interface FoundFiles {
  /** null = not answered yet. */
  files: string[] | null;
  complete: boolean;
  failure: string | null;
}

/** Short enough not to be noticed, long enough for the next key. */
const pauseMs = 80;

/** Files of the workspace by parts of their path, asked for when the writing pauses; a null query asks nothing. */
export function useFiles(workspace: string | null, query: string | null): FoundFiles {
  const settled = usePause(query);
  const asked = query === null ? null : (settled ?? query);
  const key = workspace === null || asked === null ? null : `${workspace}\n${asked}`;
  const { value, failure } = useAnswer(key, async (ask) => {
    const words = asked ?? '';
    return { words, ...(await ask.files(workspace ?? '', words.slice(0, longest))) };
  });
  const late = value !== null && value.words !== query;
  return {
    files: late ? fitting(value.files, query ?? '') : (value?.files ?? null),
    complete: value?.complete ?? true,
    failure: failure?.message ?? null,
  };
}

/** What the host takes. */
const longest = 200;

/** The value once it has stayed the same for a moment; the first one at once. */
function usePause(value: string | null): string | null {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value === null || settled === null ? 0 : pauseMs);
    return () => clearTimeout(timer);
  }, [value, settled]);
  return settled;
}

/** Of an answer to fewer letters, what still fits: Enter never takes a file that does not match what is written. */
function fitting(files: string[], query: string): string[] {
  const wanted = Array.from(query.toLowerCase()).filter((letter) => letter.trim() !== '');
  return files.filter((file) => {
    let at = 0;
    const path = file.toLowerCase();
    return wanted.every((letter) => {
      at = path.indexOf(letter, at) + 1;
      return at > 0;
    });
  });
}
