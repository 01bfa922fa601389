/** The other side of a contained reader: a process or a thread of its own, which may be ended at any time. */
import { once } from 'node:events';
import { stdin, stdout } from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';

/** Gets one input, and answers with what can be told of it so far. */
export async function answerContained(
  read: (input: Uint8Array) => Iterable<unknown> | AsyncIterable<unknown>,
): Promise<void> {
  if (parentPort) {
    for await (const answer of read(workerData as Uint8Array)) parentPort.postMessage(JSON.stringify(answer));
    return;
  }
  const pieces: Buffer[] = [];
  for await (const piece of stdin as AsyncIterable<Buffer>) pieces.push(piece);
  for await (const answer of read(Buffer.concat(pieces)))
    if (!stdout.write(`${JSON.stringify(answer)}\n`)) await once(stdout, 'drain');
}
