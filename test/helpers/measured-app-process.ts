/**
 * Engine room and agent host in a process of their own, as they are built, on a clock that can be moved. Its parent opens
 * windows to it and asks what it holds. Needs `--expose-gc`.
 */
import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createHost, type Host } from '../../src/host/index.ts';
import { createPortMux } from '../../src/platform/port-mux.ts';
import type { Pipe } from '../../src/platform/pipe.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';
import type { EngineMethods } from '../../src/protocol/engine-methods.ts';
import { createRpcClient } from '../../src/protocol/rpc-client.ts';
import type { Engine } from '../../src/engine/index.ts';
import { hostParts, startEngine } from './host-world.ts';
import { skippableClock } from './skippable-clock.ts';

export type ToApp =
  | { soak: 'start'; dir: string; engineUrl: string }
  | { soak: 'measure' | 'watch' | 'stall' | 'work' | 'refresh' | 'restart' | 'stop' }
  | { soak: 'skip'; ms: number };

export type FromApp =
  { soak: 'done' } | { soak: 'stalled'; ms: number } | { soak: 'measured'; measure: Measure };

/** What the process holds while nothing is asked of it. */
export interface Measure {
  /** Bytes after a collection, outside of V8's heap included. */
  memory: number;
  /** The most of it at a time since `watch`, without garbage; 0 = nobody watches. */
  peak: number;
  /** Bytes of the process as the system counts them, garbage included: now, and the most there ever were. */
  resident: number;
  peakResident: number;
  /** Timers, sockets, files, children and other things that keep it alive. */
  handles: number;
  /** Open file descriptors; 0 where the system does not tell. */
  files: number;
  errors: string[];
}

const clock = skippableClock();
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
const errors: string[] = [];
process.on('unhandledRejection', (error) => errors.push(String(error)));

let dir = '';
let engine: Engine | undefined;
let host: Host | undefined;

async function openHost(room: Engine): Promise<Host> {
  const log = { info() {}, warn() {}, error: (message: string) => void errors.push(message) };
  const opened = await createHost({ ...hostParts(dir), clock, env: {}, log });
  const [hostEnd, engineEnd] = createTransportPair();
  room.connect(engineEnd);
  opened.connectEngine(hostEnd);
  return opened;
}

/** Two collections: what the first one finalises the second one frees. */
async function collect(): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** So much more than before is garbage perhaps: it is collected before it counts. At every look that would be the cost itself. */
const doubtfulBytes = 20_000_000;
/** For the same reason the most so far has to be passed by so much, which is therefore added to what is told. */
const uncountedBytes = 5_000_000;
let peak = 0;

function held(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function watchMemory(): void {
  const before = held();
  peak = before;
  setInterval(() => {
    const over = held() - Math.max(peak, before + doubtfulBytes);
    if (over > uncountedBytes) globalThis.gc?.();
    if (over <= 0 || over > uncountedBytes) peak = Math.max(peak, held());
  }, 5).unref();
}

async function measure(): Promise<Measure> {
  await collect();
  const { rss } = process.memoryUsage();
  return {
    memory: held(),
    peak: peak === 0 ? 0 : peak + uncountedBytes,
    resident: rss,
    peakResident: process.resourceUsage().maxRSS * 1024,
    handles: process.getActiveResourcesInfo().length,
    files: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
    errors: errors.splice(0),
  };
}

/** Work of this thread on its own clock, which other programs do not slow, until the loop came round again. */
let [worked, mostWorked] = [0, 0];
let workWatch: NodeJS.Timeout | undefined;

function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function watchWork(): void {
  const now = workedMs();
  mostWorked = Math.max(mostWorked, now - worked);
  worked = now;
}

/** Over the wire, as a window asks; what the engine answers is none of its business. */
async function refresh(): Promise<void> {
  const [windowEnd, engineEnd] = createTransportPair();
  engine?.connect(engineEnd);
  const rpc = createRpcClient<EngineMethods>(windowEnd);
  await rpc.call('engine/refresh', {}).catch(() => undefined);
  rpc.close();
}

async function obey(message: ToApp): Promise<FromApp> {
  switch (message.soak) {
    case 'start':
      ({ dir } = message);
      engine = startEngine(message.engineUrl, true, clock);
      host = await openHost(engine);
      break;
    case 'refresh':
      await refresh();
      break;
    case 'restart':
      await host?.close();
      if (engine) host = await openHost(engine);
      break;
    case 'skip':
      clock.skip(message.ms);
      break;
    case 'watch':
      await collect();
      watchMemory();
      break;
    case 'measure':
      return { soak: 'measured', measure: await measure() };
    case 'stall': {
      const ms = delay.max / 1e6;
      delay.reset();
      return { soak: 'stalled', ms };
    }
    case 'work': {
      if (!workWatch) worked = workedMs();
      workWatch ??= setInterval(watchWork, 2).unref();
      watchWork();
      const ms = mostWorked;
      mostWorked = 0;
      return { soak: 'stalled', ms };
    }
    case 'stop':
      await host?.close();
      await engine?.stop();
      break;
  }
  return { soak: 'done' };
}

const mux = createPortMux(
  (message) => process.send?.(message),
  (_name: string, pipe: Pipe) => host?.connectWindow(pipe),
);
process.on('message', (message: unknown) => {
  if (mux.receive(message)) return;
  void obey(message as ToApp).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());
