/**
 * What a search that found nothing may have meant: small models write a sentence where one word would do, and mix up names of
 * files with what stands in them.
 */
import type { ToolDisplay } from '../../protocol/model.ts';
import { globMatcher } from './glob-pattern.ts';

type Matches = Extract<ToolDisplay, { kind: 'matches' }>['matches'];

const maxWords = 12;
const minWordLength = 3;
const minStem = 4;
const maxEnding = 2;
const maxShown = 10;

/** A regular expression for any of the words of the pattern; null = it has only one. */
export function anyWordOf(pattern: string): string | null {
  const stems = stemsOf(pattern).map(({ stem }) => stem);
  return stems.length < 2 ? null : stems.join('|');
}

/**
 * Those that have most of the words, where a word counts the less the more lines have it: the first of them, how many they
 * are, and which words of the pattern they have.
 */
export function nearestLines(
  pattern: string,
  lines: Matches,
): { nearest: Matches; total: number; words: string[] } {
  const stems = stemsOf(pattern);
  const held = lines.map(({ text }) => stems.filter(({ stem }) => text.toLowerCase().includes(stem)));
  const count = new Map(stems.map((stem) => [stem, held.filter((each) => each.includes(stem)).length]));
  const weights = held.map((each) => each.reduce((sum, stem) => sum + 1 / (count.get(stem) ?? 1), 0));
  const best = Math.max(...weights);
  const isBest = (_: unknown, at: number): boolean => weights[at] === best;
  const words = stems.filter((stem) => held.filter(isBest).every((each) => each.includes(stem)));
  const nearest = lines.filter(isBest);
  return {
    nearest: nearest.slice(0, maxShown),
    total: nearest.length,
    words: words.length > 0 ? words.map(({ word }) => word) : ['some of its words'],
  };
}

/** Whether a file may be what the pattern means: by its name, with the signs of shell patterns, of regular ones or without. */
export function nameMatcher(pattern: string): (path: string) => boolean {
  const plain = pattern.trim().toLowerCase();
  const glob = regularSign.test(plain) && !shellSign.test(plain) ? globOf(plain) : plain;
  if (glob !== plain || /[*?[{]/.test(plain)) {
    const matches = globMatcher(glob.includes('/') ? glob : `**/${glob}`);
    return (path) => matches(path.toLowerCase());
  }
  return (path) => plain.length >= minWordLength && path.toLowerCase().includes(plain);
}

/** What hardly a shell pattern for a name has. */
const regularSign = /\.[*+]|\\\.|^\^|\$$/;

/** A star that repeats nothing before it, as only shell patterns have one. */
const shellSign = /(?:^|[^.)\]])\*/;

/** Of a regular expression what can be said of names: its ends, any signs, and one of several. */
function globOf(regular: string): string {
  const body = regular
    .replace(/^\^|\$$/g, '')
    .replaceAll(/\.[*+]/g, '*')
    .replaceAll(/\((?:\?:)?([^()]*)\)/g, (_, each: string) => `{${each.replaceAll('|', ',')}}`);
  return `${regular.startsWith('^') ? '' : '*'}${body}${regular.endsWith('$') ? '' : '*'}`.replaceAll(
    /\*+/g,
    '*',
  );
}

/** Without its ending: one letter of a short word (annas), two of a long one. */
function stemOf(word: string): string {
  const ending = word.length - maxEnding > minStem ? maxEnding : 1;
  return word.slice(0, Math.max(minStem, word.length - ending));
}

/** Letters and digits, so that none of them means anything in a regular expression. */
const stemsOf = (pattern: string): { word: string; stem: string }[] =>
  [...new Set(pattern.toLowerCase().match(/[\p{L}\p{N}]+/gu))]
    .filter((word) => word.length >= minWordLength)
    .map((word) => ({ word, stem: stemOf(word) }))
    .slice(0, maxWords);
