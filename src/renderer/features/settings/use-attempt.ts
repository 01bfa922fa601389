import { useCallback, useState } from 'react';
import { wordsOf, type ErrorWords } from '../../commands/error-words.ts';

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
