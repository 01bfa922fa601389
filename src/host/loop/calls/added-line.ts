/**
 * An edit that adds a line, in a form of its own: where, then the line. A small model that may only replace a text replaces
 * the one that was to stay. Read back, it is an edit like any other.
 */
import { anyText, object, oneOfValues, type ObjectSchema } from '../../../rules/grammar/schema.ts';
import { numbered } from './argument-order.ts';

/** The ends of a file, each a text that stands in it once. */
export interface FileEnds {
  first: string | null;
  last: string | null;
}

const [path = '', where = '', line = ''] = numbered(['path', 'where', 'add_line']);
const end = 'at the end, below: ';
const beginning = 'at the beginning, above: ';

/** The arguments of such edits; null where no end of the file can be written. */
export function addedLine(paths: readonly string[], { first, last }: FileEnds): ObjectSchema | null {
  const places = [...(last === null ? [] : [end + last]), ...(first === null ? [] : [beginning + first])];
  const known = oneOfValues(places);
  return (
    known &&
    object({ [path]: oneOfValues(paths) ?? anyText(), [where]: known, [line]: anyText({ minLength: 1 }) })
  );
}

/** The arguments of an edit, whichever way it was written. Arguments of no added line stay as they are. */
export function asEdit(args: Record<string, unknown>): Record<string, unknown> {
  const { [path]: file, [where]: place, [line]: added, ...others } = args;
  if (typeof place !== 'string' || typeof added !== 'string' || Object.keys(others).length > 0) return args;
  const edit = (kept: string, next: string) => ({ path: file, old_text: kept, new_text: next });
  if (place.startsWith(end)) {
    const kept = place.slice(end.length);
    return edit(kept, `${kept}\n${added}`);
  }
  if (place.startsWith(beginning)) {
    const kept = place.slice(beginning.length);
    return edit(kept, `${added}\n${kept}`);
  }
  return args;
}
