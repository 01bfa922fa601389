/** What the engine read for one request, piece by piece, with the token position at which each ends. */
import type { Arranged } from './shape.ts';
import { foreignPiece, type Piece } from './pieces.ts';
import type { Sizes } from './sizes.ts';

export interface Trail {
  readonly pieces: readonly Piece[];
  /** The message of each, -1 = the head. */
  readonly at: readonly number[];
  readonly ends: readonly number[];
  /** Of prompt and evaluated reply. */
  readonly tokens: number;
  /** Of the prompt alone. */
  readonly promptTokens: number;
  /** From this piece on it is the reply as the model wrote it. */
  readonly rawFrom: number;
  /** What is known about the reply; null = none, or a broken one. */
  readonly reply: ReplyForm | null;
}

/** What decides whether a reply is found again in the history: its kind and spelling. */
export interface ReplyForm {
  readonly whole: number;
  readonly think: string;
  readonly hasThinking: boolean;
  readonly hasText: boolean;
  readonly calls: number;
  readonly spelling: string;
}

/** How far two prompts are the same. */
export interface Common {
  /** Pieces that are wholly in common. */
  readonly pieces: number;
  readonly tokens: number;
}

/** Pieces in common with a trail; `limit` = from where on the reply is known to be rendered otherwise. */
export function commonPieces(trail: Trail, pieces: readonly Piece[], limit = Infinity): number {
  const end = Math.min(trail.pieces.length, pieces.length, limit);
  let at = 0;
  while (at < end && trail.pieces[at]?.key === pieces[at]?.key) at += 1;
  return at;
}

export const endOf = (trail: Pick<Trail, 'ends'>, pieces: number): number =>
  pieces === 0 ? 0 : (trail.ends[pieces - 1] ?? 0);

/** Positions of a new prompt: taken over as far as the trail goes with it, measured or guessed beyond. */
export function layOut(arranged: Arranged, from: Trail | null, common: number, sizes: Sizes): Trail {
  const ends = from === null ? [] : from.ends.slice(0, common);
  let tokens = ends.at(-1) ?? 0;
  for (let at = ends.length; at < arranged.pieces.length; at += 1) {
    const piece = arranged.pieces[at];
    if (piece !== undefined) tokens += sizes.of(piece);
    ends.push(tokens);
  }
  const { length } = arranged.pieces;
  return { ...arranged, ends, tokens, promptTokens: tokens, rawFrom: length, reply: null };
}

/** The same prompt with the engine's own count of it; positions before `exact` pieces are known already. */
export function fit(trail: Trail, exact: number, promptTokens: number, sizes: Sizes): Trail {
  const open = trail.pieces.slice(exact);
  const start = endOf(trail, exact);
  const learnt = sizes.learn(open, Math.max(0, promptTokens - start));
  const ends = trail.ends.slice(0, exact);
  let tokens = start;
  for (const size of learnt) ends.push((tokens += size));
  if (ends.length > 0) ends[ends.length - 1] = promptTokens;
  return { ...trail, ends, tokens: promptTokens, promptTokens };
}

/** With the reply behind it, `evaluated` tokens long. */
export function withReply(
  trail: Trail,
  pieces: readonly Piece[],
  message: number,
  evaluated: number,
  form: ReplyForm | null,
  sizes: Sizes,
): Trail {
  const guesses = pieces.map((piece) => sizes.of(piece));
  const sum = guesses.reduce((total, size) => total + size, 0);
  const ends = [...trail.ends];
  let tokens = trail.tokens;
  for (const size of guesses) ends.push((tokens += sum > 0 ? (size / sum) * evaluated : 0));
  return {
    ...trail,
    pieces: [...trail.pieces, ...pieces],
    at: [...trail.at, ...pieces.map(() => message)],
    ends,
    tokens: trail.promptTokens + evaluated,
    reply: form,
  };
}

/** Only the first `tokens` of it were evaluated. */
export function cutAt(trail: Trail, tokens: number): Trail {
  if (tokens >= trail.tokens) return trail;
  let kept = 0;
  while (kept < trail.ends.length && (trail.ends[kept] ?? 0) <= tokens) kept += 1;
  return {
    pieces: trail.pieces.slice(0, kept),
    at: trail.at.slice(0, kept),
    ends: trail.ends.slice(0, kept),
    tokens,
    promptTokens: tokens,
    rawFrom: kept,
    reply: null,
  };
}

/** Something that was none of ours. */
export function foreignTrail(tokens: number): Trail {
  const piece = foreignPiece(tokens);
  return {
    pieces: [piece],
    at: [-1],
    ends: [tokens],
    tokens,
    promptTokens: tokens,
    rawFrom: 1,
    reply: null,
  };
}
