/**
 * Whether something that a call gives to its tool stands in no text that the model was told. A small model that has found a
 * tool calls it, also where it is about something else, and then makes its arguments up. This alone decides nothing: a city
 * has another name in another language.
 */
import type { ToolSchema } from '../../tools/tool.ts';

/** Letters of a word, from its beginning: endings differ. */
const rootLength = 4;
/** A number up to this is a word as often as not, and words differ from one language to the next. */
const maxWorded = 12;

const plain = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

interface KnownWords {
  text: string;
  words: ReadonlySet<string>;
  numbers: ReadonlySet<number>;
}

/** @param said whatever was said and seen, without what the tool says of itself. */
export function hasUnsaid(
  args: Readonly<Record<string, unknown>>,
  { properties }: Pick<ToolSchema, 'properties'>,
  said: string,
): boolean {
  const text = plain(said);
  const known = { text, words: new Set(wordsOf(text)), numbers: numbersIn(text) };
  const verdicts = Object.entries(args).flatMap(([key, value]) => {
    // One of the tool's own words is no word of the person.
    const isChosen = (properties[key]?.enum ?? []).length > 0;
    return isChosen ? [] : [isSaid(value, known)];
  });
  return verdicts.includes(false) || (verdicts.length > 0 && !verdicts.includes(true));
}

/** Null = nobody can tell. */
function isSaid(value: unknown, known: KnownWords): boolean | null {
  if (typeof value === 'number') return isNumberSaid(value, known);
  if (typeof value === 'string') return isTextSaid(plain(value), known);
  if (typeof value !== 'object' || value === null) return null;
  const parts = new Set(Object.values(value).map((each) => isSaid(each, known)));
  if (parts.has(true)) return true;
  return parts.has(false) ? false : null;
}

/** Two letters of most scripts stand in any text, in others they are a city. */
const isShort = (word: string): boolean => /^[\p{Script=Latin}\d]{1,2}$/u.test(word);

function isTextSaid(value: string, { text, words: all }: KnownWords): boolean | null {
  const words = wordsOf(value);
  if (words.length === 0) return null;
  const long = words.filter((word) => !isShort(word));
  if (long.length === 0) return words.some((word) => all.has(word));
  return long.some((word) => text.includes(word.slice(0, rootLength)));
}

/** Thousands may be parted by a comma, an apostrophe, or a blank. */
const numbersIn = (text: string): ReadonlySet<number> =>
  new Set((text.replaceAll(/(?<=\d)[,' ](?=\d{3})/g, '').match(/\d+(?:\.\d+)?/g) ?? []).map(Number));

function isNumberSaid(value: number, { numbers }: KnownWords): boolean | null {
  if (numbers.has(Math.abs(value))) return true;
  return Number.isInteger(value) && Math.abs(value) <= maxWorded ? null : false;
}
