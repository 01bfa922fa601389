/**
 * The notes that keep a run on its way (E2, E4, E5, E7): stall, replan, goal, budget, in this order (F2). A flag that is off adds not one
 * character (X12 f). State lives as long as the run, so a new message begins anew (Q11) and nothing waits past it (Q13).
 */
import type { NoteKind, Profile, Todo } from '../../protocol/model.ts';
import { budgetText, escapeNotes } from '../prompt/notes.ts';
import { readMessage, type PersonMessage } from '../prompt/person-message.ts';
import type { RanCall } from './evidence.ts';
import { shorten } from './reply-text.ts';
import { newlyFailed, progressOf, summarizeTodo } from './todo-list.ts';

export type SteeringFlags = Pick<
  Profile,
  | 'iterationBudgetEnabled'
  | 'goalAnchoringEnabled'
  | 'goalAnchoringInterval'
  | 'antiStallEnabled'
  | 'antiStallThreshold'
  | 'adaptiveReplanEnabled'
>;

/** `text` without the marker of a note. */
export interface SteeringNote {
  kind: Extract<NoteKind, 'budget' | 'goal' | 'stall' | 'replan'>;
  text: string;
  /** The part that is in Andiron's own words: goals and steps are in those of others. */
  ownWords: string;
}

export interface IterationEnd {
  /** Counts from 1. */
  iteration: number;
  /** Requests that are left. */
  left: number;
  /** In the order in which they were asked for. */
  calls: readonly Pick<RanCall, 'tool' | 'args'>[];
  todoBefore: Todo;
  todoAfter: Todo;
}

export type Steering = ReturnType<typeof createSteering>;

const maxGoalLength = 400;
const maxReasonLength = 160;

export function createSteering(goal: PersonMessage) {
  const stall = createStallWatch();

  return {
    /** For the message that opens the run; `left` = all its requests. */
    atStart({ iterationBudgetEnabled }: SteeringFlags, left: number): SteeringNote[] {
      if (!iterationBudgetEnabled) return [];
      return noteOf('budget', budgetText(left) ?? `You have ${String(left)} steps for this.`);
    },
    /**
     * Once per iteration, before its last result is committed. The flags are those of now: they may change in the middle.
     * At most one note of a kind.
     */
    afterIteration(flags: SteeringFlags, end: IterationEnd): SteeringNote[] {
      // Nobody would read them.
      if (end.left <= 0) return [];
      const stalled = stall.after(flags, end);
      const replan = flags.adaptiveReplanEnabled ? replanText(end) : null;
      if (replan !== null) stall.reset();
      const goalDue =
        flags.goalAnchoringEnabled &&
        flags.goalAnchoringInterval > 0 &&
        end.iteration % flags.goalAnchoringInterval === 0;
      return [
        ...noteOf('stall', stalled),
        ...noteOf('replan', replan, replanWords),
        ...noteOf('goal', goalDue ? goalText(goal, end.todoAfter) : null, goalWords),
        ...noteOf('budget', flags.iterationBudgetEnabled ? budgetText(end.left) : null),
      ];
    },
  };
}

/** Goals and steps are other people's words. */
const noteOf = (kind: SteeringNote['kind'], text: string | null, ownWords = text ?? ''): SteeringNote[] =>
  text === null ? [] : [{ kind, text: escapeNotes(text), ownWords }];

const goalWords = 'The goal is still:';
const replanWords =
  'Before you go on, change the remaining steps in the todo tool: find another way to the goal, and skip what is no longer needed.';

function goalText(goal: PersonMessage, todo: Todo): string {
  const asked = shorten(readMessage(goal).replaceAll(/\s+/g, ' ').trim(), maxGoalLength);
  return `${goalWords} ${asked} ${summarizeTodo(todo)}`.trim();
}

/** One text for all that failed in this iteration (Q13). */
function replanText({ todoBefore, todoAfter }: IterationEnd): string | null {
  const failed = newlyFailed(todoBefore, todoAfter).map(({ index, step }) => {
    const why = step.validation === null ? '' : `: ${shorten(step.validation, maxReasonLength)}`;
    return `Step ${String(index)} (${shorten(step.text, maxReasonLength)}) failed${why}.`;
  });
  if (failed.length === 0) return null;
  return `${failed.join(' ')} ${replanWords}`;
}

function createStallWatch() {
  let idle = 0;
  let repeated = 0;
  let lastCall = '';

  const reset = (): void => {
    [idle, repeated, lastCall] = [0, 0, ''];
  };

  return {
    /** A re-plan gives the run another way to go: what was counted so far is forgotten. */
    reset,
    /** null = no warning. Both counts begin anew with every warning, so it is not repeated at each iteration (Q11). */
    after(
      { antiStallEnabled, antiStallThreshold }: SteeringFlags,
      { calls, todoBefore, todoAfter }: IterationEnd,
    ): string | null {
      const progress = progressOf(todoAfter);
      const moved = progressOf(todoBefore) !== progress;
      if (!antiStallEnabled || moved) reset();
      if (!antiStallEnabled) return null;
      // Without steps that are open there is nothing that could progress.
      idle = moved || progress === '' ? 0 : idle + 1;

      let longest = 0;
      for (const call of calls) {
        const key = JSON.stringify([call.tool, canonical(call.args)]);
        repeated = key === lastCall ? repeated + 1 : 1;
        lastCall = key;
        longest = Math.max(longest, repeated);
      }
      // What one reply repeats is a stall also where that reply moved the list.
      if (longest >= antiStallThreshold && longest > 1) {
        [idle, repeated] = [0, 0];
        return `The same call was made ${String(longest)} times in a row. Its result will not change: do something else, or answer with what you have.`;
      }
      if (idle < antiStallThreshold) return null;
      const iterations = idle;
      idle = 0;
      return `No step was finished in the last ${String(iterations)} iterations. Finish one, mark what is done or cannot be done, or try another way.`;
    },
  };
}

/** Equal arguments in another order of their keys are equal. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, canonical(inner)]),
  );
}
