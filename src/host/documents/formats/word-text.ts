/** Word: headings, lists and tables as in Markdown, notes at the end. Pictures, comments and what was deleted are left out. */
import mammoth from 'mammoth';
import { documentOf, textOf } from '../../web/html-text.ts';
import type { DocumentPart } from '../document-answers.ts';
import { UnreadableDocument } from '../reading-limits.ts';
import { contentTypes, mainPart, partsOfType, relationsName, relationsOf } from './office-parts.ts';
import { repack } from './repack.ts';
import { readableWord } from './word-markup.ts';
import { openZip } from './zip-parts.ts';

const neededTypes = ['styles', 'numbering', 'footnotes', 'endnotes'];

export async function* readWord(bytes: Uint8Array): AsyncIterable<DocumentPart> {
  const zip = openZip(bytes);
  const main = mainPart(zip);
  const parts = [main, ...partsOfType(relationsOf(zip, main), zip, neededTypes)];
  const names = new Set([contentTypes, relationsName(''), ...parts, ...parts.map(relationsName)]);
  const safe = repack(
    [...names].filter((name) => zip.has(name)).map((name) => [name, readableWord(zip.text(name))]),
  );
  const { value } = await mammoth
    .convertToHtml(
      { buffer: Buffer.from(safe.buffer) },
      { convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })) },
    )
    .catch((cause: unknown) => {
      throw new UnreadableDocument('broken', { cause });
    });
  yield { label: '', text: textOf(documentOf(value).body, true) };
}
