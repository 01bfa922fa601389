/**
 * Several pipes over one message channel: between the headless server and the agent host, which share only the one
 * IPC channel of a forked process. (Electron gives every window a real MessagePort instead.)
 */
import { createPipeEnd, type Pipe, type PipeEnd } from './pipe.ts';

type MuxMessage =
  | { mux: 'open'; id: number; name: string }
  | { mux: 'frame'; id: number; frame: unknown }
  | { mux: 'close'; id: number };

/**
 * One half. Only one side of a channel may open pipes (ids are its own count); the other gets them by `onOpen`.
 * `post` must deliver in order.
 */
export function createPortMux(
  post: (message: unknown) => void,
  onOpen: (name: string, pipe: Pipe) => void = () => undefined,
) {
  const ends = new Map<number, PipeEnd>();
  let nextId = 1;
  const send = (message: MuxMessage): void => post(message);

  const add = (id: number): PipeEnd => {
    const end = createPipeEnd({
      send: (frame) => send({ mux: 'frame', id, frame }),
      close: () => send({ mux: 'close', id }),
    });
    ends.set(id, end);
    end.pipe.onClose(() => ends.delete(id));
    return end;
  };

  return {
    /** Opens a pipe to the other side, which learns its name. */
    open(name: string): Pipe {
      const id = nextId++;
      send({ mux: 'open', id, name });
      return add(id).pipe;
    },
    /** Offers a message of the channel; false = it was not one of the mux's. */
    receive(message: unknown): boolean {
      if (!isMuxMessage(message)) return false;
      if (message.mux === 'open') onOpen(message.name, add(message.id).pipe);
      else if (message.mux === 'frame') ends.get(message.id)?.receive(message.frame);
      else ends.get(message.id)?.lost();
      return true;
    },
    /** The channel is gone: every pipe closes. */
    lost(): void {
      for (const end of ends.values()) end.lost();
    },
  };
}

function isMuxMessage(message: unknown): message is MuxMessage {
  return typeof message === 'object' && message !== null && 'mux' in message;
}
