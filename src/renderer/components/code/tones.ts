/** Coloured lines as they travel between threads: lengths and tones in one block of numbers, the text stays where it is. */
import type { CodeTone } from './theme.ts';

interface CodeToken {
  text: string;
  tone: CodeTone | null;
}
export type CodeLine = CodeToken[];

const tones: readonly (CodeTone | null)[] = [null, 'k', 's', 'u', 'c', 'f'];
/** The lowest three bits name the tone, the others the length; this tone ends a line. */
const bits = 3;
const lineEnd = 7;

export function encodeLines(lines: readonly CodeLine[]): Uint32Array<ArrayBuffer> {
  const numbers = lines.flatMap((line) => [
    ...line.map(({ text, tone }) => (text.length << bits) | tones.indexOf(tone)),
    lineEnd,
  ]);
  return Uint32Array.from(numbers);
}

/** The lines of the very text that was coloured; where it is shorter, so are they. */
export function decodeLines(code: string, numbers: Uint32Array): CodeLine[] {
  const lines: CodeLine[] = [];
  let line: CodeLine = [];
  let at = 0;
  for (const number of numbers) {
    if (number === lineEnd) {
      lines.push(line);
      line = [];
      at += 1;
      continue;
    }
    const length = number >>> bits;
    line.push({ text: code.slice(at, at + length), tone: tones[number & lineEnd] ?? null });
    at += length;
  }
  return lines;
}

export function plainLines(code: string): CodeLine[] {
  return code.split('\n').map((text) => [{ text, tone: null }]);
}
