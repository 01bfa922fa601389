/**
 * Commands that run without a question, because the person always allows them in a folder: by their words, exactly or with
 * more behind them. Only what a shell takes for nothing but words can be such a command.
 */
import type { CommandRule } from '../protocol/model.ts';

/** Nothing that a shell expands, joins, quotes, redirects or runs besides, and no letters that look like others. */
const plainWord = /^[\w@%+:,./-][\w@%+=:,./-]*$/;

/** So the words that hand a program its orders in an argument (`sh -c`, `node -e`, `find -exec`) always ask. */
const orders = /^-[A-Za-z]{0,2}[ceE]|^--?(?:eval|command|exec|ok|print|require|import)/;

/** With what stands on a button. */
const maxLength = 80;

/** The words of a command; null where a shell would read more into it. */
export function plainWords(command: string): string[] | null {
  const words = command.split(' ').filter((word) => word !== '');
  const isPlain = words.length > 0 && words.every((word) => plainWord.test(word) && !orders.test(word));
  // A variable in front would be set for whatever comes behind it.
  return isPlain && !words[0]?.includes('=') ? words : null;
}

/** What may be allowed for good instead of this one command: itself, and all that begins with its first two words. */
export function offeredRules(command: string): CommandRule[] {
  const words = plainWords(command);
  if (words === null || words.join(' ').length > maxLength) return [];
  const exact = { words, isExact: true };
  return words.length > 2 ? [exact, { words: words.slice(0, 2), isExact: false }] : [exact];
}

/** Whether the words of the rule, as they stand on its button, say this command. */
export function coversCommand({ words, isExact }: CommandRule, command: string): boolean {
  const given = plainWords(command);
  if (given === null || (isExact && given.length !== words.length)) return false;
  return words.every((word, at) => word === given[at]);
}

export const isSameRule = (a: CommandRule, b: CommandRule): boolean =>
  a.isExact === b.isExact && a.words.join(' ') === b.words.join(' ');
