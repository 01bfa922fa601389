/** An answer that is a line which a search found, or the very thing that it looked for, says where that stands. */
import type { CallRecord } from '../calls/discipline.ts';
import { conclusive } from './steps.ts';

/** As a guided model reads the place of a match. */
const place = /^\(.+, lines? [\d, ]+\)$/gm;

/** Where there are several places, it is not known which one is meant. */
export function withPlace(answer: string, { name, args, content }: CallRecord): string {
  const places = content.match(place) ?? [];
  const [only] = places;
  if (name !== conclusive || only === undefined || places.length > 1) return answer;
  const { pattern } = (args ?? {}) as { pattern?: unknown };
  const found = [pattern, ...content.split('\n').filter((line) => line !== only)];
  const isFound = found.some((text) => typeof text === 'string' && text.trim() === answer.trim());
  return isFound && answer.trim() !== '' ? `${answer.trim()} ${only}` : answer;
}
