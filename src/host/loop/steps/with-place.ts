/**
 * An answer that is a line which a search found, or the very thing that it looked for, says where that stands; one that is the
 * name of the file says in which folder.
 */
import type { CallRecord } from '../calls/discipline.ts';
import { nameOf } from './named-in-text.ts';
import { conclusive } from './steps.ts';

/** As a guided model reads the place of a match. */
const place = /^\((.+), lines? [\d, ]+\)$/gm;

/** Where there are several places, it is not known which one is meant. */
export function withPlace(answer: string, { name, args, content }: CallRecord): string {
  const [first, ...more] = content.matchAll(place);
  if (name !== conclusive || first === undefined || more.length > 0) return answer;
  const [only, path = ''] = first;
  if (answer.trim() === nameOf(path)) return path;
  const { pattern } = (args ?? {}) as { pattern?: unknown };
  const found = [pattern, ...content.split('\n').filter((line) => line !== only)];
  const isFound = found.some((text) => typeof text === 'string' && text.trim() === answer.trim());
  return isFound && answer.trim() !== '' ? `${answer.trim()} ${only}` : answer;
}
