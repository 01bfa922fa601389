/** A stream socket as a pipe: one frame of JSON text per line, in both directions. */
import type { Socket } from 'node:net';
import { createPipeEnd, type Pipe } from './pipe.ts';

export interface LinePipeOptions {
  /** A longer line ends the connection while it still arrives, so that memory stays bounded. Asked for each chunk. */
  maxLineBytes: () => number;
  /** What may wait for a peer that does not read; with more the connection ends. */
  maxBacklogBytes: number;
  /**
   * Nothing is read while the peer leaves answers unread. For one side of a connection alone: if both did it, each could
   * wait for the other.
   */
  readsOnlyWhenRead: boolean;
}

const lineEnd = 0x0a;

/** The pipe closes with its socket; `close` first sends what waits. A line that is no JSON ends the connection. */
export function pipeFromSocket(
  socket: Socket,
  { maxLineBytes, maxBacklogBytes, readsOnlyWhenRead }: LinePipeOptions,
): Pipe {
  const end = createPipeEnd({
    send(frame) {
      // Looked at before the write: a single large answer is no sign of a peer that is gone.
      if (socket.writableLength > maxBacklogBytes) {
        socket.destroy();
        return;
      }
      const isTaken = socket.write(`${JSON.stringify(frame)}\n`);
      if (!isTaken && readsOnlyWhenRead) socket.pause();
    },
    close: () => socket.destroySoon(),
  });
  let parts: Buffer[] = [];
  let bytes = 0;

  const add = (part: Buffer): boolean => {
    bytes += part.length;
    if (bytes > maxLineBytes()) return false;
    parts.push(part);
    return true;
  };
  const take = (): boolean => {
    const frame = parse(Buffer.concat(parts).toString());
    parts = [];
    bytes = 0;
    if (frame) end.receive(frame.value);
    return frame !== null;
  };

  socket.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let at = chunk.indexOf(lineEnd); at !== -1; at = chunk.indexOf(lineEnd, from)) {
      // A listener may have closed the pipe, or the line before was none.
      if (socket.destroyed || !add(chunk.subarray(from, at)) || !take()) {
        socket.destroy();
        return;
      }
      from = at + 1;
    }
    if (!add(chunk.subarray(from))) socket.destroy();
  });
  socket.on('drain', () => socket.resume());
  socket.on('close', () => end.lost());
  // `close` follows.
  socket.on('error', () => undefined);
  return end.pipe;
}

function parse(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}
