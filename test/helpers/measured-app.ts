/** An app in a process of its own that tells what it holds and how long it stood still; for the soak and the floods. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createPortMux } from '../../src/platform/port-mux.ts';
import type { Pipe } from '../../src/platform/pipe.ts';
import type { HostMethods } from '../../src/protocol/host-methods.ts';
import { createRpcClient } from '../../src/protocol/rpc-client.ts';
import { Window } from './host-world.ts';
import type { FromApp, Measure, ToApp } from './measured-app-process.ts';

export interface App {
  openWindow(): Window;
  /** What a window is connected by, for frames that no window would send. */
  openPipe(): Pipe;
  measure(): Promise<Measure>;
  /** From now on it collects garbage to tell the most that it held at a time; slower. */
  watchMemory(): Promise<void>;
  /** The longest stretch since the last question in which it did nothing else, in ms. */
  longestStall(): Promise<number>;
  /**
   * As `longestStall`, on the clock of its main thread alone: the longest work in which nothing else could run, however
   * busy the machine is. Counted from the first question on.
   */
  longestWork(): Promise<number>;
  /** Moves its clock; what falls due on the way happens. */
  skip(ms: number): Promise<void>;
  /** As "Check again" does in the engine settings. */
  refresh(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** Rejects when it ends unasked. */
  ended: Promise<never>;
}

export async function startApp(dir: string, engineUrl: string): Promise<App> {
  const child = fork(fileURLToPath(new URL('measured-app-process.ts', import.meta.url)), [], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const mux = createPortMux((message) => void child.send(message as object));
  const waiting: ((answer: FromApp) => void)[] = [];
  let isStopping = false;
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code, signal) => {
      if (!isStopping) reject(new Error(`The app ended: ${String(code ?? signal)}.`));
    });
  });
  child.on('message', (message: unknown) => {
    if (!mux.receive(message)) waiting.shift()?.(message as FromApp);
  });
  /** Answers come in the order of the questions. */
  const ask = (message: ToApp): Promise<FromApp> => {
    const answer = new Promise<FromApp>((resolve) => waiting.push(resolve));
    child.send(message);
    return Promise.race([answer, ended]);
  };
  const order = async (message: ToApp): Promise<void> => void (await ask(message));

  await order({ soak: 'start', dir, engineUrl });
  return {
    openPipe: () => mux.open('window'),
    openWindow: () => new Window(createRpcClient<HostMethods>(mux.open('window'))),
    async measure() {
      const answer = await ask({ soak: 'measure' });
      if (answer.soak !== 'measured') throw new Error('The app did not say what it holds.');
      return answer.measure;
    },
    watchMemory: () => order({ soak: 'watch' }),
    async longestStall() {
      const answer = await ask({ soak: 'stall' });
      return answer.soak === 'stalled' ? answer.ms : Number.NaN;
    },
    async longestWork() {
      const answer = await ask({ soak: 'work' });
      return answer.soak === 'stalled' ? answer.ms : Number.NaN;
    },
    skip: (ms) => order({ soak: 'skip', ms }),
    refresh: () => order({ soak: 'refresh' }),
    restart: () => order({ soak: 'restart' }),
    async stop() {
      isStopping = true;
      await order({ soak: 'stop' });
      child.disconnect();
    },
    ended,
  };
}
