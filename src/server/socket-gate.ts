/** Lets a socket in once its first frame has shown the secret of a session, and closes it when that session ends. */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import { signedOutCode } from '../protocol/frames.ts';
import { parseJson } from '../protocol/json.ts';
import { maxSignInBytes, maxSignInMs } from '../protocol/limits.ts';

export type SocketGate = ReturnType<typeof createSocketGate>;

const signInFrame = z.object({ type: z.literal('sign-in'), secret: z.string() });

export function createSocketGate(clock: Clock, hasSession: (secret: string) => boolean) {
  const admitted = new Map<WebSocket, string>();

  return {
    /** Calls back once, synchronously with the first frame: the second one may follow at once. */
    receive(socket: WebSocket, carrier: Duplex, onAdmitted: () => void): void {
      let bytes = 0;
      const late = clock.after(maxSignInMs, () => socket.terminate());
      // The limit of a frame is for those who are known; of a stranger nothing large is kept.
      const count = (chunk: Buffer): void => {
        bytes += chunk.length;
        if (bytes > maxSignInBytes) socket.terminate();
      };
      carrier.prependListener('data', count);
      const settle = (): void => {
        late.cancel();
        carrier.off('data', count);
      };
      socket.once('close', () => {
        settle();
        admitted.delete(socket);
      });
      // A broken peer: `close` follows.
      socket.on('error', () => socket.terminate());
      socket.once('message', (data, isBinary) => {
        settle();
        const secret = isBinary || !Buffer.isBuffer(data) ? null : secretIn(data.toString());
        if (secret === null || !hasSession(secret)) {
          socket.close(signedOutCode, 'This page is not signed in.');
          return;
        }
        admitted.set(socket, secret);
        onAdmitted();
      });
    },
    /** Closes every socket whose session is over. */
    closeEnded(): void {
      for (const [socket, secret] of admitted) {
        if (!hasSession(secret)) socket.close(signedOutCode, 'This page was signed out.');
      }
    },
  };
}

function secretIn(text: string): string | null {
  try {
    return signInFrame.safeParse(parseJson(text)).data?.secret ?? null;
  } catch {
    return null;
  }
}
