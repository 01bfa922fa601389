/** Rows that read the same keep their identity, so that they are not rendered again. */
import type { Row } from './rows.ts';

/** Keeps the old object of every row that reads the same. */
export function reuse(rows: Row[], before: readonly Row[]): Row[] {
  const old = new Map(before.map((row) => [row.key, row]));
  return rows.map((row) => {
    const previous = old.get(row.key);
    return previous && same(previous, row) ? previous : row;
  });
}

function same(a: Row, b: Row): boolean {
  if (a === b) return true;
  const fields = new Map<string, unknown>(Object.entries(b));
  const own = Object.entries(a);
  return (
    own.length === fields.size &&
    own.every(([key, value]: [string, unknown]) => sameField(value, fields.get(key)))
  );
}

/** Items and turns are the same when they are the same object; lists and counts when their members are. */
function sameField(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((member, index) => Object.is(member, b[index]));
  }
  return isCounts(a) && isCounts(b) && Object.entries(a).every(([name, value]) => b[name] === value);
}

/** Figures by name. */
function isCounts(value: unknown): value is Record<string, number> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((member) => typeof member === 'number')
  );
}
