/** Tokens of pieces: as measured once they were counted, by the model's learnt ratio until then. */
import type { Piece, PieceKind } from './pieces.ts';

const charactersPerToken = 4;
/** No kind of text is further from that than this (W11). */
const [leastRatio, mostRatio] = [0.4, 3];
/** What one count teaches about a kind that made up all of it. */
const learningRate = 0.5;
/** Forgotten beyond; the newer half stays. About a million tokens of text. */
const mostSizes = 30_000;

export class Sizes {
  readonly #ratios = new Map<PieceKind, number>();
  #measured = new Map<number, number>();

  /** Whether the engine ever evaluated this very text. */
  knows(piece: Piece): boolean {
    return this.#measured.has(piece.key);
  }

  of(piece: Piece): number {
    return this.#measured.get(piece.key) ?? this.guess(piece);
  }

  guess(piece: Piece): number {
    const ratio = this.#ratios.get(piece.kind) ?? 1;
    return (piece.characters / charactersPerToken) * ratio + piece.scaffold;
  }

  /** These pieces together were counted as `tokens`. Returns what each of them takes of it. */
  learn(pieces: readonly Piece[], tokens: number): number[] {
    const isFixed = pieces.map((piece) => this.knows(piece));
    const sizes = pieces.map((piece) => this.of(piece));
    const sum = (of: (at: number) => boolean): number =>
      sizes.reduce((total, size, at) => (of(at) ? total + size : total), 0);
    const open = sum((at) => isFixed[at] !== true);
    const factor = open > 0 ? (tokens - (sum(() => true) - open)) / open : 1;
    const isPlausible = factor > 0.25 && factor < 4;
    if (isPlausible && open > 0) this.#adjust(pieces, sizes, isFixed, open, factor);
    const whole = sum(() => true);
    const taken = sizes.map((size, at) =>
      isPlausible ? (isFixed[at] === true ? size : size * factor) : size * (whole > 0 ? tokens / whole : 1),
    );
    const rest = taken.reduce((total, size) => total + size, 0);
    // What the known ones leave over, or take too much, is shared by all.
    const share = rest > 0 ? tokens / rest : 1;
    return taken.map((size) => size * share);
  }

  /** The engine has evaluated them. */
  remember(pieces: readonly Piece[], sizes: readonly number[]): void {
    for (const [at, piece] of pieces.entries()) {
      if (piece.kind === 'open' || piece.kind === 'foreign') continue;
      if (!this.#measured.has(piece.key)) this.#measured.set(piece.key, sizes[at] ?? this.guess(piece));
    }
    if (this.#measured.size > mostSizes) this.#measured = new Map([...this.#measured].slice(-mostSizes / 2));
  }

  #adjust(
    pieces: readonly Piece[],
    sizes: readonly number[],
    isFixed: readonly boolean[],
    open: number,
    factor: number,
  ): void {
    const shares = new Map<PieceKind, number>();
    for (const [at, { kind }] of pieces.entries())
      if (isFixed[at] !== true) shares.set(kind, (shares.get(kind) ?? 0) + (sizes[at] ?? 0) / open);
    for (const [kind, share] of shares) {
      const now = this.#ratios.get(kind) ?? 1;
      const next = now * (1 + (factor - 1) * share * learningRate);
      this.#ratios.set(kind, Math.min(mostRatio, Math.max(leastRatio, next)));
    }
  }
}
