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
  #measured = new Map<number, number>();

  /** Whether the engine ever evaluated this very text. */
  knows({ key }: Piece): boolean {
    return this.#evaluated.has(key);
  }

  /** Tokens of a piece of a message, where the engine's counts around it told them. */
  measured({ key }: Piece): number | undefined {
    return this.#measured.get(key);
  }

  setMeasured({ kind, key }: Piece, tokens: number): void {
    if (kind !== 'open' && kind !== 'foreign') this.#measured.set(key, tokens);
    if (this.#measured.size > mostTexts) this.#measured = new Map([...this.#measured].slice(-mostTexts / 2));
  }

  of(piece: Piece): number {
    return this.measured(piece) ?? this.guess(piece);
  }

  guess({ kind, characters, scaffold }: Piece): number {
    return (characters / charactersPerToken) * (isJson(kind) ? this.#json : this.#prose) + scaffold;
  }

  /** These pieces together were counted as `tokens`. */
  learn(pieces: readonly Piece[], tokens: number): void {
    let [whole, json] = [0, 0];
    for (const piece of pieces) {
      const size = this.guess(piece);
      whole += size;
      if (isJson(piece.kind)) json += size;
    }
    const factor = tokens / whole;
    if (whole === 0 || factor < 0.25 || factor > 4) return;
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
