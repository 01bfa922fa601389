import { describe, expect, it } from 'vitest';
import { signedOutCode } from '../../protocol/frames.ts';
import { settled } from '../testing/fake-server.ts';
import { createPortReceiver, Refused, webSocketConnect } from './transports.ts';

class FakeSocket extends EventTarget {
  readyState: number = WebSocket.CONNECTING;
  readonly sent: string[] = [];

  send(data: string): void {
    this.sent.push(data);
  }

  open(): void {
    this.readyState = WebSocket.OPEN;
    this.dispatchEvent(new Event('open'));
  }

  close(code = 1000): void {
    this.readyState = WebSocket.CLOSED;
    this.dispatchEvent(new CloseEvent('close', { code }));
  }

  say(frame: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) }));
  }
}

const hello = { type: 'hello', epoch: 'e' };

function secrets(secret: string | null = 'abc') {
  const forgotten: string[] = [];
  return {
    forgotten,
    secret: () => Promise.resolve(secret),
    forget: (each: string) => void forgotten.push(each),
  };
}

async function connectTo(socket: FakeSocket, known = secrets()) {
  const controller = new AbortController();
  const connect = webSocketConnect('ws://here/host', known, () => socket as EventTarget as WebSocket);
  const connecting = connect(controller.signal);
  connecting.catch(() => undefined);
  await settled();
  return { connecting, controller };
}

/** Signed in, and greeted by whoever is behind the server. */
async function openTransport(socket: FakeSocket) {
  const { connecting } = await connectTo(socket);
  socket.open();
  socket.say(hello);
  return connecting;
}

describe('a WebSocket transport', () => {
  it('carries one JSON frame per message, in both directions', async () => {
    const socket = new FakeSocket();
    const transport = await openTransport(socket);
    const frames: unknown[] = [];
    transport.onFrame((frame) => frames.push(frame));
    socket.say({ type: 'event' });
    transport.send({ type: 'request', id: 1 });
    expect(frames).toEqual([hello, { type: 'event' }]);
    expect(socket.sent.slice(1)).toEqual(['{"type":"request","id":1}']);
  });

  it('a socket says the secret first, and it is a connection once somebody answers (audit-S3)', async () => {
    const socket = new FakeSocket();
    const { connecting } = await connectTo(socket);
    let connected = false;
    void connecting.then(() => (connected = true));
    expect(socket.sent).toEqual([]);
    socket.open();
    await settled();
    expect([socket.sent, connected]).toEqual([['{"type":"sign-in","secret":"abc"}'], false]);
    socket.say(hello);
    await settled();
    expect(connected).toBe(true);
  });

  it('without a secret no socket is opened (audit-S3)', async () => {
    const socket = new FakeSocket();
    const { connecting } = await connectTo(socket, secrets(null));
    await expect(connecting).rejects.toThrow(Refused);
    expect(socket.readyState).toBe(WebSocket.CONNECTING);
  });

  it('a secret that the server does not take is forgotten, one that it never heard is not (audit-S3)', async () => {
    for (const [code, forgotten] of [
      [signedOutCode, ['abc']],
      [1006, []],
      [1013, []],
    ] as const) {
      const known = secrets();
      const socket = new FakeSocket();
      const { connecting } = await connectTo(socket, known);
      socket.open();
      socket.close(code);
      const failure: unknown = await connecting.catch((error: unknown) => error);
      expect(failure instanceof Refused).toBe(code === signedOutCode);
      expect(known.forgotten).toEqual(forgotten);
    }
  });

  it('cannot be had when the socket closes before it opens', async () => {
    const socket = new FakeSocket();
    const { connecting } = await connectTo(socket);
    socket.close();
    await expect(connecting).rejects.toThrow('No connection');
  });

  it('tells its end once, also to who asks late, and sends nothing after it', async () => {
    const socket = new FakeSocket();
    const transport = await openTransport(socket);
    let ends = 0;
    transport.onClose(() => (ends += 1));
    socket.close();
    transport.onClose(() => (ends += 1));
    transport.send({ type: 'request' });
    expect(ends).toBe(2);
    expect(socket.sent).toHaveLength(1);
  });

  it('gives up when it is no longer wanted', async () => {
    const socket = new FakeSocket();
    const { connecting, controller } = await connectTo(socket);
    controller.abort();
    await expect(connecting).rejects.toThrow('No connection');
  });
});

const page = (): Window => new EventTarget() as Window;
const post = (target: Window, name: string, port: MessagePort, source: unknown = target): void => {
  const event = new Event('message');
  target.dispatchEvent(Object.assign(event, { data: { type: 'andiron:port', name }, ports: [port], source }));
};
const wanted = (): AbortSignal => new AbortController().signal;

describe('ports from the preload', () => {
  it('are kept for who connects later, and given to who already waits', async () => {
    const target = page();
    const receiver = createPortReceiver(target);
    const { port1, port2 } = new MessageChannel();
    post(target, 'host', port1);
    const early = await receiver.host(wanted());
    const waiting = receiver.engine(wanted());
    const other = new MessageChannel();
    post(target, 'engine', other.port1);
    const heard = new Promise((resolve) => early.onFrame(resolve));
    port2.postMessage({ type: 'hello', epoch: 'e' });
    expect(await heard).toEqual({ type: 'hello', epoch: 'e' });
    (await waiting).close();
    early.close();
    port2.close();
  });

  it('replace the port of a process that is gone', async () => {
    const target = page();
    const receiver = createPortReceiver(target);
    const [old, fresh] = [new MessageChannel(), new MessageChannel()];
    post(target, 'host', old.port1);
    const transport = await receiver.host(wanted());
    let ended = false;
    transport.onClose(() => (ended = true));
    post(target, 'host', fresh.port1);
    expect(ended).toBe(true);
    const next = await receiver.host(wanted());
    const heard = new Promise((resolve) => next.onFrame(resolve));
    fresh.port2.postMessage('hello');
    expect(await heard).toBe('hello');
    next.close();
    for (const { port2 } of [old, fresh]) port2.close();
  });

  it('are refused from any other window', async () => {
    const target = page();
    const receiver = createPortReceiver(target);
    const { port1 } = new MessageChannel();
    post(target, 'host', port1, page());
    const controller = new AbortController();
    const connecting = receiver.host(controller.signal);
    controller.abort();
    await expect(connecting).rejects.toThrow('host');
    port1.close();
  });
});
