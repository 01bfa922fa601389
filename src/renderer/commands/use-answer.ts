import { useEffect, useEffectEvent, useState } from 'react';
import { useEngine, useHost } from '../stores/stores.ts';
import { useCommands } from './commands.ts';
import { isDisconnect, wordsOf, type ErrorWords } from './error-words.ts';
import type { Questions } from './questions.ts';

export interface Answer<T> {
  /** null until it came; the last one stays while the next is on its way. */
  value: T | null;
  /** Why there is none. */
  failure: ErrorWords | null;
}

/** `lost`: the question that nobody was there to answer. */
type Settled<T> = Answer<T> & { lost: string | null };

const none: Settled<never> = { value: null, failure: null, lost: null };

/**
 * Asks again whenever `key` changes, and takes only the newest answer; a null key asks nothing.
 * What failed for want of a connection is asked again when that changes: a person may be quicker than a window that opens.
 * What is asked must follow from the key alone.
 */
export function useAnswer<T>(key: string | null, ask: (questions: Questions) => Promise<T>): Answer<T> {
  const { ask: questions } = useCommands();
  const [answer, setAnswer] = useState<Settled<T>>(none);
  // Made anew with every render; the key alone says when something else is asked.
  const latest = useEffectEvent(ask);
  const host = useHost(({ connection }) => connection);
  const engine = useEngine(({ connection }) => connection);
  const links = `${host} ${engine}`;
  const [round, setRound] = useState({ links, count: 0 });
  const question = key === null ? null : `${key} ${String(round.count)}`;
  const isLost = question !== null && answer.lost === question;
  if (links !== round.links) setRound({ links, count: round.count + (isLost ? 1 : 0) });
  useEffect(() => {
    if (question === null) return;
    let wanted = true;
    const show = async (): Promise<void> => {
      const next = await settle(question, latest(questions));
      if (wanted) setAnswer(next);
    };
    void show();
    return () => {
      wanted = false;
    };
  }, [question, questions]);
  return key === null ? none : answer;
}

async function settle<T>(question: string, asked: Promise<T>): Promise<Settled<T>> {
  try {
    return { value: await asked, failure: null, lost: null };
  } catch (error) {
    return { value: null, failure: wordsOf(error), lost: isDisconnect(error) ? question : null };
  }
}
