/** Names and figures of a task. */
import { Chance } from '../prefix/chance.ts';

const nouns =
  'anchor barrel candle drawer engine feather garden hammer island jacket kettle ladder marble needle orchard pepper quarry ribbon saddle tunnel umbrella violin walnut yogurt'.split(
    ' ',
  );
const people = 'Amara Bjorn Carmen Dmitri Elif Farouk Greta Hiroshi Ines Joaquin Katya Lorenzo'.split(' ');

/** More in vain, and there is nothing left that was not drawn before. */
const maxTries = 10_000;

/** Nothing that it gives under a name of its own is given twice. */
export class Draw {
  readonly #chance: Chance;
  readonly #drawn = new Set<string>();

  constructor(seed: number) {
    this.#chance = new Chance(seed);
  }

  noun(): string {
    return this.fresh(nouns);
  }

  person(): string {
    return this.fresh(people);
  }

  /** From `least` up to, not including, `limit`. */
  number(least = 1000, limit = 10_000): number {
    return Number(this.#fresh(() => String(least + this.#chance.below(limit - least))));
  }

  /** Such as KB-4821. */
  code(): string {
    const letter = (): string => String.fromCharCode('A'.charCodeAt(0) + this.#chance.below(26));
    return `${letter()}${letter()}-${this.number()}`;
  }

  fresh(from: readonly string[]): string {
    return this.#fresh(() => this.#chance.pick(from));
  }

  /** May be the same again. */
  pick<T>(from: readonly T[]): T {
    return this.#chance.pick(from);
  }

  /** True in one of so many cases. */
  oneIn(cases: number): boolean {
    return this.#chance.below(cases) === 0;
  }

  below(limit: number): number {
    return this.#chance.below(limit);
  }

  shuffled<T>(all: readonly T[]): T[] {
    const rest = [...all];
    return all.flatMap(() => rest.splice(this.#chance.below(rest.length), 1));
  }

  #fresh(draw: () => string): string {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const drawn = draw();
      if (this.#drawn.has(drawn)) continue;
      this.#drawn.add(drawn);
      return drawn;
    }
    throw new Error('Everything there is was drawn: give the words more entries, or draw less.');
  }
}
