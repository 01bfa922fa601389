/** What a part of the settings asks for and does, and why that failed. */
import { useCallback, useState } from 'react';
import { wordsOf, type ErrorWords } from '../../commands/error-words.ts';
import { useAnswer, type Answer } from '../../commands/use-answer.ts';

export type Asked<T> = Answer<T> & { again: () => void };

/** An answer that a person can ask for again, as when there was none. */
export function useAsked<T>(key: string | null, ask: Parameters<typeof useAnswer<T>>[1]): Asked<T> {
  const [times, setTimes] = useState(0);
  const answer = useAnswer(key === null ? null : `${key}:${String(times)}`, ask);
  return { ...answer, again: () => setTimes((before) => before + 1) };
}

export type Failure = ErrorWords;

/** Runs an action and keeps why it failed, to be shown beside what was pressed. */
export function useAttempt() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  /** Resolves true when it worked; what went wrong is kept until the next attempt. */
  const attempt = useCallback(async (action: () => unknown): Promise<boolean> => {
    setBusy(true);
    setFailure(null);
    try {
      await action();
      return true;
    } catch (error) {
      setFailure(wordsOf(error));
      return false;
    } finally {
      setBusy(false);
    }
  }, []);
  return { busy, failure, attempt };
}
