/** The built agent host in its Electron clothes, over real message ports. */
import { MessageChannel, Worker } from 'node:worker_threads';
import { pathToFileURL } from 'node:url';
import { pipeFromPort } from '../../src/platform/pipe.ts';
import type { FromHost, HostInit } from '../../src/platform/host-channel.ts';
import type { HostMethods } from '../../src/protocol/host-methods.ts';
import { createRpcClient, type RpcClient } from '../../src/protocol/rpc-client.ts';

export interface HostWorker {
  /** A window's connection. */
  connect(): RpcClient<HostMethods>;
  /** Politely; resolves with the exit code. */
  stop(): Promise<number>;
}

/**
 * Resolves when the host says that it is ready; rejects with what it says or how it ends.
 * @param entry absolute path of a built `host.js`
 */
export async function startHostWorker(entry: string, init: HostInit): Promise<HostWorker> {
  const worker = new Worker(new URL('host-worker.mjs', import.meta.url), {
    workerData: { entry: pathToFileURL(entry).href },
    // Threads of the host inherit it, as they inherit Electron's own.
    execArgv: ['--import', new URL('electron-dlopen.mjs', import.meta.url).href],
  });
  const exited = new Promise<number>((resolve) => worker.once('exit', resolve));
  const ready = new Promise<void>((resolve, reject) => {
    worker.on('message', (message: FromHost) => {
      if (message.type === 'ready') resolve();
      if (message.type === 'failed') reject(new Error(`${message.message} ${message.advice}`));
    });
    worker.once('error', reject);
    void exited.then((code) => reject(new Error(`The host ended with ${String(code)} before it was ready.`)));
  });
  worker.postMessage({ message: { type: 'init', init }, ports: [] });
  await ready;
  return {
    connect() {
      const { port1, port2 } = new MessageChannel();
      worker.postMessage({ message: { type: 'connect', name: 'window' }, ports: [port2] }, [port2]);
      return createRpcClient<HostMethods>(
        pipeFromPort({
          postMessage: (message) => port1.postMessage(message),
          on(event: string, listener: (event: { data: unknown }) => void) {
            port1.on(event, (data: unknown) => listener({ data }));
          },
          start: () => port1.start(),
          close: () => port1.close(),
        }),
      );
    },
    stop() {
      worker.postMessage({ message: { type: 'stop' }, ports: [] });
      return exited;
    },
  };
}
