/**
 * Patterns for strings under a grammar, built from parts. No other code writes a pattern as text: llama.cpp reads a small
 * dialect of regular expressions and refuses, ignores or hangs on the rest of them.
 */

declare const built: unique symbol;

/** A pattern that covers a whole string, as it goes out in a schema. */
export type Pattern = string & { readonly [built]: 'pattern' };

export type Part =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'oneOf' | 'sequence'; readonly parts: readonly Part[] }
  | { readonly kind: 'optional'; readonly part: Part }
  | {
      readonly kind: 'chars';
      readonly ranges: readonly CharRange[];
      readonly min: number;
      readonly max: number;
    };

/** One character, or all from the first to the second. */
export type CharRange = string | readonly [from: string, to: string];

/** A repetition of 2,000 and more is refused, and one of many hundreds is slow. */
const maxRepeats = 1_000;

/** They would have to be escaped once more inside the JSON that the model writes, and no grammar does that. */
// oxlint-disable-next-line no-control-regex
const unwritable = /["\\\u0000-\u001F\u007F]/;

const isWritable = (text: string): boolean => text !== '' && text.isWellFormed() && !unwritable.test(text);

/** Null when the text is empty or holds a quote, a backslash, a control character or half of a surrogate pair. */
export function literal(text: string): Part | null {
  return isWritable(text) ? { kind: 'literal', text } : null;
}

/** Null when one of the parts is null or there is none, so that a caller leaves out the whole pattern. */
export function oneOf(parts: readonly (Part | null)[]): Part | null {
  return combined('oneOf', parts);
}

/** Null when one of the parts is null or there is none. */
export function sequence(...parts: readonly (Part | null)[]): Part | null {
  return combined('sequence', parts);
}

export function optional(part: Part | null): Part | null {
  return part && { kind: 'optional', part };
}

/** Throws for what no caller may ask for: unwritable or reversed ranges, or counts out of bounds. */
export function chars(ranges: readonly CharRange[], min: number, max: number): Part {
  if (!Number.isInteger(min) || !Number.isInteger(max) || min < 0 || max < 1 || min > max || max > maxRepeats)
    throw new Error(`A pattern cannot repeat characters from ${String(min)} to ${String(max)} times.`);
  if (ranges.length === 0 || !ranges.every(isRange) || ranges.every((range) => ends(range)[0] === '^'))
    throw new Error(`A pattern cannot be made of the characters ${JSON.stringify(ranges)}.`);
  return { kind: 'chars', ranges, min, max };
}

/** Undefined for null: the caller sends none. */
export function pattern(part: Part | null): Pattern | undefined {
  return part === null ? undefined : (`^${print(part)}$` as Pattern);
}

function combined(kind: 'oneOf' | 'sequence', parts: readonly (Part | null)[]): Part | null {
  const made = parts.filter((part) => part !== null);
  return made.length === parts.length && made.length > 0 ? { kind, parts: made } : null;
}

/** Quantifiers stand behind a bracket only: behind an escaped character they would cover the text before it too. */
function print(part: Part): string {
  switch (part.kind) {
    case 'literal':
      return part.text.replaceAll(/[$()*+.?[\]^{|}]/g, String.raw`\$&`);
    case 'oneOf':
      return `(${part.parts.map(print).join('|')})`;
    case 'sequence':
      return part.parts.map(print).join('');
    case 'optional':
      return `(${print(part.part)})?`;
    case 'chars': {
      const { min, max } = part;
      const count = min === max ? String(min) : `${String(min)},${String(max)}`;
      return `[${printRanges(part.ranges)}]{${count}}`;
    }
  }
}

/** A hyphen is itself at the very beginning, as the start of a range, or at the very end; a caret anywhere but first. */
function printRanges(ranges: readonly CharRange[]): string {
  const rank = (range: CharRange): number => {
    const [from, to] = ends(range);
    if (from === '-') return to === '-' ? 3 : 0;
    return from === '^' ? 2 : 1;
  };
  const sorted = ranges.toSorted((a, b) => rank(a) - rank(b));
  const [first, ...others] = sorted;
  const leads = first !== undefined && ends(first)[0] === '^';
  return (leads ? [...others, first] : sorted)
    .map((range) => {
      const [from, to] = ends(range);
      return from === to ? printChar(from) : `${printChar(from)}-${printChar(to)}`;
    })
    .join('');
}

const ends = (range: CharRange): readonly [string, string] =>
  typeof range === 'string' ? [range, range] : range;

function isRange(range: CharRange): boolean {
  const [from, to] = ends(range);
  return isChar(from) && isChar(to) && codeOf(from) <= codeOf(to);
}

const isChar = (text: string): boolean => isWritable(text) && String.fromCodePoint(codeOf(text)) === text;

const codeOf = (char: string): number => char.codePointAt(0) ?? 0;

const printChar = (char: string): string => (char === ']' ? String.raw`\]` : char);
