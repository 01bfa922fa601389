/** PDF, page by page. Pictures are not decoded, fonts are not drawn, and its scripts do not run. */
import { inflateSync, constants } from 'node:zlib';
import { getDocumentProxy } from 'unpdf';
import type { DocumentPart } from '../document-answers.ts';
import { UnreadableDocument, unpackingLimit } from '../reading-limits.ts';

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

export async function* readPdf(bytes: Uint8Array): AsyncIterable<DocumentPart | { total: number }> {
  refuseBombs(bytes);
  const pdf = await open(bytes);
  const total = pdf.numPages;
  yield { total };
  let failed = 0;
  for (let number = 1; number <= total; number += 1) {
    const text = await pageText(pdf, number);
    failed += text === null ? 1 : 0;
    if (number === total && failed === total) throw new UnreadableDocument('broken');
    const label = `page ${String(number)}`;
    yield text === null ? { label: `${label}, which is damaged`, text: '' } : { label, text };
  }
}

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    // It takes the bytes over, and no other class of them.
    return await getDocumentProxy(new Uint8Array(bytes), {
      useSystemFonts: false,
      disableFontFace: true,
      verbosity: 0,
    });
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    throw new UnreadableDocument(isLocked ? 'protected' : 'broken', { cause: error });
  }
}

/** null = this page cannot be read. */
async function pageText(pdf: Pdf, number: number): Promise<string | null> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return textOfItems(items);
  } catch {
    return null;
  }
}

type PageItem = Awaited<ReturnType<Awaited<ReturnType<Pdf['getPage']>>['getTextContent']>>['items'][number];

/** What is drawn twice at one place, to look bold, is read once. */
function textOfItems(items: readonly PageItem[]): string {
  const out: string[] = [];
  let last = { text: '', x: 0, y: 0 };
  for (const item of items) {
    if (!('str' in item)) continue;
    const [, , , , x, y] = item.transform as number[];
    const here = { text: item.str, x: x ?? 0, y: y ?? 0 };
    const isAgain =
      here.text.trim() !== '' &&
      here.text === last.text &&
      Math.abs(here.x - last.x) < sameSpot &&
      Math.abs(here.y - last.y) < sameSpot;
    if (!isAgain) out.push(item.str);
    if (item.hasEOL) out.push('\n');
    if (here.text.trim() !== '') last = here;
  }
  return out.join('');
}

/** Points: less than a letter is wide. */
const sameSpot = 1.5;

/** A filter may stand before another one. */
const maxFilters = 4;

/**
 * What its streams unpack to is counted before anything else reads them. Pictures are left out: a white page of a scanner
 * unpacks to a thousand times its size, and nobody here unpacks it.
 */
function refuseBombs(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let left = unpackingLimit(file.length);
  for (let at = file.indexOf('stream'); at !== -1; at = file.indexOf('stream', at + 6)) {
    if (file.toString('latin1', at - 3, at) === 'end' || isPicture(file, at)) continue;
    const end = file.indexOf('endstream', at);
    let data: Buffer | null = file.subarray(at + 6 + lineEnd(file, at + 6), end === -1 ? file.length : end);
    for (let filter = 0; filter < maxFilters && data; filter += 1) {
      data = inflated(data, left);
      left -= data?.length ?? 0;
    }
  }
}

const lineEnd = (file: Buffer, at: number): number =>
  file[at] === 0x0d ? (file[at + 1] === 0x0a ? 2 : 1) : file[at] === 0x0a ? 1 : 0;

/** Told by the dictionary before it. */
function isPicture(file: Buffer, at: number): boolean {
  const before = file.toString('latin1', Math.max(0, at - 2_000), at);
  return /\/Subtype\s*\/Image\b/.test(before.slice(before.lastIndexOf(' obj') + 1));
}

/** null = it is not packed in this way, or not any more. */
function inflated(data: Buffer, limit: number): Buffer | null {
  if ((data[0] ?? 0) % 16 !== 8 || (((data[0] ?? 0) << 8) | (data[1] ?? 0)) % 31 !== 0) return null;
  try {
    return inflateSync(data, { maxOutputLength: Math.max(1, limit), finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    if (error instanceof RangeError) throw new UnreadableDocument('unpacks', { cause: error });
    return null;
  }
}
