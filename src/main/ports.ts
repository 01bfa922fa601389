/** Ports are brokered here and never relayed: one end to a page, the other to the agent host or the engine. */
import { MessageChannelMain, type MessagePortMain, type WebContents } from 'electron';
import { channels, type PortMessage, type PortName } from '../protocol/desktop.ts';

type TakePort = (port: MessagePortMain) => void;

export type PortBroker = ReturnType<typeof createPortBroker>;

export function createPortBroker() {
  const pages = new Set<WebContents>();
  const watched = new WeakSet<WebContents>();
  const offers = new Map<PortName, TakePort>();

  /** A page that cannot be given a port is forgotten: it asks again when it is loaded again. */
  const give = (page: WebContents, name: PortName, connect: TakePort): void => {
    if (!handTo(page, name, connect)) pages.delete(page);
  };

  return {
    /** A page asks for fresh ports; it gets each as soon as there is something at the other end. */
    request(page: WebContents): void {
      pages.add(page);
      if (!watched.has(page)) {
        watched.add(page);
        page.once('destroyed', () => pages.delete(page));
      }
      for (const [name, connect] of offers) give(page, name, connect);
    },
    /** From now on `connect` takes ports; every page that asked gets a fresh one. Again after every restart. */
    offer(name: PortName, connect: TakePort): void {
      offers.set(name, connect);
      for (const page of pages) give(page, name, connect);
    },
    /** Nothing takes ports for this name until it is offered again. */
    withdraw: (name: PortName): void => void offers.delete(name),
  };
}

/**
 * The page first: to one whose process has just died the post throws (Electron's shell/browser/api/
 * electron_api_web_frame_main.cc, CheckRenderFrame), and nothing must be connected by then. False = it is gone.
 */
function handTo(page: WebContents, name: PortName, connect: TakePort): boolean {
  const { port1, port2 } = new MessageChannelMain();
  try {
    page.postMessage(channels.port, { type: 'andiron:port', name } satisfies PortMessage, [port2]);
  } catch {
    port1.close();
    port2.close();
    return false;
  }
  connect(port1);
  return true;
}

/** One end each. */
export function linkPorts(one: TakePort, other: TakePort): void {
  const { port1, port2 } = new MessageChannelMain();
  one(port1);
  other(port2);
}
