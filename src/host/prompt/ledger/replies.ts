/**
 * Whether a reply is found again where the history shows it. A template may spell it otherwise than the model wrote it:
 * guessed from the card at first, learnt from what was found.
 */
import type { TemplateCard } from '../card/card.ts';
import type { Piece } from './pieces.ts';
import type { ReplyForm, RequestHistory } from './request-history.ts';

/** Where a reply parts from its own rendering: at its opening, at a piece of this kind, or nowhere. */
export type PartsAt = 'start' | 'thinking' | 'text' | 'call' | 'nowhere';

interface Known {
  partsAt: PartsAt;
  /** Tokens from that place to where they part; negative = before it. */
  offset: number;
}

/** `next`: what follows it. */
const plainName = (
  { after, think, underGrammar, hasThinking, hasText, calls }: ReplyForm,
  next: string,
): string =>
  [
    after,
    think,
    underGrammar ? 'g' : '',
    hasThinking ? 't' : '',
    hasText ? 'x' : '',
    Math.min(calls, 2),
    next,
  ].join('|');

const includesAll = (all: string, some: string): boolean =>
  some.split('').every((each) => all.includes(each));

export class Replies {
  /** By the form's name, then by its spelling. */
  readonly #known = new Map<string, Map<string, Known>>();

  learn(form: ReplyForm, next: string, known: Known): void {
    const name = plainName(form, next);
    const bySpelling = this.#known.get(name) ?? new Map<string, Known>();
    bySpelling.set(form.spelling, known);
    this.#known.set(name, bySpelling);
  }

  expect(form: ReplyForm, next: string, card: TemplateCard | undefined): Known {
    const bySpelling = this.#known.get(plainName(form, next));
    const exact = bySpelling?.get(form.spelling);
    if (exact) return exact;
    for (const [spelling, known] of bySpelling ?? []) {
      // A simpler spelling that parts lets this one part too; a richer one that does not, neither this one.
      const decides = known.partsAt === 'nowhere' ? [spelling, form.spelling] : [form.spelling, spelling];
      if (includesAll(decides[0] ?? '', decides[1] ?? '')) return known;
    }
    return { partsAt: form.calls > 0 && isRespelt(form.spelling, card) ? 'call' : 'nowhere', offset: 8 };
  }
}

function isRespelt(spelling: string, card: TemplateCard | undefined): boolean {
  if (card === undefined) return false;
  const { order, html, million } = card.arguments;
  return (
    (order === 'sorted' && spelling.includes('o')) ||
    (html === 'escaped' && spelling.includes('h')) ||
    (million?.includes('e') === true && spelling.includes('e'))
  );
}

/** The piece before which the reply parts, and the tokens that are in common. */
export function partingOf(
  trail: RequestHistory,
  { partsAt, offset }: Known,
): { piece: number; tokens: number } | null {
  if (partsAt === 'nowhere') return null;
  const at =
    partsAt === 'start'
      ? trail.rawFrom
      : trail.pieces.findIndex(({ kind }, index) => index >= trail.rawFrom && kind === partsAt);
  if (at === -1) return null;
  const start = at === 0 ? 0 : (trail.ends[at - 1] ?? 0);
  return { piece: at, tokens: Math.min(trail.tokens, Math.max(0, start + offset)) };
}

/** Tokens before the prompt's end that an opening may lose, and before the reply's end that are no parting. */
const [openingTokens, endTokens] = [24, 2];

/** Where a reply parted, from how far the engine found it. null = it parted elsewhere. */
export function partedAt(trail: RequestHistory, common: number): Known | null {
  if (common >= trail.tokens - endTokens) return { partsAt: 'nowhere', offset: 0 };
  if (common < trail.promptTokens - openingTokens) return null;
  if (common <= trail.promptTokens) return { partsAt: 'start', offset: common - trail.promptTokens };
  for (let at = trail.rawFrom; at < trail.pieces.length; at += 1) {
    const piece: Piece | undefined = trail.pieces[at];
    if (piece === undefined || (trail.ends[at] ?? 0) < common) continue;
    if (piece.kind !== 'thinking' && piece.kind !== 'text' && piece.kind !== 'call') continue;
    const first = trail.pieces.findIndex(({ kind }, index) => index >= trail.rawFrom && kind === piece.kind);
    return { partsAt: piece.kind, offset: common - (trail.ends[first - 1] ?? 0) };
  }
  return null;
}
