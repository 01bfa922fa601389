/** JSON as a person would write it: what fits on a line stands on one. */

/** Characters that a line may have, so that it fits into the column. */
const lineLength = 80;

export function jsonText(value: unknown, indent = ''): string {
  if (!isNested(value)) return plain(value);
  const short = onOneLine(value, lineLength - indent.length);
  if (short !== null) return short;
  const inner = `${indent}  `;
  const parts = partsOf(value).map(([name, each]) => inner + name + jsonText(each, inner));
  const [opens, closes] = Array.isArray(value) ? '[]' : '{}';
  return `${opens}\n${parts.join(',\n')}\n${indent}${closes}`;
}

/** null = it is longer than there is room; found out without reading all of it. */
function onOneLine(value: unknown, room: number): string | null {
  if (!isNested(value)) return plain(value);
  let inside = '';
  for (const [name, each] of partsOf(value)) {
    const text = onOneLine(each, room - inside.length);
    if (text === null) return null;
    inside += (inside === '' ? '' : ', ') + name + text;
    if (inside.length > room) return null;
  }
  const line = Array.isArray(value) ? `[${inside}]` : inside === '' ? '{}' : `{ ${inside} }`;
  return line.length > room ? null : line;
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

const plain = (value: unknown): string => JSON.stringify(value) ?? 'null';

/** With what stands before each: the name of a member, nothing in a list. */
function partsOf(value: object): [before: string, value: unknown][] {
  if (Array.isArray(value)) return value.map((each: unknown) => ['', each]);
  const members = Object.entries(value).filter(([, each]) => each !== undefined);
  return members.map(([name, each]) => [`${JSON.stringify(name)}: `, each]);
}
