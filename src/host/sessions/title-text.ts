/** What a model is asked when a session needs a title, and what of its reply is one. Pure. */
import { isHidden } from '../../rules/visible-text/hidden-signs.ts';
import { withoutNumber } from './title-due.ts';

/** What it is called so far, and whether that came with a copy; null = as its first message begins. */
export interface Before {
  title: string;
  isCopied: boolean;
}

const maxLength = 60;
/** Six are asked for. */
const maxWords = 8;

/** Of the message: enough to say what it is about. */
const maxQuoted = 160;

const begin = 'Write a title for this conversation';
const wish =
  'Call no tool. 2 to 6 words, in the language of the user. Answer with the title alone: one line, no quotation marks.';

/**
 * The message stands in it once more: a small model would else name the folder that its first message begins with.
 *
 * @param message of the person; empty = only files came
 */
export function titleInstruction(message: string, before: Before | null): string {
  const words = visibleLine(message).replaceAll(/[“”"]/gu, "'").slice(0, maxQuoted).trim();
  const asked = words === '' ? `${begin}.` : `${begin}, in which the user asked: “${words}”`;
  return [asked, wish, ...aboutBefore(before)].join('\n');
}

function aboutBefore(before: Before | null): string[] {
  if (before === null) return [];
  const name = withoutNumber(before.title);
  return before.isCopied
    ? [`Its beginning is called “${name}”. Say what the newest messages are about instead.`]
    : [`It is called “${name}” so far. Answer with exactly that, unless it is about something else by now.`];
}

/** The title in a reply; null = the reply is none, and what was there stays. */
export function titleIn(reply: string, before: Before | null): string | null {
  const lines = reply.split(/[\n\r\u2028\u2029]/).flatMap((line) => plainLine(line) || []);
  // A line that announces one comes before it.
  const line = lines.find((each) => !/[:：]$/u.test(each));
  const title = line === undefined ? null : fitting(line);
  if (title === null || isEcho(title)) return null;
  return before !== null && !isBetter(title, before) ? null : title;
}

const quotes = '"“”„‟«»‹›「」『』`\'‘’‚*_';
const around = new RegExp(`^[${quotes}\\s]+|[${quotes}\\s.。]+$`, 'gu');
const quoted = /[“„«「『"]([^“”„«»「」『』"]+)[”“»」』"]/gu;

/** Without what Markdown and a label put before it, on one line and with nothing that cannot be seen. */
function plainLine(line: string): string {
  return visibleLine(line)
    .replace(/^[\s#>*•–—-]+/u, '')
    .replace(/^[*_]*title[*_]*\s*[:：][*_]*\s*(?=\S)/iu, '')
    .trim();
}

function visibleLine(text: string): string {
  const seen = Array.from(text.slice(0, 1_000), (sign) => (isHidden(sign) ? ' ' : sign)).join('');
  return seen.replaceAll(/\s+/gu, ' ').trim();
}

/** A sentence around one quoted title is taken for that. */
function fitting(line: string): string | null {
  const title = line.replaceAll(around, '');
  if (isTitle(title)) return title;
  const [only, ...more] = [...line.matchAll(quoted)].map(([, words = '']) => words.replaceAll(around, ''));
  return only !== undefined && more.length === 0 && isTitle(only) ? only : null;
}

function isTitle(title: string): boolean {
  const isText = /[\p{L}\p{N}]/u.test(title) && !/[<>{}[\]\\]|:\/\//.test(title);
  return isText && title.length <= maxLength && title.split(' ').length <= maxWords;
}

/** Small models give back a piece of what they were asked. */
function isEcho(title: string): boolean {
  return `${begin} ${wish}`.toLowerCase().includes(title.toLowerCase());
}

/** Another way to say the same is no reason to rename what a person finds in a list. */
function isBetter(title: string, { title: known, isCopied }: Before): boolean {
  if (isCopied) return fold(title) !== fold(withoutNumber(known));
  const before = wordsIn(known);
  return [...wordsIn(title)].every((word) => !before.has(word));
}

const fold = (text: string): string => text.toLowerCase().normalize('NFC');

function wordsIn(text: string): Set<string> {
  const words = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(fold(text));
  return new Set([...words].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : [])));
}
