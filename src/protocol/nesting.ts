/** How deep JSON is nested, told before it is parsed. */

const quote = 0x22;
const backslash = 0x5c;
/** `[` and `]` are `{` and `}` without this bit. */
const curly = 0x20;
const opening = 0x7b;
const closing = 0x7d;

/** True when lists and objects are nested deeper than `most`. What is no JSON may get either answer. */
export function nestsDeeper(json: string, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === quote) at = endOfString(json, at);
    else if ((code | curly) === opening) depth += 1;
    else if ((code | curly) === closing) depth -= 1;
    if (depth > most) return true;
  }
  return false;
}

/** Where the string that begins at `start` ends. Long ones are the rule in a call that carries a file. */
function endOfString(json: string, start: number): number {
  let at = start;
  do {
    at = json.indexOf('"', at + 1);
    if (at === -1) return json.length;
  } while (isEscaped(json, at));
  return at;
}

function isEscaped(json: string, at: number): boolean {
  let before = at - 1;
  while (json.charCodeAt(before) === backslash) before -= 1;
  return (at - before) % 2 === 0;
}

/** The same of a value that came as one: a port hands over objects, not text. */
export function isNestedDeeper(value: unknown, most: number): boolean {
  const open: [value: unknown, depth: number][] = [[value, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [current, depth] = next;
    if (typeof current !== 'object' || current === null) continue;
    if (depth === most) return true;
    for (const inner of Object.values(current)) {
      // Most of a frame is texts and numbers, which need no place in the queue.
      if (typeof inner === 'object' && inner !== null) open.push([inner, depth + 1]);
    }
  }
  return false;
}
