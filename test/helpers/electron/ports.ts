/** Message ports as Electron's main process has them: cloned messages, and a port that was handed over is dead here. */
import { EventEmitter } from 'node:events';

interface Arrival {
  data: unknown;
  ports: MessagePortMain[];
}

/** One end of a channel, whichever object holds it. */
class PortEnd {
  peer: PortEnd | undefined;
  owner: MessagePortMain | undefined;
  closed = false;
  readonly #queue: Arrival[] = [];
  #started = false;

  receive(arrival: Arrival): void {
    if (this.closed) return;
    if (this.#started) this.owner?.emit('message', arrival);
    else this.#queue.push(arrival);
  }
  start(): void {
    this.#started = true;
    for (const arrival of this.#queue.splice(0)) this.owner?.emit('message', arrival);
  }
  /** Both ends hear of it: this one at once. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.owner?.emit('close');
    queueMicrotask(() => this.peer?.close());
  }
}

/** Delivers in order, asynchronously, once started. */
export class MessagePortMain extends EventEmitter {
  #end: PortEnd | undefined;

  constructor(end: PortEnd) {
    super();
    this.#end = end;
    end.owner = this;
  }
  get closed(): boolean {
    return this.#end?.closed ?? false;
  }
  /** Handed over with a message: what is asked of it from now on does nothing. */
  get neutered(): boolean {
    return this.#end === undefined;
  }
  postMessage(message: unknown, transfer: MessagePortMain[] = []): void {
    if (transfer.includes(this)) throw new TypeError('Port at index 0 contains the source port.');
    const arrival = sent(message, transfer);
    const end = this.#end;
    if (end && !end.closed) queueMicrotask(() => end.peer?.receive(arrival));
  }
  start(): void {
    this.#end?.start();
  }
  close(): void {
    this.#end?.close();
  }
  /** The same end in the hands of whoever it was sent to. */
  handOver(): MessagePortMain {
    if (!this.#end) throw new TypeError('Port at index 0 is already neutered.');
    const moved = new MessagePortMain(this.#end);
    this.#end = undefined;
    return moved;
  }
}

export class MessageChannelMain {
  readonly port1: MessagePortMain;
  readonly port2: MessagePortMain;
  constructor() {
    const [one, other] = [new PortEnd(), new PortEnd()];
    one.peer = other;
    other.peer = one;
    this.port1 = new MessagePortMain(one);
    this.port2 = new MessagePortMain(other);
  }
}

/** What arrives elsewhere: a structured clone, so a function in it throws, and ports that are new objects. */
export function sent(message: unknown, transfer: readonly MessagePortMain[]): Arrival {
  const data: unknown = structuredClone(message);
  transfer.forEach((port, at) => {
    if (!(port instanceof MessagePortMain))
      throw new TypeError(`Port at index ${String(at)} is not a valid port`);
    if (port.neutered) throw new TypeError(`Port at index ${String(at)} is already neutered.`);
    if (transfer.indexOf(port) !== at) {
      throw new TypeError(`Port at index ${String(at)} is a duplicate of an earlier port.`);
    }
  });
  return { data, ports: transfer.map((port) => port.handOver()) };
}
