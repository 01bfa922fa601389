/** Utility processes that run: what is handed ports in a worker with real ones, everything else as a Node process. */
import { fork } from 'node:child_process';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { pathToFileURL } from 'node:url';
import { electron, FakeUtilityProcess } from '../electron-stub.ts';
import { sent, type MessagePortMain } from '../electron/ports.ts';

const speaksByPorts = /\/(?:host|bridge|gateway)\.js$/;

interface Runner {
  post(message: unknown, ports: MessagePort[]): void;
  end(): void;
}

class RunningUtility extends FakeUtilityProcess {
  runner: Runner | undefined;
  #over = false;

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'exit') this.#over = true;
    return super.emit(event, ...args);
  }
  override postMessage(message: unknown, transfer: MessagePortMain[] = []): void {
    const { data, ports } = sent(message, transfer);
    this.runner?.post(data, ports.map(toReal));
  }
  override kill(): boolean {
    if (this.#over || this.pid === undefined) return false;
    this.killed = true;
    this.runner?.end();
    return true;
  }
}

export function startUtility(
  entry: string,
  args: string[],
  options: Record<string, unknown>,
): FakeUtilityProcess {
  const utility = new RunningUtility(entry, options);
  utility.runner = speaksByPorts.test(entry) ? inWorker(utility) : asProcess(utility, args);
  electron.utilities.push(utility);
  return utility;
}

function inWorker(utility: RunningUtility): Runner {
  const worker = new Worker(new URL('../host-worker.mjs', import.meta.url), {
    workerData: { entry: pathToFileURL(utility.entry).href },
    env: utility.options['env'] as NodeJS.ProcessEnv,
  });
  worker.on('message', (message) => utility.emit('message', message));
  worker.on('error', (error) => utility.emit('error', 'FatalError', String(error), '{}'));
  worker.on('exit', (code) => utility.emit('exit', code));
  return {
    post: (message, ports) => worker.postMessage({ message, ports }, ports),
    end: () => void worker.terminate(),
  };
}

function asProcess(utility: RunningUtility, args: string[]): Runner {
  const { stdout } = utility;
  const child = fork(utility.entry, args, {
    stdio: ['ignore', stdout ? 'pipe' : 'ignore', 'inherit', 'ipc'],
  });
  child.on('message', (message) => utility.emit('message', message));
  child.on('exit', (code) => utility.emit('exit', code));
  if (stdout) child.stdout?.pipe(stdout);
  return {
    post: (message) => void child.send(message as object),
    end: () => void child.kill(),
  };
}

/** A port that can leave this thread; what it hears is told to the port that main has, and the other way round. */
function toReal(port: MessagePortMain): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port.on('message', ({ data }: { data: unknown }) => port1.postMessage(data));
  port.on('close', () => port1.close());
  port1.on('message', (data: unknown) => port.postMessage(data));
  port1.on('close', () => port.close());
  port.start();
  return port2;
}
