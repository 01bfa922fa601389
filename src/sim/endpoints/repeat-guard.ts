import type { Dialect } from '../wire/dialect.ts';

const LIMITS: Record<Dialect, number> = { '0.33.2': 30, '0.40': 100 };

/**
 * Stops a reply that says the same token over and over (rendered path only). Whitespace tokens all count as
 * equal, also to the nothing before the first token. The older dialect stops without a word.
 */
export class RepeatGuard {
  readonly #dialect: Dialect;
  #last = '';
  #repeats = 0;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  look(token: string): 'fine' | 'cut' | 'error' {
    const trimmed = token.trim();
    this.#repeats = trimmed === this.#last ? this.#repeats + 1 : 0;
    this.#last = trimmed;
    if (this.#repeats <= LIMITS[this.#dialect]) return 'fine';
    return this.#dialect === '0.33.2' ? 'cut' : 'error';
  }
}
