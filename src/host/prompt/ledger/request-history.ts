/** What the engine read for one request, piece by piece; positions are exact where it counted, by ratio between. */
import type { Arranged } from './shape.ts';
import { foreignPiece, type Piece } from './pieces.ts';
import type { Sizes } from './sizes.ts';

/** So many pieces are so many tokens, by the engine's own count. */
export interface Anchor {
  readonly pieces: number;
  readonly tokens: number;
}

export interface RequestHistory {
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
  /** Whose message it answers. */
  readonly after: string;
  readonly think: string;
  readonly underGrammar: boolean;
  readonly hasThinking: boolean;
  readonly hasText: boolean;
  readonly calls: number;
  readonly spelling: string;
}

const start: Anchor = { pieces: 0, tokens: 0 };

/** Pieces in common with a trail. */
export function commonPieces(trail: Pick<RequestHistory, 'pieces'>, pieces: readonly Piece[]): number {
  const end = Math.min(trail.pieces.length, pieces.length);
  let at = 0;
  while (at < end && trail.pieces[at]?.key === pieces[at]?.key) at += 1;
  return at;
}

export const endOf = (trail: Pick<RequestHistory, 'ends'>, pieces: number): number =>
  pieces === 0 ? 0 : (trail.ends[pieces - 1] ?? 0);

/** Where each piece ends: the anchors are kept, the pieces between them share by their sizes. `known` = those before. */
function positions(
  pieces: readonly Piece[],
  anchors: readonly Anchor[],
  sizes: Sizes,
  known: readonly number[] = [],
): number[] {
  const first = anchors.findLastIndex((anchor) => anchor.pieces <= known.length);
  let from = anchors[first] ?? start;
  const ends = known.slice(0, from.pieces);
  for (const to of anchors.slice(first + 1)) {
    addSpan(ends, pieces, from, to, sizes);
    from = to;
  }
  addGuesses(ends, pieces, from, sizes);
  return ends;
}

function addGuesses(ends: number[], pieces: readonly Piece[], from: Anchor, sizes: Sizes): void {
  let { tokens } = from;
  for (let at = from.pieces; at < pieces.length; at += 1) {
    const piece = pieces[at];
    ends.push((tokens += piece ? sizes.of(piece) : 0));
  }
}

function addSpan(ends: number[], pieces: readonly Piece[], from: Anchor, to: Anchor, sizes: Sizes): void {
  const tokens = to.tokens - from.tokens;
  let [measured, guessed] = [0, 0];
  for (let at = from.pieces; at < to.pieces; at += 1) {
    const piece = pieces[at];
    if (piece === undefined) continue;
    const known = sizes.measured(piece);
    if (known === undefined) guessed += sizes.guess(piece);
    else measured += known;
  }
  // What is measured stays, and what is guessed gives way; where that cannot be, all of it gives way.
  const rest = guessed > 0 ? (tokens - measured) / guessed : 0;
  const isPlausible = rest > minGiving && rest < maxGiving;
  const whole = measured + guessed > 0 ? tokens / (measured + guessed) : 0;
  let end = from.tokens;
  for (let at = from.pieces; at < to.pieces; at += 1) {
    const piece = pieces[at];
    const known = piece && sizes.measured(piece);
    const size = piece ? (known ?? sizes.guess(piece)) : 0;
    ends.push((end += size * (isPlausible ? (known === undefined ? rest : 1) : whole)));
  }
}

/** By so much a guess may be wrong. */
const [minGiving, maxGiving] = [0.4, 2.5];

const isGuess = (piece: Piece | undefined, sizes: Sizes): boolean =>
  piece !== undefined && sizes.measured(piece) === undefined;

/** All of the head, or none. */
const isOneZone = ({ at }: RequestHistory, pieces: readonly number[]): boolean =>
  new Set(pieces.map((piece) => at[piece] === -1)).size < 2;

/** What lies between two counts is measured by them, as long as it is not head and messages at once. */
function measure(trail: RequestHistory, sizes: Sizes): void {
  for (const [index, to] of trail.anchors.entries()) {
    const from = trail.anchors[index - 1] ?? start;
    const texts: number[] = [];
    for (let at = from.pieces; at < to.pieces; at += 1) if (trail.pieces[at]?.kind !== 'open') texts.push(at);
    const guessed = texts.filter((at) => isGuess(trail.pieces[at], sizes));
    const open = isOneZone(trail, texts) ? texts : isOneZone(trail, guessed) ? guessed : [];
    for (const at of open) {
      const piece = trail.pieces[at];
      if (piece) sizes.setMeasured(piece, endOf(trail, at + 1) - endOf(trail, at));
    }
  }
}

/** Where a piece ends, by what was learnt since. */
export function endNow({ pieces, anchors }: RequestHistory, count: number, sizes: Sizes): number {
  const next = anchors.findIndex((anchor) => anchor.pieces >= count);
  const to = anchors[next];
  if (to?.pieces === count) return to.tokens;
  const from = (next === -1 ? anchors.at(-1) : anchors[next - 1]) ?? start;
  const ends: number[] = [];
  if (to) addSpan(ends, pieces, from, to, sizes);
  else addGuesses(ends, pieces.slice(0, count), from, sizes);
  return ends[count - from.pieces - 1] ?? from.tokens;
}

/** Positions of a new prompt: taken over as far as a counted trail goes with it, by ratio beyond. */
export function layOut(
  arranged: Arranged,
  from: RequestHistory | null,
  common: number,
  sizes: Sizes,
): RequestHistory {
  const anchors = from?.anchors.filter(({ pieces }) => pieces <= common) ?? [];
  const isBetween = from !== null && common > (anchors.at(-1)?.pieces ?? 0);
  const parting = isBetween ? [{ pieces: common, tokens: endNow(from, common, sizes) }] : [];
  const known = from?.ends.slice(0, common);
  const ends = positions(arranged.pieces, [...anchors, ...parting], sizes, known);
  const { length } = arranged.pieces;
  const tokens = ends.at(-1) ?? 0;
  return { ...arranged, anchors, ends, tokens, promptTokens: tokens, rawFrom: length, reply: null };
}

/** With what the engine counted: the whole prompt, and where it parts from what was held if that is known. */
export function fit(
  trail: RequestHistory,
  promptTokens: number,
  parting: Anchor | null,
  sizes: Sizes,
): RequestHistory {
  const { pieces } = trail;
  const anchors = trail.anchors.filter(
    ({ pieces: at, tokens }) =>
      tokens < promptTokens && (parting === null || (at < parting.pieces && tokens < parting.tokens)),
  );
  const known = trail.ends.slice(0, anchors.at(-1)?.pieces ?? 0);
  for (const anchor of [...(parting ? [parting] : []), { pieces: pieces.length, tokens: promptTokens }]) {
    const from = anchors.at(-1) ?? start;
    sizes.learn(pieces.slice(from.pieces, anchor.pieces), anchor.tokens - from.tokens);
    anchors.push(anchor);
  }
  const ends = positions(pieces, anchors, sizes, known);
  const fitted = { ...trail, anchors, ends, tokens: promptTokens, promptTokens };
  measure(fitted, sizes);
  return fitted;
}

/** With the reply behind it, `evaluated` tokens long. */
export function withReply(
  trail: RequestHistory,
  reply: readonly Piece[],
  message: number,
  evaluated: number,
  form: ReplyForm | null,
  sizes: Sizes,
): RequestHistory {
  const pieces = [...trail.pieces, ...reply];
  const tokens = trail.promptTokens + evaluated;
  sizes.learn(reply, evaluated);
  const anchors = [...trail.anchors, { pieces: pieces.length, tokens }];
  const at = [...trail.at, ...reply.map(() => message)];
  const ends = positions(pieces, anchors, sizes, trail.ends);
  const whole = { ...trail, pieces, at, anchors, ends, tokens, reply: form };
  measure(whole, sizes);
  return whole;
}

/** Only the first `tokens` of it were evaluated. */
export function cutAt(trail: RequestHistory, tokens: number): RequestHistory {
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
export function foreignTrail(tokens: number): RequestHistory {
  const anchors = [{ pieces: 1, tokens }];
  const about = { anchors, ends: [tokens], tokens, promptTokens: tokens, rawFrom: 1, reply: null };
  return { pieces: [foreignPiece(tokens)], at: [-1], ...about };
}
