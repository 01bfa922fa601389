import { useEffect, useRef, useState } from 'react';
import { useAttempt, type Failure } from './use-attempt.ts';

interface SentChanges<T> {
  changes: Partial<T>;
  /** The record as it was told last when the host had taken them; null = they are on their way. */
  takenAt: T | null;
}

interface RecordChanges<T> {
  /** The record as it will be. */
  shown: T;
  failure: Failure | null;
  change: (changes: Partial<T>) => Promise<void>;
}

/**
 * A record that can only be sent whole. What was changed in it goes along with each further change until the host tells
 * the record again: a tap on a control both takes what was typed in the field before it and changes something itself.
 */
export function useRecordChanges<T extends object>(
  record: T,
  send: (whole: T) => Promise<unknown>,
): RecordChanges<T> {
  const { failure, attempt } = useAttempt();
  const [sent, setSent] = useState<readonly SentChanges<T>[]>([]);
  const newest = useRef(record);
  useEffect(() => {
    newest.current = record;
  }, [record]);
  const isOpen = ({ takenAt }: SentChanges<T>): boolean => takenAt === null || takenAt === record;
  const shown = { ...record };
  for (const { changes } of sent.filter(isOpen)) Object.assign(shown, changes);
  const change = async (changes: Partial<T>): Promise<void> => {
    const one: SentChanges<T> = { changes, takenAt: null };
    setSent((before) => [...before.filter(isOpen), one]);
    const isTaken = await attempt(() => send({ ...shown, ...changes }));
    const taken = isTaken ? [{ changes, takenAt: newest.current }] : [];
    setSent((before) => before.flatMap((each) => (each === one ? taken : [each])));
  };
  return { shown, failure, change };
}
