/** A foreign text as plain text, where nothing can be drawn: for a model, a notification, a file. */
import { isHidden } from './hidden-signs.ts';
import { visibleParts } from './visible-parts.ts';

/** Joiners belong to the writing of these; a model that reads such a name must be able to write it again. */
const joinedScripts: ReadonlySet<string> = new Set(
  'Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr'.split(' '),
);

/** Hidden signs as `\u202e`. Look-alikes, accents and odd blanks stay, since they can be seen. */
export function visibleText(text: string): string {
  return visibleParts(text, { scripts: joinedScripts })
    .map((part) => (part.kind === 'sign' || part.kind === 'signs' ? escaped(part.text) : part.text))
    .join('');
}

/** The same for one name in a list: line breaks and tabs would make two entries of it. */
export function visibleName(name: string): string {
  return visibleText(name)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`);
}

function escaped(text: string): string {
  return Array.from(text, (sign) => {
    if (!isHidden(sign)) return sign;
    const code = (sign.codePointAt(0) ?? 0).toString(16);
    return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\u{${code}}`;
  }).join('');
}
