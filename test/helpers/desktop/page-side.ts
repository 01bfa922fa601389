/** What the page of the desktop has besides itself: the built preload over an `electron` that speaks to main's process. */
import type { FromMain } from './messages.ts';

type ToPage = Extract<FromMain, { type: 'to-page' | 'port' | 'port-closed' }>;

/** Runs in the page, before anything of it does. `tell` answers what main answers. */
export interface PageSide {
  reportMain(message: unknown): Promise<unknown>;
  /** Called by the test with what main says. */
  fromMain(message: ToPage): void;
}

/** @param preload source of the built preload, one CommonJS file */
export function pageScript(preload: string, platform: string): string {
  return `(${preparePage.toString()})(${JSON.stringify(platform)}, function (require, process) {\n${preload}\n});`;
}

/** In the page: no import, nothing from around it. */
function preparePage(platform: string, runPreload: (require: unknown, process: unknown) => void): void {
  const page = globalThis as unknown as PageSide & Window;
  const listeners = new Map<string, ((event: unknown, message: unknown) => void)[]>();
  const ports = new Map<number, MessagePort>();
  const tell = page.reportMain.bind(page);

  const receivePort = (number: number): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    ports.set(number, port1);
    port1.addEventListener(
      'message',
      ({ data }) => void tell({ type: 'port', port: number, data: data as unknown }),
    );
    port1.addEventListener('close', () => void tell({ type: 'port-closed', port: number }));
    port1.start();
    return port2;
  };
  Object.defineProperty(page, 'fromMain', {
    value(message: ToPage) {
      if (message.type === 'port') ports.get(message.port)?.postMessage(message.data);
      else if (message.type === 'port-closed') ports.get(message.port)?.close();
      else {
        const event = { ports: message.ports.map(receivePort) };
        for (const listener of listeners.get(message.channel) ?? []) listener(event, message.message);
      }
    },
  });
  const ipcRenderer = {
    on(channel: string, listener: (event: unknown, message: unknown) => void) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
    },
    off(channel: string, listener: unknown) {
      listeners.set(
        channel,
        (listeners.get(channel) ?? []).filter((each) => each !== listener),
      );
    },
    send: (channel: string, ...args: unknown[]) =>
      void tell({ type: 'send', channel, args: structuredClone(args) }),
    invoke: (channel: string, ...args: unknown[]) =>
      tell({ type: 'invoke', channel, args: structuredClone(args) }),
  };
  const contextBridge = {
    exposeInMainWorld: (name: string, value: unknown) => Object.defineProperty(page, name, { value }),
  };
  runPreload(
    (name: string) => {
      if (name !== 'electron') throw new Error(`A sandboxed preload cannot require ${name}.`);
      return { ipcRenderer, contextBridge };
    },
    { platform },
  );
}
