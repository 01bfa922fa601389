/**
 * An edit that adds a line, in a form of its own: below or above a line that stays. A small model that may only replace a
 * text replaces the one that was to stay. Read back, it is an edit like any other.
 */
import { anyText, object, oneOfValues, type ObjectSchema } from '../../../rules/grammar/schema.ts';
import { numbered } from './argument-order.ts';

/** The ends of a file, each a text that stands in it once. */
export interface FileEnds {
  first: string | null;
  last: string | null;
}

const [path = '', below = '', line = ''] = numbered(['path', 'below_line', 'add_line']);
const [, above = ''] = numbered(['path', 'above_line', 'add_line']);

/** The arguments of such edits. None where no end of the file can be written. */
export function addedLines(paths: readonly string[], { first, last }: FileEnds): ObjectSchema[] {
  const sides = [
    { key: below, end: last },
    { key: above, end: first },
  ];
  const known = oneOfValues(paths) ?? anyText();
  return sides.flatMap(({ key, end }) => {
    const value = end === null ? null : oneOfValues([end]);
    return value === null ? [] : [object({ [path]: known, [key]: value, [line]: anyText({ minLength: 1 }) })];
  });
}

/** The arguments of an edit, whichever way it was written. Arguments of no added line stay as they are. */
export function asEdit(args: Record<string, unknown>): Record<string, unknown> {
  const { [path]: file, [below]: before, [above]: behind, [line]: added, ...others } = args;
  if (typeof added !== 'string' || Object.keys(others).length > 0) return args;
  if (typeof before === 'string' && behind === undefined)
    return { path: file, old_text: before, new_text: `${before}\n${added}` };
  if (typeof behind === 'string' && before === undefined)
    return { path: file, old_text: behind, new_text: `${added}\n${behind}` };
  return args;
}
