/** The sentence of a text from elsewhere that holds what a question is about. */
import type { Clock } from '../../platform/clock.ts';
import { createPace } from '../../platform/event-loop.ts';
import type { ForeignQuote } from '../../protocol/foreign-text.ts';
import { findShared, maxQuote, quoteAround, type LookedFor } from '../../rules/shared-text.ts';
import { visibleText } from '../../rules/visible-text/visible-text.ts';
import type { ReadTexts } from '../loop/deps.ts';

/** In slices, with other work in between. null = no text has it. Rejects with the signal's reason. */
export async function findQuote(
  lookedFor: LookedFor,
  { foreign: read, own }: Pick<ReadTexts, 'foreign' | 'own'>,
  clock: Pick<Clock, 'monotonic'>,
  signal: AbortSignal,
): Promise<ForeignQuote | null> {
  const foreign = read?.() ?? [];
  if (foreign.length === 0) return null;
  const pace = createPace(clock);
  const slices = findShared(lookedFor, foreign, own?.() ?? []);
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value && { source: value.source, ...shown(quoteAround(value)) };
    if (!pace.isDue()) continue;
    await pace.rest();
    signal.throwIfAborted();
  }
}

/** In one line, and no longer than it was meant to be where hidden signs are spelled out. */
function shown({ before, piece, after }: Pick<ForeignQuote, 'before' | 'piece' | 'after'>) {
  const middle = clipped(oneLine(piece), maxQuote);
  const room = maxQuote - middle.length;
  const tail = oneLine(after);
  const head = oneLine(before);
  const end = clipped(tail, Math.max(Math.floor(room / 2), room - head.length));
  const left = room - end.length;
  return {
    before: head.length > left ? (left > 0 ? `…${head.slice(head.length - left + 1)}` : '') : head,
    piece: middle,
    after: end,
  };
}

const oneLine = (text: string): string => visibleText(text).replaceAll(/\s+/g, ' ');

const clipped = (text: string, most: number): string =>
  text.length <= most ? text : most > 0 ? `${text.slice(0, most - 1)}…` : '';
