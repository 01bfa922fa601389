/**
 * Finds replies that run in circles while they come. Real texts repeat themselves too: over 80 MB of code, documents and
 * data the longest exact repetition of anything with words in it had 630 characters, and of lines, blanks and zeros 1,400.
 * What goes on beyond that does not end.
 */

import type { ReplyEvent } from '../providers/provider.ts';
import { isTooLarge } from './calls/call-size.ts';

/** `from`: where it begins. `keep`: how much is new, its first round with it. */
export interface Circle {
  from: number;
  keep: number;
}

/** As it is, or as JSON writes it. */
const lineEnd = /\n|\\n/;
const windowChars = 4_096;
const stepChars = 64;
const minRounds = 4;
const maxCallPeriod = 4;

/** As often one token comes at least before an engine ends the reply, and as long a token may be. */
const minRun = 30;
const maxTokenChars = 64;
/** What was found in the JSON of an answer has somewhat fewer rounds in its text. */
const minHeldRun = 18;

/**
 * What the text is a part of, as far as a grammar tells. `content`: of a file, or anything. `answer`: under a grammar, where a
 * small model that has no answer writes digits until its bound. `command`: what is run may hold a text of its own. `aim`: of a
 * call that looks for something, where nobody writes so much.
 */
export type Written = 'content' | 'answer' | 'command' | 'aim';

interface Bounds {
  rounds: number;
  chars: number;
  /** A unit of one sign, or with fewer different letters and digits, is a ruler, a row of zeros or padding. */
  signs: number;
  plainChars: number;
  /** Only what stands in one line: a log that is shown has many lines that are alike. */
  inOneLine?: boolean;
}

const usual: Bounds = { rounds: minRounds, chars: 1_000, signs: 5, plainChars: 3_000 };
/** Short rounds are a circle sooner there. */
const ofShortRounds: Readonly<Record<Exclude<Written, 'content'>, Bounds>> = {
  answer: { rounds: 20, chars: 600, signs: 2, plainChars: 3_000, inOneLine: true },
  command: { rounds: 20, chars: 600, signs: 2, plainChars: 1_500 },
  aim: { rounds: 20, chars: 300, signs: 0, plainChars: 1_000 },
};

/** Null = the text does not end in a circle. Looks for one in its last 4,096 characters. */
export const circleAtEnd = (text: string, written: Written = 'content'): Circle | null =>
  circleWithin(text, usual) ?? (written === 'content' ? null : circleWithin(text, ofShortRounds[written]));

function circleWithin(text: string, bounds: Bounds): Circle | null {
  const { rounds, chars, signs, plainChars, inOneLine = false } = bounds;
  const end = text.slice(-windowChars);
  const borders = bordersFromEnd(end);
  for (let length = end.length; length >= chars; length -= 1) {
    const period = length - (borders[length - 1] ?? 0);
    if (period * rounds > length) continue;
    const unit = end.slice(end.length - period);
    const needed = period === 1 || signsOf(unit) < signs ? plainChars : chars;
    if (length < needed || (inOneLine && lineEnd.test(unit))) continue;
    let from = text.length - length;
    while (from > 0 && text[from - 1] === text[from - 1 + period]) from -= 1;
    return { from, keep: roundEnd(text, from + period, period) };
  }
  return null;
}

/**
 * Of a reply that was ended because something came over and over: by its engine for one token, or under a grammar. Null =
 * nothing stands there that often.
 */
export function runAtEnd(text: string, isHeld = false): Circle | null {
  const rounds = isHeld ? minHeldRun : minRun;
  const end = text.trimEnd();
  for (let period = 1; period <= maxTokenChars; period += 1) {
    let from = end.length - period;
    while (from > 0 && end[from - 1] === end[from - 1 + period]) from -= 1;
    if (end.length - from >= period * rounds) return { from, keep: from + period };
  }
  return null;
}

/** What stands before a circle often ends as its rounds do: the cut moves on to where a sentence or a line ends. */
function roundEnd(text: string, at: number, period: number): number {
  if (/[.!?}\]`\n]\s*$/.test(text.slice(Math.max(0, at - 8), at))) return at;
  const [more = ''] = /^[^.!?\n]*[.!?\n]/.exec(text.slice(at, at + Math.ceil(period / 2))) ?? [];
  return at + more.length;
}

/** How much of the text it would keep is asked every 64 characters. */
export function createCircleWatch(writtenNow: () => Written = () => 'content') {
  let tail = '';
  let dropped = 0;
  let unread = 0;
  return {
    push(piece: string): Circle | null {
      tail += piece;
      unread += piece.length;
      if (unread < stepChars) return null;
      unread = 0;
      if (tail.length > 2 * windowChars) {
        dropped += tail.length - windowChars;
        tail = tail.slice(-windowChars);
      }
      const circle = circleAtEnd(tail, writtenNow());
      return circle && { from: dropped + circle.from, keep: dropped + circle.keep };
    },
  };
}

/**
 * Told of each event of a reply, it says whether text, thinking or calls, each by themselves, run in a circle by now.
 * @param writtenNow what its text is a part of
 */
export function watchForCircles(writtenNow?: () => Written): (event: ReplyEvent) => boolean {
  const [text, thinking] = [createCircleWatch(writtenNow), createCircleWatch()];
  const calls: string[] = [];
  return (event) => {
    if (event.type === 'text') return text.push(event.text) !== null;
    if (event.type === 'thinking') return thinking.push(event.text) !== null;
    if (event.type !== 'call') return false;
    calls.push(keyOfCall(event));
    if (calls.length > maxCallPeriod * minRounds) calls.shift();
    return circleOfCalls(calls) !== null;
  };
}

/** Calls with the same one are the same, as far as this goes. */
export function keyOfCall({
  name,
  args,
  unread,
}: Omit<Extract<ReplyEvent, { type: 'call' }>, 'type'>): string {
  return JSON.stringify([name, unread ?? (isTooLarge(args) ? null : args)]);
}

/** How many of these calls are new, where the newest ones only repeat themselves; null = they do not. */
export function circleOfCalls(calls: readonly string[]): Circle | null {
  for (let period = 1; period <= maxCallPeriod; period += 1) {
    const length = period * minRounds;
    const last = calls.slice(-length);
    if (last.length < length) return null;
    const from = calls.length - length;
    if (last.every((call, at) => call === last[at % period])) return { from, keep: from + period };
  }
  return null;
}

/** For each length of an end of the text: how long its longest other end is that it also begins with. */
function bordersFromEnd(text: string): Uint16Array {
  const last = text.length - 1;
  const borders = new Uint16Array(text.length);
  let border = 0;
  for (let at = 1; at < text.length; at += 1) {
    while (border > 0 && text.charCodeAt(last - at) !== text.charCodeAt(last - border))
      border = borders[border - 1] ?? 0;
    if (text.charCodeAt(last - at) === text.charCodeAt(last - border)) border += 1;
    borders[at] = border;
  }
  return borders;
}

const signsOf = (unit: string): number => new Set(unit.match(/[\p{L}\p{N}]/gu)).size;
