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

/** @param said whatever was said and seen, without what the tool says of itself. */
export function hasUnsaid(
  args: Readonly<Record<string, unknown>>,
  { properties }: Pick<ToolSchema, 'properties'>,
  said: string,
): boolean {
  const text = plain(said);
  const verdicts = Object.entries(args).flatMap(([key, value]) => {
    // One of the tool's own words is no word of the person.
    const isChosen = (properties[key]?.enum ?? []).length > 0;
    return isChosen ? [] : [isSaid(value, text)];
  });
  return verdicts.includes(false) || (verdicts.length > 0 && !verdicts.includes(true));
}

/** Null = nobody can tell. */
function isSaid(value: unknown, text: string): boolean | null {
  if (typeof value === 'number') return isNumberSaid(value, text);
  if (typeof value === 'string') return isTextSaid(plain(value), text);
  if (typeof value !== 'object' || value === null) return null;
  const parts = new Set(Object.values(value).map((each) => isSaid(each, text)));
  if (parts.has(true)) return true;
  return parts.has(false) ? false : null;
}

function isTextSaid(value: string, text: string): boolean | null {
  const words = wordsOf(value);
  if (words.length === 0) return null;
  // A letter stands in any text.
  const all = new Set(wordsOf(text));
  return words.some((word) =>
    /^[a-z\d]$/.test(word) ? all.has(word) : text.includes(word.slice(0, rootLength)),
  );
}

/** Not as a part of a longer number. Thousands may be parted. */
function isNumberSaid(value: number, text: string): boolean | null {
  const numbers = text.replaceAll(/(?<=\d)[,\u00A0\u202F'](?=\d{3})/gu, '').match(/\d+(?:\.\d+)?/g) ?? [];
  if (numbers.some((each) => Number(each) === Math.abs(value))) return true;
  return Number.isInteger(value) && Math.abs(value) <= maxWorded ? null : false;
}
