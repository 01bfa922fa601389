/**
 * What a search that found nothing may have meant: small models write a sentence where one word would do, and mix up names of
 * files with what stands in them.
 */
import type { ToolDisplay } from '../../protocol/model.ts';
import { globMatcher } from './glob-pattern.ts';

type Matches = Extract<ToolDisplay, { kind: 'matches' }>['matches'];

const maxWords = 12;
const minWordLength = 3;
const minStem = 5;
const maxEnding = 2;
const maxShown = 10;

/** A regular expression for any of the words of the pattern; null = it has only one. */
export function anyWordOf(pattern: string): string | null {
  const words = wordsOf(pattern);
  return words.length < 2 ? null : words.join('|');
}

/** Those that have most of the words, where a word counts the less the more lines have it. */
export function nearestLines(pattern: string, lines: Matches): Matches {
  const words = wordsOf(pattern);
  const held = lines.map(({ text }) => words.filter((word) => text.toLowerCase().includes(word)));
  const count = new Map(words.map((word) => [word, held.filter((each) => each.includes(word)).length]));
  const weights = held.map((each) => each.reduce((sum, word) => sum + 1 / (count.get(word) ?? 1), 0));
  const best = Math.max(...weights);
  return lines.filter((_, at) => weights[at] === best).slice(0, maxShown);
}

/** Whether a file may be what the pattern means: by its name, with the signs of shell patterns or without. */
export function nameMatcher(pattern: string): (path: string) => boolean {
  const plain = pattern.trim().toLowerCase();
  if (/[*?[{]/.test(plain)) return globMatcher(plain.includes('/') ? plain : `**/${plain}`);
  return (path) => plain.length >= minWordLength && path.toLowerCase().includes(plain);
}

/** Letters and digits, so that none of them means anything in a regular expression; long ones without their ending. */
const wordsOf = (pattern: string): string[] =>
  [...new Set(pattern.toLowerCase().match(/[\p{L}\p{N}]+/gu))]
    .filter((word) => word.length >= minWordLength)
    .map((word) => word.slice(0, Math.max(minStem, word.length - maxEnding)))
    .slice(0, maxWords);
