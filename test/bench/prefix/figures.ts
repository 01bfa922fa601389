/** What the measurements come to, and which of it must hold. */
import type { Evaluated, Measured } from './measure.ts';
import type { RawPolicy } from './raw-client.ts';

/** The clients that a best possible one is chosen from with hindsight, and the one that tells the time. */
export const policies: readonly RawPolicy[] = [
  { echoThinking: true, textBesideCall: true, clock: false },
  { echoThinking: true, textBesideCall: false, clock: false },
  { echoThinking: false, textBesideCall: true, clock: false },
  { echoThinking: false, textBesideCall: false, clock: false },
  { echoThinking: true, textBesideCall: true, clock: true },
];

/** The family whose template keeps everything, thinking of old turns included. */
const keepsEverything = 'qwen3.8';

export interface FamilyFigures {
  family: string;
  requests: number;
  strictlyNew: number;
  head: number;
  notes: number;
  evaluated: number;
  /** Evaluated between send and first token ÷ strictly new. */
  waited: number;
  /** Evaluated, warm-ups included ÷ strictly new. */
  reread: number;
  /** The same without the one reading of the head. */
  rereadWithoutHead: number;
  /** Andiron ÷ best possible client: within turns, and over all requests. */
  excess: number;
  excessOfAll: number;
  best: RawPolicy;
  /** The client that tells the time, and the one that drops thinking, ÷ best possible client, within turns. */
  naive: number;
  plain: number;
  andiron: Evaluated;
  rivals: Measured['rivals'];
}

/** A figure that decides; `limit` is the worst value that passes, or the value to be exceeded. */
export interface Gate {
  figure: string;
  value: number;
  limit: number;
  direction: 'at most' | 'more than';
}

export function familyFigures({ family, requests, fresh, andiron, rivals }: Measured): FamilyFigures {
  const clients = rivals.filter(({ policy }) => !policy.clock);
  const best = leastOf(clients, ({ evaluated }) => evaluated.within);
  const bestOfAll = leastOf(clients, ({ evaluated }) => total(evaluated));
  const ratioOf = (matches: (policy: RawPolicy) => boolean): number =>
    (rivals.find(({ policy }) => matches(policy))?.evaluated.within ?? NaN) / best.evaluated.within;
  return {
    family,
    requests,
    strictlyNew: fresh.strictlyNew,
    head: fresh.head,
    notes: fresh.notes,
    evaluated: total(andiron),
    waited: (andiron.first + andiron.within) / fresh.strictlyNew,
    reread: total(andiron) / fresh.strictlyNew,
    rereadWithoutHead: (total(andiron) - fresh.head) / fresh.strictlyNew,
    excess: andiron.within / best.evaluated.within,
    excessOfAll: total(andiron) / total(bestOfAll.evaluated),
    best: best.policy,
    naive: ratioOf(({ clock }) => clock),
    plain: ratioOf(({ clock, echoThinking, textBesideCall }) => !clock && !echoThinking && textBesideCall),
    andiron,
    rivals,
  };
}

/** `excess`, `naive` and `plain` are the worst family's; `naive_least` is what the clock costs at the least. */
export function overallFigures(families: readonly FamilyFigures[]): Record<string, number> {
  const worst = (figure: (family: FamilyFigures) => number): number => Math.max(...families.map(figure));
  const keeper = families.find(({ family }) => family === keepsEverything);
  return {
    excess: worst(({ excess }) => excess),
    excess_of_all: worst(({ excessOfAll }) => excessOfAll),
    reread_keep: keeper?.reread ?? NaN,
    reread_keep_without_head: keeper?.rereadWithoutHead ?? NaN,
    naive: worst(({ naive }) => naive),
    naive_least: Math.min(...families.map(({ naive }) => naive)),
    plain: worst(({ plain }) => plain),
  };
}

/** A short conversation cannot outweigh the one reading of the head, so there `reread_keep` counts without it. */
export function gatesOf(figures: Record<string, number>, isShort: boolean): Gate[] {
  const gate = (figure: string, direction: Gate['direction'], limit: number): Gate => ({
    figure,
    value: figures[figure] ?? NaN,
    limit,
    direction,
  });
  return [
    gate('excess', 'at most', 1.02),
    gate(isShort ? 'reread_keep_without_head' : 'reread_keep', 'at most', 1.05),
    gate('naive_least', 'more than', 1.5),
  ];
}

export function holds({ value, limit, direction }: Gate): boolean {
  return direction === 'at most' ? value <= limit : value > limit;
}

function total({ first, within, aside }: Evaluated): number {
  return first + within + aside;
}

function leastOf<T>(candidates: readonly T[], cost: (candidate: T) => number): T {
  return candidates.reduce((least, each) => (cost(each) < cost(least) ? each : least));
}
