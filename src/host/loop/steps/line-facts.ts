/** The lines of a file that a message names by their number: a small model cannot count to them. */
import { escapeNotes } from '../../prompt/notes.ts';
import { readMessage, type PersonMessage } from '../../prompt/person-message.ts';

/** A number that stands alone: in 2.0, 14:30, KB-12 and 5 % none does. Scripts without blanks write on behind it. */
const standingNumber =
  /(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_.,:/$€£-])\d{1,5}(?![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_]|[.,:/-]\p{N}| ?[%°€$£])/gu;
const maxLines = 4;
const maxLineLength = 200;

/** Null = none. `text`: the whole file. */
export function lineFacts(message: PersonMessage, text: string): string | null {
  const lines = text.replace(/\n$/, '').split('\n');
  const numbers = [...new Set((readMessage(message).match(standingNumber) ?? []).map(Number))];
  const named = numbers.filter((number) => number > 0 && number <= lines.length).slice(0, maxLines);
  const facts = named.flatMap((number) => {
    const line = lines[number - 1]?.trim() ?? '';
    return line === '' || line.length > maxLineLength ? [] : [`Line ${String(number)}: ${escapeNotes(line)}`];
  });
  return facts.length > 0 ? facts.join('\n') : null;
}
