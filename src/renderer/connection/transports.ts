/** The two pipes a page can have: a WebSocket in the browser, a MessagePort on the desktop. */
import { signedOutCode, type SignInFrame } from '../../protocol/frames.ts';
import type { PortMessage, PortName } from '../../protocol/desktop.ts';
import type { Transport } from '../../protocol/transport.ts';

/** Why a pipe cannot be had: this window is not signed in. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** Opens a fresh pipe; rejects when it cannot be had now, with `Refused` where asking again does not help. */
export type Connect = (signal: AbortSignal) => Promise<Transport>;

class EarlyFrames {
  #listener: ((frame: unknown) => void) | undefined;
  #early: unknown[] = [];

  push(frame: unknown): void {
    if (this.#listener) this.#listener(frame);
    else this.#early.push(frame);
  }

  listen(listener: (frame: unknown) => void): void {
    this.#listener = listener;
    for (const frame of this.#early.splice(0)) listener(frame);
  }
}

/** What a socket says first. */
export interface SocketSecrets {
  /** null = this window is not signed in. */
  secret(): Promise<string | null>;
  /** The server does not take it any more. */
  forget(secret: string): void;
}

/** JSON text frames, one frame per message, the sign-in first. */
export function webSocketConnect(
  url: string,
  secrets: SocketSecrets,
  create = (address: string) => new WebSocket(address),
): Connect {
  return async (signal) => {
    const secret = await secrets.secret();
    if (secret === null) throw new Refused();
    signal.throwIfAborted();
    try {
      return await openSocket(create(url), secret, signal);
    } catch (error) {
      if (error instanceof Refused) secrets.forget(secret);
      throw error;
    }
  };
}

/** Resolves with the first frame that comes: until then the server may still refuse. */
function openSocket(socket: WebSocket, secret: string, signal: AbortSignal): Promise<Transport> {
  return new Promise((resolve, reject) => {
    const frames = new EarlyFrames();
    const abandon = (): void => socket.close();
    signal.addEventListener('abort', abandon, { once: true });
    socket.addEventListener('open', () => {
      socket.send(JSON.stringify({ type: 'sign-in', secret } satisfies SignInFrame));
    });
    socket.addEventListener('close', ({ code }: CloseEvent) => {
      signal.removeEventListener('abort', abandon);
      reject(code === signedOutCode ? new Refused() : new Error(`No connection to ${socket.url}`));
    });
    const transport: Transport = {
      send: (frame) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
      },
      onFrame: (listener) => frames.listen(listener),
      onClose: (listener) => {
        if (socket.readyState === WebSocket.CLOSED) listener();
        else socket.addEventListener('close', listener, { once: true });
      },
      close: () => socket.close(),
    };
    socket.addEventListener('message', (event: MessageEvent<unknown>) => {
      if (typeof event.data !== 'string') return;
      frames.push(JSON.parse(event.data));
      resolve(transport);
    });
  });
}

/** Receives the ports that the preload posts into the page and hands each to whoever connects next. */
export function createPortReceiver(page: Window): Record<PortName, Connect> {
  const ready = new Map<PortName, MessagePort>();
  const waiting = new Map<PortName, (port: MessagePort) => void>();
  const inUse = new Map<PortName, Transport>();

  page.addEventListener('message', (event: MessageEvent<Partial<PortMessage> | null>) => {
    // Only the page's own preload may hand over ports.
    if (event.source !== page || event.data?.type !== 'andiron:port') return;
    const { name } = event.data;
    const port = event.ports[0];
    if (!name || !port) return;
    const take = waiting.get(name);
    waiting.delete(name);
    if (take) take(port);
    else {
      ready.get(name)?.close();
      ready.set(name, port);
      // A fresh port means that the process behind the old one is gone.
      inUse.get(name)?.close();
    }
  });

  const adopt = (name: PortName, port: MessagePort): Transport => {
    const transport = portTransport(port);
    inUse.set(name, transport);
    return transport;
  };

  const connect =
    (name: PortName): Connect =>
    (signal) =>
      new Promise((resolve, reject) => {
        const port = ready.get(name);
        ready.delete(name);
        if (port) {
          resolve(adopt(name, port));
          return;
        }
        waiting.set(name, (late) => resolve(adopt(name, late)));
        signal.addEventListener('abort', () => {
          waiting.delete(name);
          reject(new Error(`No port to ${name}`));
        });
      });
  return { host: connect('host'), engine: connect('engine') };
}

function portTransport(port: MessagePort): Transport {
  const frames = new EarlyFrames();
  const closed = new AbortController();
  port.addEventListener('message', (event: MessageEvent<unknown>) => frames.push(event.data));
  port.addEventListener('close', () => closed.abort());
  port.start();
  return {
    send: (frame) => port.postMessage(frame),
    onFrame: (listener) => frames.listen(listener),
    onClose: (listener) => {
      if (closed.signal.aborted) listener();
      else closed.signal.addEventListener('abort', () => listener(), { once: true });
    },
    close: () => {
      port.close();
      closed.abort();
    },
  };
}
