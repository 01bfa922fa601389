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

/** Letters and figures alone, with a blank around each word. */
const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => ` ${word} `)
    .join('');
