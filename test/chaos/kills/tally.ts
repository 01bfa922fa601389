/** What a campaign counts. */

export type Failure =
  | 'lost_acknowledged'
  | 'invalid_histories'
  | 'duplicated_effects'
  | 'orphans'
  | 'unasked_effects'
  | 'unrecorded_effects'
  | 'not_full'
  /** Hosts that died although nobody killed them. */
  | 'own_deaths'
  /** Waited for in vain: a host, an answer, an end. */
  | 'stuck';

export const failures: readonly Failure[] = [
  'lost_acknowledged',
  'invalid_histories',
  'duplicated_effects',
  'orphans',
  'unasked_effects',
  'unrecorded_effects',
  'not_full',
  'own_deaths',
  'stuck',
];

/** Progress, on stderr. */
const toldEvery = 250;
/** Of each kind. */
const shownProblems = 5;

export class Tally {
  kills = 0;
  /** Facts that were compared with what is kept. */
  facts = 0;
  readonly counts = new Map<Failure, number>();
  /** Moment → kills. */
  readonly moments = new Map<string, number>();
  /** Victim → kills. */
  readonly victims = new Map<string, number>();
  readonly recoveriesMs: number[] = [];
  readonly farewellsMs: number[] = [];
  readonly bareNodeMs: number[] = [];
  readonly problems: string[] = [];

  killed(moment: string, victim: string): void {
    this.kills += 1;
    this.moments.set(moment, (this.moments.get(moment) ?? 0) + 1);
    this.victims.set(victim, (this.victims.get(victim) ?? 0) + 1);
    if (this.kills % toldEvery === 0) console.error(`${String(this.kills)} kills …`);
  }

  fail(failure: Failure, problems: readonly string[], where: string): void {
    if (problems.length === 0) return;
    const before = this.counts.get(failure) ?? 0;
    this.counts.set(failure, before + problems.length);
    for (const problem of problems.slice(0, Math.max(0, shownProblems - before))) {
      this.problems.push(`${failure}, ${where}: ${problem}`.slice(0, 1200));
    }
  }
}
