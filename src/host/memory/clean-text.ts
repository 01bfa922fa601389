/** Memory holds short plain lines, whatever a model, a person or a damaged file brings. */

/** Control, format, private and unassigned characters and halves of characters; the joiners inside emoji and some scripts stay. */
const hidden = /[^\P{C}\u200C\u200D]/gu;

/** One line of at most `cap` characters; what is longer ends in an ellipsis. Looks only at the beginning of a huge text. */
export function cleanText(text: string, cap: number): string {
  const line = text
    .slice(0, cap * 4)
    .replaceAll(/\s/gu, ' ')
    .replaceAll(hidden, '')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
  return line.length <= cap ? line : `${line.slice(0, cap - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
