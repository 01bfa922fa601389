/** Repeatable texts. The words are made up, so that nothing is found in a cache by accident. */
import { seededRandom, type Random } from '../../../src/sim/time/index.ts';

const syllables = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ');

export class Chance {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[this.below(from.length)];
    if (picked === undefined) throw new Error('There is nothing to pick from.');
    return picked;
  }

  word(): string {
    return Array.from({ length: 2 + this.below(3) }, () => this.pick(syllables)).join('');
  }

  sentence(words: number): string {
    const text = Array.from({ length: words }, () => this.word()).join(' ');
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  }

  /** About so many words, in sentences. */
  paragraph(words: number): string {
    const perSentence = 9;
    const sentences = Math.max(1, Math.round(words / perSentence));
    return Array.from({ length: sentences }, () => this.sentence(perSentence)).join(' ');
  }
}
