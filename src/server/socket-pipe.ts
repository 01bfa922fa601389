/** A WebSocket as a pipe: one JSON text message per frame. */
import type { WebSocket } from 'ws';
import { createPipeEnd, type Pipe } from '../platform/pipe.ts';
import { frameTooLarge, nestedTooDeep, refuseFrame } from '../protocol/frames.ts';
import { maxFrameBytes, maxNesting } from '../protocol/limits.ts';
import { nestsDeeper } from '../protocol/nesting.ts';

/** A pipe that can say why it is closed. */
export interface WindowPipe extends Pipe {
  /** Closes; the window tries again later. `reason`: at most 120 characters. */
  refuse(reason: string): void;
}

/** What may wait for a page that does not read; then it is cut off and comes back for a snapshot. */
const maxBacklogLength = 32 * 1024 * 1024;
/** A frame of this size is an answer that the page has asked for, an exported session: it is no sign of a page that is gone. */
const askedFor = 8 * 1024 * 1024;

/** @param faultOf says why a frame that came is refused; a refused request is answered, and the socket stays open. */
export function pipeFromWebSocket(
  socket: WebSocket,
  faultOf: (text: string) => string | null = () => null,
): WindowPipe {
  let askedWaiting = 0;
  const end = createPipeEnd({
    send(frame) {
      if (socket.bufferedAmount - askedWaiting > maxBacklogLength) {
        socket.terminate();
        return;
      }
      const message = Buffer.from(JSON.stringify(frame));
      if (message.length < askedFor) {
        socket.send(message, { binary: false });
        return;
      }
      askedWaiting += message.length;
      socket.send(message, { binary: false }, () => (askedWaiting -= message.length));
    },
    close: () => socket.close(),
  });
  socket.on('message', (data, isBinary) => {
    // A socket that is being closed can go on sending until its peer agrees.
    if (socket.readyState !== socket.OPEN) return;
    const text = isBinary || !Buffer.isBuffer(data) ? '' : data.toString();
    const frame = parse(text);
    if (frame === null) {
      socket.close(1007, 'A frame is one JSON text.');
      return;
    }
    const fault = faultOf(text);
    if (fault === null) end.receive(frame.value);
    else {
      const refusal = refuseFrame(frame.value, fault);
      if (refusal) end.pipe.send(refusal);
    }
  });
  socket.on('close', () => end.lost());
  // A broken peer: `close` follows.
  socket.on('error', () => socket.terminate());
  return {
    ...end.pipe,
    refuse(reason) {
      socket.close(1013, reason);
      end.lost();
    },
  };
}

/** Of a frame from a page; null = it may be passed on. Deep ones would break whoever writes them as JSON again. */
export function pageFrameFault(text: string): string | null {
  if (Buffer.byteLength(text) > maxFrameBytes) return frameTooLarge;
  return nestsDeeper(text, maxNesting) ? nestedTooDeep : null;
}

function parse(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}
