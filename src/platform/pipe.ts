/**
 * A two-way pipe for frames, shaped as the protocol's `Transport` (this room knows no protocol; whoever passes a
 * pipe on as a transport has the compiler check that the two agree).
 */
export interface Pipe {
  send(frame: unknown): void;
  /** One listener; frames that came earlier are kept for it. */
  onFrame(listener: (frame: unknown) => void): void;
  /** Called once, also when this side closes. Late listeners are called at once. */
  onClose(listener: () => void): void;
  close(): void;
}

/** A pipe and the two things its carrier tells it. */
export interface PipeEnd {
  pipe: Pipe;
  /** A frame came. */
  receive: (frame: unknown) => void;
  /** The other side is gone. */
  lost: () => void;
}

/** What every pipe has in common, whatever carries it: early frames are kept, closing happens once. */
export function createPipeEnd(carrier: { send(frame: unknown): void; close(): void }): PipeEnd {
  let listener: ((frame: unknown) => void) | undefined;
  const early: unknown[] = [];
  const closeListeners: (() => void)[] = [];
  let closed = false;

  const end = (): boolean => {
    if (closed) return false;
    closed = true;
    for (const notify of closeListeners.splice(0)) notify();
    return true;
  };

  return {
    pipe: {
      send(frame) {
        if (!closed) carrier.send(frame);
      },
      onFrame(next) {
        listener = next;
        for (const frame of early.splice(0)) next(frame);
      },
      onClose(notify) {
        if (closed) notify();
        else closeListeners.push(notify);
      },
      close() {
        if (end()) carrier.close();
      },
    },
    receive(frame) {
      if (closed) return;
      if (listener) listener(frame);
      else early.push(frame);
    },
    lost: () => void end(),
  };
}

/** What is used of Electron's MessagePortMain. */
export interface PortLike {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  start(): void;
  close(): void;
}

export function pipeFromPort(port: PortLike): Pipe {
  const end = createPipeEnd({ send: (frame) => port.postMessage(frame), close: () => port.close() });
  port.on('message', (event) => end.receive(event.data));
  port.on('close', () => end.lost());
  port.start();
  return end.pipe;
}

/** Carries frames between two pipes until either closes, then closes the other. */
export function joinPipes(a: Pipe, b: Pipe): void {
  a.onClose(() => b.close());
  b.onClose(() => a.close());
  a.onFrame((frame) => b.send(frame));
  b.onFrame((frame) => a.send(frame));
}
