/** How many tokens a text has, by the ratios that a model's own counts taught (W11); and which texts it ever evaluated. */
import type { Piece, PieceKind } from './pieces.ts';

const charactersPerToken = 4;
/** No kind of text is further from that than this. */
const [leastRatio, mostRatio] = [0.4, 3];
/** What one count teaches about a kind that made up all of it. */
const learningRate = 0.4;
/** Texts that are forgotten beyond; the newer half stays. About a million tokens. */
const mostTexts = 30_000;

/** Prose has one ratio, JSON another. */
const isJson = (kind: PieceKind): boolean => kind === 'tools' || kind === 'call';

export class Sizes {
  #prose = 1;
  #json = 1;
  #evaluated = new Set<number>();

  /** Whether the engine ever evaluated this very text. */
  knows({ key }: Piece): boolean {
    return this.#evaluated.has(key);
  }

  of({ kind, characters, scaffold }: Piece): number {
    return (characters / charactersPerToken) * (isJson(kind) ? this.#json : this.#prose) + scaffold;
  }

  /** These pieces together were counted as `tokens`. */
  learn(pieces: readonly Piece[], tokens: number): void {
    let [whole, json] = [0, 0];
    for (const piece of pieces) {
      const size = this.of(piece);
      whole += size;
      if (isJson(piece.kind)) json += size;
    }
    const factor = whole > 0 ? tokens / whole : 1;
    if (factor < 0.25 || factor > 4) return;
    const moved = (ratio: number, share: number): number =>
      Math.min(mostRatio, Math.max(leastRatio, ratio * (1 + (factor - 1) * share * learningRate)));
    this.#json = moved(this.#json, json / whole);
    this.#prose = moved(this.#prose, 1 - json / whole);
  }

  /** The engine has evaluated them. */
  remember(pieces: readonly Piece[]): void {
    for (const { kind, key } of pieces) if (kind !== 'open' && kind !== 'foreign') this.#evaluated.add(key);
    if (this.#evaluated.size > mostTexts)
      this.#evaluated = new Set([...this.#evaluated].slice(-mostTexts / 2));
  }
}
