/** Whether the answer of a led turn says something, and what stands in its place where it does not. */
import type { NoteKind } from '../../../protocol/model.ts';
import { escapeNotes } from '../../prompt/notes.ts';
import type { PersonMessage } from '../../prompt/person-message.ts';
import { recallsExamples } from '../opening/recalled.ts';
import type { CallRecord } from '../calls/discipline.ts';
import type { HistoryPort } from '../ports.ts';
import type { Correction } from './correct-answer.ts';
import type { GuidedTurn } from './guided-turn.ts';
import { firstLine, type Undone } from './steps.ts';
import { withoutMessageBehind } from './repeats.ts';
import { withPlace } from './with-place.ts';

type UndoneNote = Extract<NoteKind, 'unproven' | 'unrun' | 'only_ran' | 'all_failed'>;

/** Said to the model, and under an answer that may sound otherwise. */
export const undoneNotes: Readonly<Record<Undone, { kind: UndoneNote; text: string }>> = {
  work: { kind: 'unproven', text: 'Nothing was changed or run.' },
  run: { kind: 'unrun', text: 'No command was run.' },
  change: { kind: 'only_ran', text: 'Only a command was run.' },
  failed: { kind: 'all_failed', text: 'Every command ended with an error.' },
};

/** Where the answer is the error that told the model of it: nobody said yes, or nobody did in time. */
const declined = 'This was not done: it was not approved.';

/** Characters of a result that stands before the question once more: a small model answers what is right above. */
const maxSaidAgain = 1_000;

export interface AnswerCheck {
  /**
   * Null = the answer may stand. Else what it is asked for once more with.
   * @param isCircle it is one round of a reply that ran in circles, and nothing stood before that
   */
  whyNot: (answer: string, isCircle?: boolean) => Correction | null;
  /** @param corrected null = it had nothing else to say. Where it says nothing either, what was found or done stands for it. */
  after: (corrected: string | null, correction: Correction) => string | null;
  /** Without the message, where a small model says that over behind its answer; with the place of a line that was found. */
  mended: (answer: string) => string;
}

/** @param guided undefined = the model goes its own way, and its answers stand. */
export function answerCheck(
  guided: GuidedTurn | undefined,
  {
    message,
    newest,
    wasDeclined,
    log,
  }: {
    message: PersonMessage;
    newest: CallRecord | undefined;
    /** A call of this turn was not approved, which the person knows. */
    wasDeclined: boolean;
    log: Pick<HistoryPort['log'], 'messages'>;
  },
): AnswerCheck {
  if (guided === undefined)
    return { whyNot: () => null, after: (answer) => answer, mended: (answer) => answer };
  const saysNothing = (answer: string): boolean =>
    guided.isEcho(answer) || recallsExamples(answer, log.messages());
  const result = newest?.content ?? '';
  const mended = (answer: string): string => {
    const said = withoutMessageBehind(answer, message);
    return newest === undefined ? said : withPlace(said, newest);
  };
  return {
    whyNot(answer, isCircle = false) {
      if (wasDeclined) {
        const isError = newest?.ok === false && answer.trim() === firstLine(result);
        return isError ? { fact: declined, asks: 'missed' } : null;
      }
      // Where something was not found, the answer was to say why not, and a note below it says what was not done.
      const { undone } = guided.steps;
      if (undone !== null && guided.steps.missed === null)
        return { fact: undoneNotes[undone].text, asks: 'answer' };
      const missed = guided.missedBehind(answer, log.messages());
      if (missed !== null) return { fact: escapeNotes(missed), asks: 'missed' };
      if (!isCircle && !saysNothing(answer)) return null;
      const fact = result.length > maxSaidAgain ? '' : escapeNotes(result.trim());
      return { fact, asks: guided.asksAgainFor };
    },
    after(corrected, { asks, fact }) {
      if (corrected !== null && !saysNothing(corrected)) return mended(corrected);
      const isFound = newest?.ok === true && fact === escapeNotes(result.trim());
      if (isFound && newest.name === 'read_file') return fact.slice(fact.indexOf('\n') + 1);
      return (isFound || asks === 'done') && fact !== '' ? fact : corrected;
    },
    mended,
  };
}
