/** What may become a fact: named, short, plain and no secret. */
import { AndironError } from '../../protocol/errors.ts';
import type { Fact, FactWords } from '../store/memory-store.ts';
import { cleanText } from './clean-text.ts';
import { secretIn } from './secrets.ts';
import { tellingWords } from './words.ts';

export interface FactInput {
  /** Empty or left out = `general`. */
  category?: string | undefined;
  key: string;
  value: string;
  /** Milliseconds since the Unix epoch; left out = for good. */
  expiresAt?: number | undefined;
}

export type PlainFact = Pick<Fact, 'category' | 'key' | 'value'>;

/** The longest name and value, in characters. */
export const nameCap = 60;
export const valueCap = 200;

/** Throws AndironError `invalid_params` with what to do next: nothing is guessed and nothing is cut. */
export function toPlainFact(input: FactInput): PlainFact {
  const category = toName(input.category ?? '') || 'general';
  const key = toName(input.key);
  if (key === '') throw refusal('The key has no letters.', 'Name the fact in a word or two.');
  return { category, key, value: toValue(key, input.value) };
}

/** Throws as `toPlainFact` does. */
export function toValue(key: string, given: string): string {
  const value = cleanText(given, valueCap + 1);
  if (value === '') throw refusal('The value is empty.', 'Say what is to be remembered.');
  const secret = secretIn(value, key) ?? secretIn(`${key.replaceAll('_', ' ')}: ${value}`);
  if (secret !== null) throw secretRefusal(secret);
  if (value.length > valueCap)
    throw refusal('The value is too long.', `Say it in at most ${String(valueCap)} characters.`);
  return value;
}

export const secretRefusal = (secret: string): AndironError =>
  refusal(
    `It looks like ${secret}, and memory is not a safe place for secrets: nothing was saved.`,
    'Keep it in a password manager, and remember only where it is kept.',
  );

/** `category: key = value` on one line, as models read and write it. */
export const factLine = ({ category, key, value }: PlainFact): string => `${category}: ${key} = ${value}`;

export const factWords = ({ category, key, value }: PlainFact): FactWords => ({
  category: tellingWords(category),
  key: tellingWords(key),
  value: tellingWords(value),
});

/** Whether category and key only name something: longer ones could tell the model what to do. */
export function hasShortNames({ category, key }: PlainFact): boolean {
  return isShortName(category, 2, 24) && isShortName(key, 4, 40);
}

const isShortName = (name: string, maxWords: number, maxLetters: number): boolean =>
  name.length <= maxLetters &&
  /^[\p{L}\p{M}\p{N} _'’+#-]*$/u.test(name) &&
  toName(name).split('_').length <= maxWords;

/** Lower case with underscores, so that "Favourite editor" and "favourite_editor" are one. */
function toName(text: string): string {
  return cleanText(text, nameCap * 2)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .slice(0, nameCap)
    .replaceAll(/^_+|[_\uD800-\uDBFF]+$/g, '');
}

const refusal = (message: string, advice: string): AndironError =>
  new AndironError('invalid_params', message, advice);
