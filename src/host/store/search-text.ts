/** How a text is compared with what is looked for: the same rules for the index, its candidates and titles. */
import { z } from 'zod';

/** As much of an item as is searched. */
export const spokenSchema = z.object({
  kind: z.string(),
  text: z.string().optional(),
  startedAt: z.number(),
  parentCallId: z.string().optional(),
});
export type Spoken = z.infer<typeof spokenSchema>;

/** What person and agent said to each other; null = something else, or the words of a subagent. */
export function spokenText({ kind, text, parentCallId }: Spoken): string | null {
  const isSpoken = (kind === 'user' || kind === 'text') && parentCallId === undefined;
  return isSpoken ? (text ?? null) : null;
}

/** Letters that look the same are the same, whatever their case and however their accents are stored. */
export const fold = (text: string): string => text.normalize('NFC').toLowerCase();

/** Characters before and after a find. */
const [before, after] = [40, 120];
const maxSign = 3;

/**
 * The words around the find, on one line; null = `wanted`, which is folded, is not in it.
 * @param read of what is around it, as a person reads it: what they look for stands as it is written.
 */
export function snippetOf(
  text: string,
  wanted: string,
  read: (around: string) => string = (around) => around,
): string | null {
  const at = fold(text).indexOf(wanted);
  if (at === -1) return null;
  const end = at + wanted.length;
  const whole = text.normalize('NFC');
  // No sign is parted: half of one would stand there.
  const begin = Math.max(0, at - before);
  const from = begin - lengthOf(/[*`]*$/, whole.slice(Math.max(0, begin - maxSign), begin));
  const to = end + after + lengthOf(/^[*`]*/, whole.slice(end + after, end + after + maxSign));
  const pieces = [
    read((from === 0 ? '\n' : '') + whole.slice(from, at)),
    whole.slice(at, end),
    read(whole.slice(end, to) + (to < whole.length ? '' : '\n')),
  ];
  const words = pieces.join('').toWellFormed().replaceAll(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${words}${to < whole.length ? '…' : ''}`;
}

const lengthOf = (sign: RegExp, text: string): number => sign.exec(text)?.[0].length ?? 0;

/**
 * Markdown without the signs that a window draws: bold, code, headings, quotes, and the frames of tables. Of a piece of a
 * text: what stands in front of its first line break is no whole line.
 */
export const withoutSigns = (text: string): string =>
  text
    .replaceAll(/\n[\s|:-]+(?=\n)/g, '\n')
    .replaceAll(/\n\s*(?:#{1,6}|>|[-*+])\s+/g, '\n')
    .replaceAll(/\n\s*\||\|\s*(?=\n)/g, '\n')
    .replaceAll(/(?<!\w)\*\*|\*\*(?!\w)|`+/g, '');

/** As the index reads a text: its tokenizer would end at a zero, and drops marks that no letter has taken in. */
export const indexed = (text: string): string =>
  fold(text)
    .toWellFormed()
    .replaceAll('\0', '\u{fffd}')
    .replaceAll(/[\u{300}-\u{36f}]/gu, '');

/** More of them leave hardly fewer candidates. */
const maxTrigrams = 32;

/**
 * What every indexed text with `wanted` in it answers to, in the language of FTS5. null = too short for trigrams, or half
 * a character, which no index knows.
 */
export function candidateQuery(wanted: string): string | null {
  const letters = Array.from(indexed(wanted));
  if (letters.length < 3 || !wanted.isWellFormed()) return null;
  const ends = letters.slice(2, 2 + maxTrigrams);
  const trigrams = new Set(ends.map((end, at) => `${letters[at] ?? ''}${letters[at + 1] ?? ''}${end}`));
  return [...trigrams].map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ');
}
