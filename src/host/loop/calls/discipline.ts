/**
 * The discipline of calls within one turn. It costs no prefix: a grammar is not part of the prompt.
 *
 * - must: while nothing was called, the next reply may not be an answer.
 * - settle: an identical call is not run again as long as nothing has changed; after two in a row only an answer is left.
 *   One alone may be a slip, and a task that is half done would end with it.
 * - repeated failure (W10): what failed twice in the same way is not run a third time.
 */
import { inWords, type Words } from '../../tools/advice.ts';

/** As it would run: the tool's own name, the arguments after their repair. */
export interface MadeCall {
  name: string;
  args: unknown;
}

interface CallEnd {
  ok: boolean;
  /** What the model read; the error of a failed call. */
  content: string;
  /** Whether its tool changes something. */
  mutates: boolean;
}

/** `result` is what the model reads in place of the call's own. */
type Admission = { run: true } | { run: false; why: 'repeated' | 'fails_again'; result: Words };

/** A call of this turn that came to its end. */
export interface CallRecord extends MadeCall {
  ok: boolean;
  mutates: boolean;
  content: string;
  /** Something has changed since, so it may have another outcome now. */
  stale: boolean;
}

export type Discipline = ReturnType<typeof createDiscipline>;

const maxFailures = 2;
const maxRepeats = 2;

const failsAgain = inWords(
  'Tool error: this call was not run: it has failed with the same arguments and the same error before.',
  'Do not repeat it. Change the arguments, use another tool, or say what is in the way.',
);

interface Past {
  call: MadeCall;
  mutates: boolean;
  ok: boolean;
  content: string;
  /** Identical failures in a row. */
  failures: number;
  /** Count of the calls before it. */
  at: number;
}

/** For one turn. `onRepeat`: a call is made once more with which nothing has changed since, and whether it had succeeded. */
export function createDiscipline(onRepeat: (hadSucceeded: boolean) => void = () => undefined) {
  const past = new Map<string, Past>();
  let made = 0;
  let changedAt = -1;
  /** Something succeeded that had not been called before, so a failure may have another outcome now. */
  let newsAt = -1;
  /** Calls in a row that were not run, because they were made before. */
  let repeats = 0;
  let onlyAnswer = false;

  function isStale({ ok, at }: Past): boolean {
    return ok ? changedAt > at : newsAt > at;
  }

  return {
    /** In order, the last of identical ones. */
    calls: (): CallRecord[] =>
      [...past.values()].map((each) => ({
        ...each.call,
        ok: each.ok,
        mutates: each.mutates,
        content: each.content,
        stale: isStale(each),
      })),
    /** What the next reply may be; for a grammar. */
    next: (must: boolean): { mayCall: boolean; mayAnswer: boolean } => ({
      mayCall: !onlyAnswer,
      mayAnswer: onlyAnswer || !must || made > 0,
    }),
    /** Before a call runs. `settle`: this reply was constrained. */
    admit(call: MadeCall, settle: boolean): Admission {
      const before = past.get(keyOf(call));
      if (!before || isStale(before)) return { run: true };
      if (before.ok) onRepeat(true);
      if (!settle && (before.ok || before.failures < maxFailures)) return { run: true };
      if (!before.ok) onRepeat(false);
      repeats += 1;
      onlyAnswer ||= settle && repeats >= maxRepeats;
      const why = before.ok ? 'repeated' : 'fails_again';
      // Where only an answer is left, it is made from what came of the call before.
      return { run: false, why, result: settle ? { content: before.content } : failsAgain };
    },
    /** After it ran, or was refused or declined. */
    ended(call: MadeCall, { ok, content, mutates }: CallEnd): void {
      const key = keyOf(call);
      const before = past.get(key);
      const again = before && !before.ok && !ok && before.content === content && !isStale(before);
      past.set(key, {
        call,
        mutates,
        ok,
        content,
        failures: ok ? 0 : (again ? before.failures : 0) + 1,
        at: made,
      });
      if (ok && mutates) changedAt = made;
      if (ok && (mutates || !before?.ok)) newsAt = made;
      made += 1;
      repeats = 0;
    },
  };
}

/** The same for the same call, in whichever order its arguments were written. */
const keyOf = ({ name, args }: MadeCall): string => JSON.stringify([name, args], inOrder);

const inOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
