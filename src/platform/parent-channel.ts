/** How a child process hears whichever parent it has: Electron's main by ports, the headless server by one IPC channel. */
import { pipeFromPort, type Pipe, type PortLike } from './pipe.ts';
import { createPortMux } from './port-mux.ts';

interface ParentPortLike {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown; ports: PortLike[] }) => void): unknown;
}

/** What is used of `process`. `parentPort` exists in an Electron utility process, `send` in a forked one. */
export interface ChildSide {
  parentPort?: ParentPortLike;
  send?: ((message: unknown) => unknown) | undefined;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'disconnect' | 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  exit(code: number): void;
}

interface ParentListener<Message, Name extends string> {
  obey: (message: Message) => void;
  connect: (name: Name, pipe: Pipe) => void;
  /** The parent is gone, or wants this process to end. */
  orphaned: () => void;
}

/** Returns how to talk back. Throws when there is no parent. */
export function listenToParent<Message extends { type: string }, Name extends string>(
  side: ChildSide,
  { obey, connect, orphaned }: ParentListener<Message, Name>,
): (message: unknown) => void {
  const { parentPort } = side;
  // Ctrl-C reaches the whole process group: the parent decides, and says `stop`.
  side.on('SIGINT', () => undefined);
  if (parentPort) {
    parentPort.on('message', ({ data, ports }) => {
      const message = data as Message | { type: 'connect'; name: Name };
      const [port] = ports;
      if (message.type === 'connect' && port && 'name' in message) connect(message.name, pipeFromPort(port));
      else obey(message as Message);
    });
    return parentPort.postMessage.bind(parentPort);
  }
  if (!side.send) throw new Error('This process is started by the app, not by hand.');
  let send = side.send.bind(side);
  const mux = createPortMux(
    (message) => void send(message),
    (name, pipe) => connect(name as Name, pipe),
  );
  side.on('message', (message) => {
    if (!mux.receive(message)) obey(message as Message);
  });
  side.on('disconnect', () => {
    // Sending on a closed channel would be an uncaught error.
    send = () => undefined;
    // First: what ends now ends because its parent is gone, and not for the want of a connection.
    orphaned();
    mux.lost();
  });
  side.on('SIGTERM', orphaned);
  return (message) => void send(message);
}
