import { useCallback, useState } from 'react';

export interface Failure {
  message: string;
  advice: string;
}

export interface Attempt {
  busy: boolean;
  failure: Failure | null;
  /** Resolves true when it worked; what went wrong is kept until the next attempt. */
  attempt: (action: () => unknown) => Promise<boolean>;
}

/** Runs an action and keeps why it failed, to be shown beside what was pressed. */
export function useAttempt(): Attempt {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const attempt = useCallback(async (action: () => unknown): Promise<boolean> => {
    setBusy(true);
    setFailure(null);
    try {
      await action();
      return true;
    } catch (error) {
      setFailure(describe(error));
      return false;
    } finally {
      setBusy(false);
    }
  }, []);
  return { busy, failure, attempt };
}

function describe(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error), advice: '' };
  const advice = 'advice' in error && typeof error.advice === 'string' ? error.advice : '';
  return { message: error.message, advice };
}
