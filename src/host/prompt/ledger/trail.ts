/** What the engine read for one request, piece by piece; positions are exact where it counted, by ratio between. */
import type { Arranged } from './shape.ts';
import { foreignPiece, type Piece } from './pieces.ts';
import type { Sizes } from './sizes.ts';

/** So many pieces are so many tokens, by the engine's own count. */
export interface Anchor {
  readonly pieces: number;
  readonly tokens: number;
}

export interface Trail {
  readonly pieces: readonly Piece[];
  /** The message of each, -1 = the head. */
  readonly at: readonly number[];
  /** Ascending. */
  readonly anchors: readonly Anchor[];
  /** Token position at which each piece ends. */
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
  readonly think: string;
  readonly underGrammar: boolean;
  readonly hasThinking: boolean;
  readonly hasText: boolean;
  readonly calls: number;
  readonly spelling: string;
}

const start: Anchor = { pieces: 0, tokens: 0 };

/** Pieces in common with a trail. */
export function commonPieces(trail: Pick<Trail, 'pieces'>, pieces: readonly Piece[]): number {
  const end = Math.min(trail.pieces.length, pieces.length);
  let at = 0;
  while (at < end && trail.pieces[at]?.key === pieces[at]?.key) at += 1;
  return at;
}

export const endOf = (trail: Pick<Trail, 'ends'>, pieces: number): number =>
  pieces === 0 ? 0 : (trail.ends[pieces - 1] ?? 0);

/** Where each piece ends: the anchors are kept, the pieces between them share by their sizes. */
function positions(pieces: readonly Piece[], anchors: readonly Anchor[], sizes: Sizes): number[] {
  const ends: number[] = [];
  let from = start;
  for (const to of anchors) {
    addSpan(ends, pieces, from, to, sizes);
    from = to;
  }
  let { tokens } = from;
  for (let at = from.pieces; at < pieces.length; at += 1) {
    const piece = pieces[at];
    ends.push((tokens += piece ? sizes.of(piece) : 0));
  }
  return ends;
}

function addSpan(ends: number[], pieces: readonly Piece[], from: Anchor, to: Anchor, sizes: Sizes): void {
  const spans: number[] = [];
  let whole = 0;
  for (let at = from.pieces; at < to.pieces; at += 1) {
    const piece = pieces[at];
    spans.push((whole += piece ? sizes.of(piece) : 0));
  }
  const factor = whole > 0 ? (to.tokens - from.tokens) / whole : 0;
  for (const span of spans) ends.push(from.tokens + span * factor);
}

/** The same trail with positions by what was learnt since. */
export function refreshed(trail: Trail, sizes: Sizes): Trail {
  return { ...trail, ends: positions(trail.pieces, trail.anchors, sizes) };
}

/** Positions of a new prompt: taken over as far as a counted trail goes with it, by ratio beyond. */
export function layOut(arranged: Arranged, from: Trail | null, common: number, sizes: Sizes): Trail {
  const anchors = from?.anchors.filter(({ pieces }) => pieces <= common) ?? [];
  const known = from === null || common === 0 ? null : { pieces: common, tokens: endOf(from, common) };
  const ends = positions(arranged.pieces, known ? [...anchors, known] : anchors, sizes);
  const { length } = arranged.pieces;
  const tokens = ends.at(-1) ?? 0;
  return { ...arranged, anchors, ends, tokens, promptTokens: tokens, rawFrom: length, reply: null };
}

/** With what the engine counted: the whole prompt, and where it parts from what was held if that is known. */
export function fit(trail: Trail, promptTokens: number, parting: Anchor | null, sizes: Sizes): Trail {
  const { pieces } = trail;
  const anchors = trail.anchors.filter(
    ({ pieces: at, tokens }) =>
      tokens < promptTokens && (parting === null || (at < parting.pieces && tokens < parting.tokens)),
  );
  for (const anchor of [...(parting ? [parting] : []), { pieces: pieces.length, tokens: promptTokens }]) {
    const from = anchors.at(-1) ?? start;
    sizes.learn(pieces.slice(from.pieces, anchor.pieces), anchor.tokens - from.tokens);
    anchors.push(anchor);
  }
  const ends = positions(pieces, anchors, sizes);
  return { ...trail, anchors, ends, tokens: promptTokens, promptTokens };
}

/** With the reply behind it, `evaluated` tokens long. */
export function withReply(
  trail: Trail,
  reply: readonly Piece[],
  message: number,
  evaluated: number,
  form: ReplyForm | null,
  sizes: Sizes,
): Trail {
  const pieces = [...trail.pieces, ...reply];
  const tokens = trail.promptTokens + evaluated;
  sizes.learn(reply, evaluated);
  const anchors = [...trail.anchors, { pieces: pieces.length, tokens }];
  const at = [...trail.at, ...reply.map(() => message)];
  return { ...trail, pieces, at, anchors, ends: positions(pieces, anchors, sizes), tokens, reply: form };
}

/** Only the first `tokens` of it were evaluated. */
export function cutAt(trail: Trail, tokens: number): Trail {
  if (tokens >= trail.tokens) return trail;
  let kept = 0;
  while (kept < trail.ends.length && (trail.ends[kept] ?? 0) <= tokens) kept += 1;
  return {
    pieces: trail.pieces.slice(0, kept),
    at: trail.at.slice(0, kept),
    anchors: trail.anchors.filter(({ pieces }) => pieces <= kept),
    ends: trail.ends.slice(0, kept),
    tokens,
    promptTokens: tokens,
    rawFrom: kept,
    reply: null,
  };
}

/** Something that was none of ours. */
export function foreignTrail(tokens: number): Trail {
  const anchors = [{ pieces: 1, tokens }];
  const about = { anchors, ends: [tokens], tokens, promptTokens: tokens, rawFrom: 1, reply: null };
  return { pieces: [foreignPiece(tokens)], at: [-1], ...about };
}
