/** Some two hundred documents that are broken, or made to hurt whoever reads them. The same seed gives the same ones. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { hostilePdfs } from './hostile-pdf.ts';
import { hostileZips } from './hostile-zips.ts';
import { pdfOf } from './written-pdf.ts';
import { docxOf, paragraph } from './office-files.ts';

export interface HostileDocument {
  name: string;
  bytes: () => Buffer;
}

export const honestDocuments = [
  'report.pdf',
  'minutes.docx',
  'budget.xlsx',
  'plan.pptx',
  'book.epub',
] as const;

export const documentPath = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/documents/${name}`, import.meta.url));

const honest = (name: string): Buffer => readFileSync(documentPath(name));

/** Mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const tenths = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const flipRounds = 11;
const flips = 12;

function flipped(bytes: Buffer, random: () => number): Buffer {
  const copy = Buffer.from(bytes);
  for (let flip = 0; flip < flips; flip += 1) {
    const at = Math.floor(random() * copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  }
  return copy;
}

const ole = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

const strangers: Readonly<Record<string, () => Buffer>> = {
  'a program called .pdf': () => Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(4_000, 1)]),
  'a text called .docx': () => Buffer.from('not a document'),
  'nothing called .xlsx': () => Buffer.alloc(0),
  'a PDF called .docx': () => pdfOf(['Hello']),
  'a Word document called .pdf': () => docxOf(paragraph('Hello')),
  'a PDF with a zip behind it': () => Buffer.concat([pdfOf(['Hello']), docxOf(paragraph('Hello'))]),
  'a document of 2003': () => Buffer.concat([ole, Buffer.alloc(4_096, 7)]),
  'a document under a password of Office': () =>
    Buffer.concat([ole, Buffer.alloc(512), Buffer.from('EncryptedPackage', 'utf16le'), Buffer.alloc(512)]),
};

export function hostileDocuments(seed: number): HostileDocument[] {
  const random = randomOf(seed);
  const cut = honestDocuments.flatMap((name) =>
    tenths.map((tenth) => ({
      name: `${name}, its first ${String(tenth)} tenths`,
      bytes: () => honest(name).subarray(0, Math.floor((honest(name).length * tenth) / 10)),
    })),
  );
  const bent = honestDocuments.flatMap((name) =>
    Array.from({ length: flipRounds }, (_, round) => {
      const own = randomOf(Math.floor(random() * 2 ** 31));
      return {
        name: `${name} with flipped bits, ${String(round + 1)}`,
        bytes: () => flipped(honest(name), own),
      };
    }),
  );
  const made = Object.entries({ ...hostilePdfs, ...hostileZips, ...strangers }).map(([name, bytes]) => ({
    name,
    bytes,
  }));
  return [...cut, ...bent, ...made];
}
