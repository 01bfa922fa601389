/** A presentation, slide by slide in its order, with the notes of the speaker. */
import type { DocumentPart } from '../document-answers.ts';
import { UnreadableDocument } from '../reading-limits.ts';
import { mainPart, partsOfType, relationsOf } from './office-parts.ts';
import { attributesIn, scanXml } from './xml-scan.ts';
import { openZip, type ZipParts } from './zip-parts.ts';

export function slideNames(zip: ZipParts): string[] {
  const main = mainPart(zip);
  const relations = relationsOf(zip, main);
  const names: string[] = [];
  for (const piece of scanXml(zip.text(main))) {
    if (piece.kind !== 'open' || piece.name !== 'sldId') continue;
    // One of two that are called `id`: the other is a number of its own.
    for (const [name, value] of attributesIn(piece.attributes)) {
      const target = name === 'id' ? relations.get(value)?.target : null;
      if (typeof target === 'string') names.push(target);
    }
  }
  return names;
}

export function* readSlides(bytes: Uint8Array): Iterable<DocumentPart | { total: number }> {
  const zip = openZip(bytes);
  const names = slideNames(zip);
  if (names.length === 0) throw new UnreadableDocument('empty');
  yield { total: names.length };
  for (const [index, name] of names.entries()) {
    const notes = partsOfType(relationsOf(zip, name), zip, ['notesSlide']).map((part) =>
      textOfSlide(zip.text(part), true),
    );
    const spoken = notes.join('\n').trim();
    const text = textOfSlide(zip.text(name), false);
    yield {
      label: `slide ${String(index + 1)}`,
      text: spoken === '' ? text : `${text}\nNotes: ${spoken}`,
    };
  }
}

/** Of what shows on every slide alike, such as its number, nothing. */
const fields = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);

function textOfSlide(xml: string, isNotes: boolean): string {
  const out: string[] = [];
  let inText = false;
  let inCell = 0;
  let shape: string[] | null = null;
  let isField = false;
  for (const piece of scanXml(xml)) {
    const to = shape ?? out;
    if (piece.kind === 'text') {
      if (inText) to.push(piece.text);
      continue;
    }
    if (piece.kind === 'open') {
      if (piece.name === 'sp' && !piece.isEmpty) {
        shape = [];
        isField = false;
      }
      if (piece.name === 'ph') isField ||= isLeftOut(piece.attributes, isNotes);
      if (piece.name === 'br') to.push(inCell > 0 ? ' ' : '\n');
      if (piece.isEmpty) continue;
      if (piece.name === 't') inText = true;
      if (piece.name === 'tc') {
        to.push('| ');
        inCell += 1;
      }
      continue;
    }
    if (piece.name === 't') inText = false;
    if (piece.name === 'p') to.push(inCell > 0 ? ' ' : '\n');
    if (piece.name === 'tc') inCell -= 1;
    if (piece.name === 'tr') to.push('\n');
    if (piece.name === 'sp' && shape) {
      if (!isField) out.push(...shape);
      shape = null;
    }
  }
  return out
    .join('')
    .replaceAll(/\n{2,}/g, '\n')
    .trim();
}

function isLeftOut(attributes: string, isNotes: boolean): boolean {
  const type = [...attributesIn(attributes)].find(([name]) => name === 'type')?.[1] ?? '';
  return fields.has(type) || (isNotes && type !== 'body' && type !== '');
}
