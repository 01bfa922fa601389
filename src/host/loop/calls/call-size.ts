/** Whether a call is of a size that a model can have meant. */
import { maxCallCharacters, maxCallValues } from '../../../protocol/limits.ts';

/** Stops counting at the first limit, so a flood costs no more than a large call. */
export function isTooLarge(args: Readonly<Record<string, unknown>>): boolean {
  const open: object[] = [args];
  let values = 0;
  let characters = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    // Without Object.entries, which would build the list of a million keys first.
    for (const key in next) {
      const value: unknown = (next as Record<string, unknown>)[key];
      values += 1;
      characters += key.length + (typeof value === 'string' ? value.length : 1);
      if (values > maxCallValues || characters > maxCallCharacters) return true;
      if (typeof value === 'object' && value !== null) open.push(value);
    }
  }
  return false;
}
