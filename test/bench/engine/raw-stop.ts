/** A client without a house around it: asks, and closes in the moment it is told to, or in a quiet one. */
import { request, type ClientRequest } from 'node:http';
import type { Sim } from '../../../src/sim/index.ts';

/** The rule for a stop: so long without a line, and at the latest so long after the stop. */
const quietMs = 4;
const maxMs = 40;

export interface RawChat {
  /** The first line came. */
  opened: Promise<void>;
  /** Resolves with the milliseconds from the call until the simulator saw the close. */
  stop(): Promise<number>;
}

/** @param quiet close in a quiet moment, else at once. */
export function rawChat(sim: Sim, body: object, quiet: boolean): RawChat {
  const opened = Promise.withResolvers<void>();
  const text = JSON.stringify(body);
  let onLine = nothing;
  const outgoing: ClientRequest = request(
    `${sim.url}/api/chat`,
    { method: 'POST', agent: false, headers: { 'Content-Length': Buffer.byteLength(text) } },
    (incoming) => {
      incoming.on('data', () => {
        opened.resolve();
        onLine();
      });
      incoming.on('error', () => undefined);
    },
  );
  outgoing.on('error', () => opened.resolve());
  outgoing.end(text);
  return {
    opened: opened.promise,
    async stop() {
      const began = performance.now();
      const seen = sim.truth.next('client-closed');
      if (quiet) onLine = closeWhenQuiet(outgoing);
      else outgoing.destroy();
      await seen;
      return performance.now() - began;
    },
  };
}

const nothing = (): void => undefined;

function closeWhenQuiet(outgoing: ClientRequest): () => void {
  const close = (): void => void outgoing.destroy();
  const latest = setTimeout(close, maxMs);
  let timer = setTimeout(close, quietMs);
  outgoing.once('close', () => {
    clearTimeout(timer);
    clearTimeout(latest);
  });
  return () => {
    clearTimeout(timer);
    timer = setTimeout(close, quietMs);
  };
}
