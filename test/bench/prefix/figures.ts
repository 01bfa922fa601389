/** What the measurements come to, and which of it must hold. */
import type { FamilyName } from '../../../src/sim/render/index.ts';
import type { Measured, Place, Step } from './measure.ts';
import type { RawPolicy } from './raw-client.ts';

/** The family whose template keeps everything, thinking of old turns included. */
const keepsEverything = 'qwen3.8';

/** Tokens by the place of the request. */
export type Evaluated = Record<Place, number>;

export interface FamilyFigures {
  family: FamilyName;
  requests: number;
  headTokens: number;
  strictlyNew: number;
  /** Andiron's own words: of the first request (head and opening), and later ones. */
  head: number;
  notes: number;
  evaluated: number;
  /** Of it by warm-ups, which nobody waited for. */
  warmed: number;
  /** Evaluated between send and first token ÷ strictly new. */
  waited: number;
  /** Evaluated ÷ strictly new. */
  reread: number;
  /** The same without the one reading of the head. */
  rereadWithoutHead: number;
  /** Andiron ÷ best possible client: within turns, and over all requests. */
  excess: number;
  excessOfAll: number;
  best: RawPolicy;
  /** The client that tells the time, and the one that drops thinking, ÷ best possible client, within turns; NaN = none ran. */
  naive: number;
  plain: number;
  andiron: Evaluated;
  rivals: readonly { policy: RawPolicy; evaluated: Evaluated }[];
  steps: readonly Step[];
}

/** A figure that decides; `limit` is the worst value that passes, or the value to be exceeded. */
export interface Gate {
  figure: string;
  value: number;
  limit: number;
  direction: 'at most' | 'more than';
}

/** `quick`: five turns; `usual`: twenty; `full`: sixty, with everything that an agent does to its prompt. */
export type Form = 'quick' | 'usual' | 'full';

export function familyFigures({
  family,
  headTokens,
  steps,
  warmed,
  rivals: measured,
}: Measured): FamilyFigures {
  const rivals = measured.map(({ policy, evaluated }) => ({
    policy,
    evaluated: byPlace(steps, (_, index) => evaluated[index] ?? NaN),
  }));
  const andiron = byPlace(steps, ({ evaluated }) => evaluated);
  const clients = rivals.filter(({ policy }) => !policy.clock);
  const best = leastOf(clients, ({ evaluated }) => evaluated.within);
  const bestOfAll = leastOf(clients, ({ evaluated }) => total(evaluated));
  const ratioOf = (matches: (policy: RawPolicy) => boolean): number =>
    (rivals.find(({ policy }) => matches(policy))?.evaluated.within ?? NaN) / best.evaluated.within;
  const evaluated = total(andiron) + warmed;
  const strictlyNew = sum(steps, (step) => step.strictlyNew);
  const [first, ...later] = steps;
  const head = first?.own ?? NaN;
  return {
    family,
    requests: steps.length,
    headTokens,
    strictlyNew,
    head,
    notes: sum(later, ({ own }) => own),
    evaluated,
    warmed,
    waited: (andiron.first + andiron.within) / strictlyNew,
    reread: evaluated / strictlyNew,
    rereadWithoutHead: (evaluated - head) / strictlyNew,
    excess: andiron.within / best.evaluated.within,
    excessOfAll: evaluated / total(bestOfAll.evaluated),
    best: best.policy,
    naive: ratioOf(({ clock }) => clock),
    plain: ratioOf(({ clock, echoThinking, textBesideCall }) => !clock && !echoThinking && textBesideCall),
    andiron,
    rivals,
    steps,
  };
}

/** `excess`, `naive` and `plain` are the worst family's; `naive_least` is what the clock costs at the least. */
export function overallFigures(families: readonly FamilyFigures[], form: Form): Record<string, number> {
  const worst = (figure: (family: FamilyFigures) => number): number => Math.max(...families.map(figure));
  const keeper = families.find(({ family }) => family === keepsEverything);
  const figures = {
    excess: worst(({ excess }) => excess),
    excess_of_all: worst(({ excessOfAll }) => excessOfAll),
    reread_keep: keeper?.reread ?? NaN,
    reread_keep_without_head: keeper?.rereadWithoutHead ?? NaN,
    head_tokens: keeper?.headTokens ?? NaN,
    head_tokens_worst: worst(({ headTokens }) => headTokens),
  };
  if (form === 'full') return figures;
  return {
    ...figures,
    naive: worst(({ naive }) => naive),
    naive_least: Math.min(...families.map(({ naive }) => naive)),
    plain: worst(({ plain }) => plain),
  };
}

/**
 * A short conversation cannot outweigh the one reading of the head, so there `reread_keep` counts without it. In the
 * long one everything counts: plans, subagents and summaries too.
 */
export function gatesOf(figures: Record<string, number>, form: Form): Gate[] {
  const gate = (figure: string, direction: Gate['direction'], limit: number): Gate => ({
    figure,
    value: figures[figure] ?? NaN,
    limit,
    direction,
  });
  if (form === 'full')
    return [
      gate('excess', 'at most', 1.05),
      gate('reread_keep', 'at most', 1.1),
      gate('head_tokens', 'at most', 1800),
    ];
  return [
    gate('excess', 'at most', 1.02),
    gate(form === 'quick' ? 'reread_keep_without_head' : 'reread_keep', 'at most', 1.05),
    gate('naive_least', 'more than', 1.5),
  ];
}

export function holds({ value, limit, direction }: Gate): boolean {
  return direction === 'at most' ? value <= limit : value > limit;
}

const total = ({ first, within, aside }: Evaluated): number => first + within + aside;

function byPlace(steps: readonly Step[], cost: (step: Step, index: number) => number): Evaluated {
  const evaluated: Evaluated = { first: 0, within: 0, aside: 0 };
  for (const [index, step] of steps.entries()) evaluated[step.place] += cost(step, index);
  return evaluated;
}

function sum(steps: readonly Step[], of: (step: Step) => number): number {
  return steps.reduce((total, step) => total + of(step), 0);
}

function leastOf<T>(candidates: readonly T[], cost: (candidate: T) => number): T {
  return candidates.reduce((least, each) => (cost(each) < cost(least) ? each : least));
}
