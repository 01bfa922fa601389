/**
 * Where pages are read: a process or a thread of its own, which gets one page, answers with what it has read so far, and
 * may be ended at any time.
 */
import { stdin, stdout } from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import type { UnreadPage } from './page-reader.ts';
import { readPageText, type PageText } from './page-text.ts';

/** Of a text, in characters: the model reads far less, and a person may look at the rest. */
const maxLength = 400_000;

const cut = ({ title, text }: PageText): PageText => ({ title, text: text.slice(0, maxLength) });

async function readAll(input: AsyncIterable<Buffer>): Promise<UnreadPage> {
  const pieces: Buffer[] = [];
  for await (const piece of input) pieces.push(piece);
  return JSON.parse(Buffer.concat(pieces).toString()) as UnreadPage;
}

if (parentPort) {
  const { html, url } = workerData as UnreadPage;
  for (const read of readPageText(html, url)) parentPort.postMessage(cut(read));
} else {
  const { html, url } = await readAll(stdin as AsyncIterable<Buffer>);
  for (const read of readPageText(html, url)) stdout.write(`${JSON.stringify(cut(read))}\n`);
}
