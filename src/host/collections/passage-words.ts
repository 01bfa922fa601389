/** Passages in words: for a model that searched, and for a message that they go with. */
import type { FoundPassage, FoundPassages } from './collections.ts';

/** "Manuals/pump.pdf, page 7" */
export function placeWords({ name, path, place }: Pick<FoundPassage, 'name' | 'path' | 'place'>): string {
  return `${name}/${path}${place === '' ? '' : `, ${place}`}`;
}

/** With the heading that it stands under. */
export const passageText = ({ heading, text }: Pick<FoundPassage, 'heading' | 'text'>): string =>
  heading === '' || text.startsWith(heading) ? text : `${heading}: ${text}`;

/** Of one that was not read yet nothing is found: whoever gets the rest should know. */
export function unreadWords({ unread }: Pick<FoundPassages, 'unread'>): string[] {
  if (unread === 0) return [];
  return [`${unread.toLocaleString('en')} ${unread === 1 ? 'file was' : 'files were'} not read yet.`];
}
