/** An answer that is the message over again. */
import { readMessage, type PersonMessage } from '../../prompt/person-message.ts';

/**
 * Most of the message stands in the answer, and nothing else does. A name out of the message may be all of an answer, but not
 * where `isMissed`: something was not found, and words of the message alone say nothing of it.
 */
export function repeats(answer: string, message: PersonMessage, isMissed: boolean): boolean {
  const [asked, given] = [wordsOf(readMessage(message)), wordsOf(answer)];
  if (given === '' || !asked.includes(given)) return false;
  return isMissed || given.length * 2 > asked.length;
}

/** Of fewer words an answer may consist by chance. */
const minWords = 4;

/** The answer up to where all of the message stands at its end, if anything stands in front of it. */
export function withoutMessageBehind(answer: string, message: PersonMessage): string {
  const asked = wordsOf(readMessage(message));
  const count = asked.match(word)?.length ?? 0;
  const from = [...answer.matchAll(word)].at(-count)?.index ?? 0;
  if (count < minWords || from === 0 || wordsOf(answer.slice(from)) !== asked) return answer;
  const rest = answer.slice(0, from).replace(/[\s"'`«„“(]+$/u, '');
  return rest === '' ? answer : rest;
}

const word = /[\p{L}\p{N}]+/gu;

/** Letters and figures alone, with a blank around each word. */
const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => ` ${word} `)
    .join('');
