/**
 * What a turn is about, in the model's own words, before it does anything: its acts in their order. What it may change and
 * run follows from them, so that no word of any human language is matched by Andiron.
 */
import type { TurnPermission, TurnScope } from '../../../protocol/model.ts';
import { anyText, grammar, list, object, oneOfValues, type Grammar } from '../../../rules/grammar/schema.ts';
import { parseJson } from '../../../protocol/json.ts';

export type ScopeStep = TurnScope['steps'][number];
export type Act = ScopeStep['act'];

const acts: readonly Act[] = ['answer', 'change', 'look', 'run', 'use'];
const maxSteps = 4;
/** Characters. */
export const maxWhat = 60;

/** What an answer is about that has nothing to tell but that the work is done, as worked examples say it. */
export const reportWords = 'say that it is done';

/** The act comes first in a step, so it is chosen before the words. */
const grammarOf = (some: readonly Act[]): Grammar =>
  grammar(
    object({
      steps: {
        ...list(
          object({
            act: oneOfValues(some) ?? anyText(),
            what: anyText({ minLength: 1, maxLength: maxWhat }),
          }),
          maxSteps,
        ),
        minItems: 1,
      },
    }),
  );

interface MayAct {
  /** Not for a model that wants to run what is not there. */
  mayRun?: boolean;
  /** Its profile reaches further than the folder. */
  mayUse: boolean;
  /** It has tools for the folder. */
  mayWork?: boolean;
}

export function openingGrammarFor({ mayRun = true, mayUse, mayWork = true }: MayAct): Grammar {
  const left: Readonly<Record<Act, boolean>> = {
    answer: true,
    change: mayWork,
    look: mayWork,
    run: mayWork && mayRun,
    use: mayUse,
  };
  return grammarOf(acts.filter((act) => left[act]));
}

/** As the model writes it under the grammar. */
export const openingText = (steps: readonly ScopeStep[]): string => JSON.stringify({ steps });

/** Null for a reply that is no opening. The last step is always an answer, and the only one. */
export function readOpening(text: string): ScopeStep[] | null {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return null;
  }
  const listed = isRecord(value) && Array.isArray(value['steps']) ? value['steps'] : [];
  const steps = listed.flatMap((step: unknown): ScopeStep[] => {
    if (!isRecord(step)) return [];
    const { act, what } = step;
    const known = acts.find((each) => each === act);
    return known && typeof what === 'string' ? [{ act: known, what: cut(what) }] : [];
  });
  if (steps.length === 0) return null;
  // A model that goes round in circles lists one step again and again.
  const once = steps.filter((step, at) => !isSame(step, steps[at - 1]));
  const work = once.filter(({ act }) => act !== 'answer').slice(0, maxSteps);
  const answer = steps.findLast(({ act }) => act === 'answer') ?? { act: 'answer', what: '' };
  return [...work, answer];
}

const isSame = ({ act, what }: ScopeStep, other: ScopeStep | undefined): boolean =>
  act === other?.act && what === other.what;

/** What a broken reply stands for: nothing is changed. */
export const cautiousSteps = (mayWork: boolean): readonly ScopeStep[] => [
  { act: mayWork ? 'look' : 'use', what: '' },
  { act: 'answer', what: '' },
];

/** @param allow what the person allowed besides: a step of its own, where the model did not think of it. */
export function scopeOf(steps: readonly ScopeStep[], allow: readonly TurnPermission[]): TurnScope {
  const may = (act: TurnPermission): boolean => allow.includes(act) || steps.some((step) => step.act === act);
  return { change: may('change'), run: may('run'), steps: [...steps] };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** By characters, as the schema of a scope counts them. */
function cut(text: string): string {
  return Array.from(text.replaceAll(/\s+/g, ' ').trim()).slice(0, maxWhat).join('').trimEnd().toWellFormed();
}
