/**
 * A JSON scanner that says where the first value ends and speaks Go's error messages.
 * Needed because Ollama answers with its decoder's own words, and because it stops reading a
 * request body where the first object ends.
 */
export type Scan =
  { kind: 'value'; end: number } | { kind: 'incomplete' } | { kind: 'error'; message: string };

class Incomplete extends Error {}

const WHITESPACE = /[ \t\r\n]/;
const LITERALS: Record<string, string> = { t: 'true', f: 'false', n: 'null' };

export function scanJson(text: string): Scan {
  let at = 0;

  const fail = (where: string): never => {
    const character = text.charAt(at);
    const shown =
      character === "'" ? `'\\''` : character === '"' ? `'"'` : `'${JSON.stringify(character).slice(1, -1)}'`;
    throw new SyntaxError(`invalid character ${shown} ${where}`);
  };
  const peek = (): string => {
    if (at >= text.length) throw new Incomplete();
    return text.charAt(at);
  };
  const skipWhitespace = () => {
    while (WHITESPACE.test(peek())) at++;
  };

  const scanString = () => {
    at++;
    for (;;) {
      const character = peek();
      if (character < ' ') fail('in string literal');
      at++;
      if (character === '"') return;
      if (character === '\\') scanEscape();
    }
  };
  const scanEscape = () => {
    if (!'"\\/bfnrtu'.includes(peek())) fail('in string escape code');
    const isUnicode = peek() === 'u';
    at++;
    if (!isUnicode) return;
    for (let digit = 0; digit < 4; digit++, at++)
      if (!/[0-9a-f]/i.test(peek())) fail('in \\u hexadecimal character escape');
  };
  const scanLiteral = (word: string) => {
    for (let i = 1; i < word.length; i++) {
      at++;
      if (peek() !== word.charAt(i)) fail(`in literal ${word} (expecting '${word.charAt(i)}')`);
    }
    at++;
  };
  const scanNumber = () => {
    const match = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/.exec(text.slice(at));
    if (match === null) {
      at++;
      peek();
      fail('in numeric literal');
      return;
    }
    at += match[0].length;
  };
  const scanObject = () => {
    at++;
    skipWhitespace();
    if (peek() === '}') return void at++;
    for (;;) {
      skipWhitespace();
      if (peek() !== '"') fail('looking for beginning of object key string');
      scanString();
      skipWhitespace();
      if (peek() !== ':') fail('after object key');
      at++;
      scanValue();
      skipWhitespace();
      if (peek() === '}') return void at++;
      if (peek() !== ',') fail('after object key:value pair');
      at++;
    }
  };
  const scanArray = () => {
    at++;
    skipWhitespace();
    if (peek() === ']') return void at++;
    for (;;) {
      scanValue();
      skipWhitespace();
      if (peek() === ']') return void at++;
      if (peek() !== ',') fail('after array element');
      at++;
    }
  };
  const scanValue = (): void => {
    skipWhitespace();
    const first = peek();
    const literal = LITERALS[first];
    if (first === '{') scanObject();
    else if (first === '[') scanArray();
    else if (first === '"') scanString();
    else if (literal !== undefined) scanLiteral(literal);
    else if (/[-\d]/.test(first)) scanNumber();
    else fail('looking for beginning of value');
  };

  try {
    scanValue();
    return { kind: 'value', end: at };
  } catch (error) {
    if (error instanceof Incomplete) return { kind: 'incomplete' };
    if (error instanceof SyntaxError) return { kind: 'error', message: error.message };
    throw error;
  }
}
