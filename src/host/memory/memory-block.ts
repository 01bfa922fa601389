/** What memory adds to a prompt: a block at the head of a session's first user message, and lines for a note (P17). */
import { factLine, nameCap, valueCap, type PlainFact } from './facts.ts';
import { cleanText } from './clean-text.ts';

/** Makes text harmless inside a prompt: a note cannot be forged. Comes by parameter, because memory knows no prompt. */
export type Escape = (text: string) => string;

/** In characters: about 300 and 200 tokens at the head of every session. */
export const summaryCap = 1_200;
const factsCap = 800;

/**
 * J1 to the letter: heading, empty line, summary; below it what is newer than the summary. Empty when nothing is
 * remembered. Always short and plain, whatever was stored; no line break at its end.
 */
export function memoryBlock(summary: string, facts: readonly PlainFact[], escape: Escape): string {
  const paragraph = cleanText(summary, summaryCap).replace(/^#+ */, '');
  const parts = [paragraph, factLines(facts).join('\n')].filter((part) => part !== '');
  if (parts.length === 0) return '';
  return `## What I remember about the user\n\n${escape(parts.join('\n\n'))}`;
}

/** The text of a note on the message that these were recalled for; null = there is nothing to say. */
export function recallNote(facts: readonly PlainFact[], escape: Escape): string | null {
  const lines = factLines(facts);
  return lines.length === 0 ? null : `Remembered about the user:\n${escape(lines.join('\n'))}`;
}

/** As many as there is room for. */
function factLines(facts: readonly PlainFact[]): string[] {
  const lines: string[] = [];
  let room = factsCap;
  for (const { category, key, value } of facts) {
    const plain = {
      category: cleanText(category, nameCap),
      key: cleanText(key, nameCap),
      value: cleanText(value, valueCap),
    };
    const line = `- ${factLine(plain)}`;
    room -= line.length + 1;
    if (room < 0) break;
    if (Object.values(plain).every((part) => part !== '')) lines.push(line);
  }
  return lines;
}
