/** An e-book (EPUB), chapter by chapter in its order. What its chapters run or load is left out. */
import { documentOf, textOf } from '../../web/html-text.ts';
import type { DocumentPart } from '../document-answers.ts';
import { UnreadableDocument } from '../reading-limits.ts';
import { attributeOf, scanXml } from './xml-scan.ts';
import { openZip, resolvePart, type ZipParts } from './zip-parts.ts';

const container = 'META-INF/container.xml';
const encryption = 'META-INF/encryption.xml';

export function* readBook(bytes: Uint8Array): Iterable<DocumentPart | { total: number }> {
  const zip = openZip(bytes);
  const chapters = chapterNames(zip);
  if (chapters.length === 0) throw new UnreadableDocument('broken');
  const encrypted = encryptedParts(zip);
  if (chapters.some((name) => encrypted.has(name))) throw new UnreadableDocument('protected');
  yield { total: chapters.length };
  for (const [index, name] of chapters.entries()) {
    const label = `chapter ${String(index + 1)}`;
    yield { label, text: textOf(documentOf(zip.text(name)).body, true) };
  }
}

function chapterNames(zip: ZipParts): string[] {
  const packagePart = firstAttribute(zip.text(container), 'rootfile', 'full-path');
  if (packagePart === undefined) throw new UnreadableDocument('broken');
  const items = new Map<string, string>();
  const names: string[] = [];
  for (const piece of scanXml(zip.text(packagePart))) {
    if (piece.kind !== 'open') continue;
    const { name, attributes } = piece;
    const id = attributeOf(attributes, name === 'item' ? 'id' : 'idref') ?? '';
    const href = attributeOf(attributes, 'href');
    if (name === 'item' && href !== undefined) items.set(id, href);
    const target = name === 'itemref' ? items.get(id) : undefined;
    if (target !== undefined) names.push(resolvePart(packagePart, nameIn(target)));
  }
  return names;
}

/** As its address says it: without a place in it, and without `%20`. */
function nameIn(href: string): string {
  const [path = ''] = href.split('#', 1);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Fonts are often hidden in this way, and do not matter. */
function encryptedParts(zip: ZipParts): Set<string> {
  const names = new Set<string>();
  if (!zip.has(encryption)) return names;
  for (const piece of scanXml(zip.text(encryption))) {
    const uri =
      piece.kind === 'open' && piece.name === 'CipherReference'
        ? attributeOf(piece.attributes, 'URI')
        : undefined;
    if (uri !== undefined) names.add(nameIn(uri));
  }
  return names;
}

function firstAttribute(xml: string, element: string, name: string): string | undefined {
  for (const piece of scanXml(xml))
    if (piece.kind === 'open' && piece.name === element) return attributeOf(piece.attributes, name);
  return undefined;
}
