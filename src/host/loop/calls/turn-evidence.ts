/** What the replies of one turn say of their model's abilities. Each thing that was seen counts once. */
import type { Ability } from '../../../protocol/abilities.ts';
import type { ModelInfo } from '../../../protocol/model.ts';
import type { Grammar } from '../../../rules/grammar/schema.ts';
import type { ModelKnowledge } from '../deps.ts';
import type { Detail } from './constrained.ts';
import type { LadderReply, NextAction } from './ladder.ts';
import { detailOf, type Way } from './ways.ts';

export interface Seen {
  ability: Ability;
  isGood: boolean;
}

type JudgedReply = Pick<LadderReply, 'asked' | 'broken' | 'missingTokens' | 'calls' | 'inText'>;

/** A reply that neither calls nor fails at a call says nothing of how its model calls. */
export function seenInReply(reply: JudgedReply, action: NextAction, neededCall: boolean): Seen[] {
  const asked: Ability = reply.asked === 'native' ? 'native' : 'grammar';
  switch (action.do) {
    case 'run':
      return [{ ability: asked, isGood: true }];
    case 'run_text':
      return [
        { ability: 'text', isGood: true },
        // It was asked in a way in which it does not call, or its engine ignores the grammar or the marks of its calls.
        { ability: asked, isGood: false },
      ];
    case 'explain':
      return [{ ability: asked, isGood: false }];
    case 'ask_again':
    case 'give_up':
      return failedCall(reply, neededCall, asked);
    case 'answer':
    case 'cut':
      return [];
  }
}

function failedCall(
  { broken, missingTokens, calls, inText }: JudgedReply,
  neededCall: boolean,
  asked: Ability,
): Seen[] {
  const isUnreadableText = asked === 'native' && inText.attempts.length > 0;
  const isFailed =
    broken !== null || missingTokens !== null || calls.length > 0 || isUnreadableText || neededCall;
  return [
    ...(isFailed ? [{ ability: asked, isGood: false }] : []),
    ...(isUnreadableText ? [{ ability: 'text' as const, isGood: false }] : []),
  ];
}

/**
 * Of a grammar that the engine took. `schemaOf`: what each detail of the same reply would be. `refused`: the way that it
 * refused just before; undefined = none.
 */
export function seenInGrammar(
  way: Way,
  schemaOf: (detail: Detail) => Grammar,
  refused: Way | undefined,
): Seen[] {
  const detail = detailOf(way);
  if (detail === null || detail === 'names') return [];
  const written = (each: Detail): string => JSON.stringify(schemaOf(each));
  const hasPatterns = written(detail) !== written('no_patterns') && detail === 'all';
  const hasValues = written('no_patterns') !== written('no_values');
  if (detail === 'no_values')
    return refused === 'no_patterns' || (refused === 'all' && hasValues)
      ? [{ ability: 'values', isGood: false }]
      : [];
  return [
    ...(hasPatterns ? [{ ability: 'pattern' as const, isGood: true }] : []),
    ...(refused === 'all' ? [{ ability: 'pattern' as const, isGood: false }] : []),
    ...(hasValues ? [{ ability: 'values' as const, isGood: true }] : []),
  ];
}

/** Passes on what was seen, for whichever model was asked. */
export class TurnEvidence {
  readonly #models: Pick<ModelKnowledge, 'observe'>;
  /** Said of the engine once in a turn: it would be the same each time. */
  readonly #taken = new Set<string>();
  /** Of the turn as a whole, by the digest of the model. */
  readonly #verdicts = new Map<string, { model: ModelInfo; good: Set<Ability>; bad: Set<Ability> }>();

  constructor(models: Pick<ModelKnowledge, 'observe'>) {
    this.#models = models;
  }

  saw(model: ModelInfo, seen: readonly Seen[]): void {
    for (const { ability, isGood } of seen) this.#models.observe(model, ability, isGood);
  }

  sawGrammar(model: ModelInfo, seen: readonly Seen[]): void {
    const fresh = seen.filter(({ ability, isGood }) => {
      const key = JSON.stringify([model.digest, ability, isGood]);
      const isFresh = !this.#taken.has(key);
      this.#taken.add(key);
      return isFresh;
    });
    this.saw(model, fresh);
  }

  /** True = it answered once its result was there; false = it made the same call once more after that had succeeded. */
  settled(model: ModelInfo, isGood: boolean): void {
    this.#models.observe(model, 'settles', isGood);
  }

  /** Of a turn that asks for no change: whether it made no changing call. */
  restrained(model: ModelInfo, isGood: boolean): void {
    this.#judge(model, 'restraint', isGood);
  }

  /** True = work followed a planning call; false = the third planning call in a row. */
  planned(model: ModelInfo, isGood: boolean): void {
    this.#judge(model, 'planning', isGood);
  }

  /** True = a reply came after a note and has none of its words; false = they stand in a call or an answer. */
  followedNote(model: ModelInfo, isGood: boolean): void {
    this.#judge(model, 'notes', isGood);
  }

  /** The turn has its answer: what was good in it, and never bad, counts now. */
  finished(): void {
    for (const { model, good, bad } of this.#verdicts.values())
      for (const ability of good) if (!bad.has(ability)) this.#models.observe(model, ability, true);
    this.#verdicts.clear();
  }

  /** What is bad counts at once, since such a turn may never finish; and each of them once in a turn. */
  #judge(model: ModelInfo, ability: Ability, isGood: boolean): void {
    const verdict = this.#verdicts.get(model.digest) ?? { model, good: new Set(), bad: new Set() };
    this.#verdicts.set(model.digest, verdict);
    if (!isGood && !verdict.bad.has(ability)) this.#models.observe(model, ability, false);
    (isGood ? verdict.good : verdict.bad).add(ability);
  }
}

/** The fullest of the grammars that the model's engine is known to take. */
export function firstDetail(model: ModelInfo, knowledge: Pick<ModelKnowledge, 'holds'>): Detail {
  if (!knowledge.holds(model, 'values')) return 'no_values';
  return knowledge.holds(model, 'pattern') ? 'all' : 'no_patterns';
}
