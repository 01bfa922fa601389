import { useState } from 'react';
import { useAnswer, type Answer } from '../../commands/use-answer.ts';

/** An answer that a person can ask for again, as when there was none. */
export function useAsked<T>(
  key: string | null,
  ask: Parameters<typeof useAnswer<T>>[1],
): Answer<T> & { again: () => void } {
  const [times, setTimes] = useState(0);
  const answer = useAnswer(key === null ? null : `${key}:${String(times)}`, ask);
  return { ...answer, again: () => setTimes((before) => before + 1) };
}
