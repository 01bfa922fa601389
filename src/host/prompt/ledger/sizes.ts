/** How many tokens a text has, by the ratios that a model's own counts taught (W11); and which texts it ever evaluated. */
import { charactersPerToken } from '../../../rules/token-guess.ts';
import type { Piece, PieceKind } from './pieces.ts';

/** No kind of text is further from that than this. */
const [minRatio, maxRatio] = [0.4, 3];
/** What one count teaches about a kind that made up all of it. */
const learningRate = 0.4;
/** Texts that are forgotten beyond; the newer half stays. About a million tokens. */
const maxTexts = 30_000;

/** Prose has one ratio; lists of tools and calls come with more of the template's own. */
type Kind = 'prose' | 'tools' | 'call';
const kindOf = (kind: PieceKind): Kind => (kind === 'tools' || kind === 'call' ? kind : 'prose');

export class Sizes {
  readonly #ratios: Record<Kind, number> = { prose: 1, tools: 1, call: 1 };
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
    if (this.#measured.size > maxTexts) this.#measured = new Map([...this.#measured].slice(-maxTexts / 2));
  }

  of(piece: Piece): number {
    return this.measured(piece) ?? this.guess(piece);
  }

  guess({ kind, characters, scaffold }: Piece): number {
    return (characters / charactersPerToken) * this.#ratios[kindOf(kind)] + scaffold;
  }

  /** These pieces together were counted as `tokens`. */
  learn(pieces: readonly Piece[], tokens: number): void {
    const guesses: Record<Kind, number> = { prose: 0, tools: 0, call: 0 };
    for (const piece of pieces) guesses[kindOf(piece.kind)] += this.guess(piece);
    const whole = guesses.prose + guesses.tools + guesses.call;
    const factor = tokens / whole;
    if (whole === 0 || factor < 0.25 || factor > 4) return;
    for (const kind of ['prose', 'tools', 'call'] as const) {
      const moved = this.#ratios[kind] * (1 + (factor - 1) * (guesses[kind] / whole) * learningRate);
      this.#ratios[kind] = Math.min(maxRatio, Math.max(minRatio, moved));
    }
  }

  /** The engine has evaluated them. */
  remember(pieces: readonly Piece[]): void {
    for (const { kind, key } of pieces) if (kind !== 'open' && kind !== 'foreign') this.#evaluated.add(key);
    if (this.#evaluated.size > maxTexts) this.#evaluated = new Set([...this.#evaluated].slice(-maxTexts / 2));
  }
}
