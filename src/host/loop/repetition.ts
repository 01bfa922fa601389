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

const windowChars = 4_096;
const stepChars = 64;
const minRounds = 4;
const maxCallPeriod = 4;

interface Bounds {
  rounds: number;
  chars: number;
  /** A unit with fewer different letters and digits is a ruler, a row of zeros or padding. */
  signs: number;
  plainChars: number;
}

const usual: Bounds = { rounds: minRounds, chars: 1_000, signs: 5, plainChars: 3_000 };
/** Of what to look for nobody writes so much: a small model that has nothing more to say fills it until its bound. */
const ofShortRounds: Bounds = { rounds: 20, chars: 300, signs: 3, plainChars: 3_000 };

/**
 * Null = the text does not end in a circle. Looks for one in its last 4,096 characters.
 * @param isLook it is a call that looks for something, and holds no content: short rounds are a circle sooner there
 */
export const circleAtEnd = (text: string, isLook = false): Circle | null =>
  circleWithin(text, usual) ?? (isLook ? circleWithin(text, ofShortRounds) : null);

function circleWithin(text: string, { rounds, chars, signs, plainChars }: Bounds): Circle | null {
  const end = text.slice(-windowChars);
  const borders = bordersFromEnd(end);
  for (let length = end.length; length >= chars; length -= 1) {
    const period = length - (borders[length - 1] ?? 0);
    if (period * rounds > length) continue;
    const unit = end.slice(end.length - period);
    const needed = signsOf(unit) < signs ? plainChars : chars;
    if (length < needed) continue;
    let from = text.length - length;
    while (from > 0 && text[from - 1] === text[from - 1 + period]) from -= 1;
    return { from, keep: roundEnd(text, from + period, period) };
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
export function createCircleWatch(isLook = false) {
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
      const circle = circleAtEnd(tail, isLook);
      return circle && { from: dropped + circle.from, keep: dropped + circle.keep };
    },
  };
}

/**
 * Told of each event of a reply, it says whether text, thinking or calls, each by themselves, run in a circle by now.
 * @param isLook as of `circleAtEnd`
 */
export function watchForCircles(isLook = false): (event: ReplyEvent) => boolean {
  const [text, thinking] = [createCircleWatch(isLook), createCircleWatch()];
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
