import { useEffect, useEffectEvent, useState } from 'react';
import { useCommands } from './commands.ts';
import { wordsOf, type ErrorWords } from './error-words.ts';
import type { Questions } from './questions.ts';

export interface Answer<T> {
  /** null until it came; the last one stays while the next is on its way. */
  value: T | null;
  /** Why there is none. */
  failure: ErrorWords | null;
}

const none: Answer<never> = { value: null, failure: null };

/**
 * Asks again whenever `key` changes, and takes only the newest answer; a null key asks nothing.
 * What is asked must follow from the key alone.
 */
export function useAnswer<T>(key: string | null, ask: (questions: Questions) => Promise<T>): Answer<T> {
  const { ask: questions } = useCommands();
  const [answer, setAnswer] = useState<Answer<T>>(none);
  // Made anew with every render; the key alone says when something else is asked.
  const latest = useEffectEvent(ask);
  useEffect(() => {
    if (key === null) return;
    let wanted = true;
    const show = async (): Promise<void> => {
      const next = await settle(latest(questions));
      if (wanted) setAnswer(next);
    };
    void show();
    return () => {
      wanted = false;
    };
  }, [key, questions]);
  return key === null ? none : answer;
}

async function settle<T>(asked: Promise<T>): Promise<Answer<T>> {
  try {
    return { value: await asked, failure: null };
  } catch (error) {
    return { value: null, failure: wordsOf(error) };
  }
}
