/**
 * Zone 4: short marked lines inside the newest user or tool message, written with it and never edited.
 * The marker is escaped in everything that tools and people bring in, so content cannot forge a note.
 */
export const noteMarker = '[andiron note]';

/** As a model would still read it: in any case of letters, with any blanks and invisible characters. */
const marker = /\[[\s\p{Cf}]{0,20}andiron[\s\p{Cf}]{0,20}note[\s\p{Cf}]{0,20}\]/giu;

/** The budget speaks when this few requests are left, the current one included (E2, R). */
const urgentAt = new Set([7, 3, 1]);

export function note(text: string): string {
  return `\n\n${noteMarker} ${text}`;
}

/** Notes stand at the end of a message, one after the other. */
export function withoutNotes(content: string): string {
  const at = content.indexOf(`\n\n${noteMarker} `);
  return at === -1 ? content : content.slice(0, at);
}

/** A zero-width break in the marker: readable, and no longer a note. */
export function escapeNotes(content: string): string {
  return content.replaceAll(marker, (found) => `[\u200b${found.slice(1)}`);
}

/** null = the budget is silent at this point. */
export function budgetText(left: number): string | null {
  if (!urgentAt.has(left)) return null;
  return left === 1
    ? 'This is the last step. Answer now with what you have, without calling a tool.'
    : `${left} steps are left. Bring the work to an end.`;
}
