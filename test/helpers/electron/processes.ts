/** Utility processes. */
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { sent, type MessagePortMain } from './ports.ts';
import { electron, needsReady } from './record.ts';

/** Ends only when it is killed or when a test emits `exit`: having nothing left to do does not end it. */
export class FakeUtilityProcess extends EventEmitter {
  posted: { message: unknown; ports: MessagePortMain[] }[] = [];
  killed = false;
  /** False = it never gets a process, and then it never exits either. */
  launches = true;
  /** As it says of itself. */
  runningTurns = 0;
  pid: number | undefined;
  #ended = false;
  stdout: PassThrough | null;
  entry: string;
  options: Record<string, unknown>;

  constructor(entry: string, options: Record<string, unknown>) {
    needsReady('utilityProcess.fork');
    super();
    this.entry = entry;
    this.options = options;
    const { stdio } = options;
    if (Array.isArray(stdio) && (stdio.length !== 3 || stdio[0] !== 'ignore')) {
      throw new TypeError('stdin value other than "ignore" is not supported.');
    }
    this.stdout = Array.isArray(stdio) && stdio[1] === 'pipe' ? new PassThrough() : null;
    queueMicrotask(() => {
      if (this.launches && this.pid === undefined) this.emit('spawn');
    });
  }
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    // Who speaks has a process.
    if ((event === 'spawn' || event === 'message') && !this.#ended) this.pid ??= 4312;
    if (event === 'exit') this.runningTurns = 0;
    const [message] = args as { type?: string; runningTurns?: number }[];
    if (event === 'message' && message?.type === 'activity') this.runningTurns = message.runningTurns ?? 0;
    const heard = super.emit(event, ...args);
    // Main itself tells of the end of one that has no process, with null; that ends nothing.
    if (event === 'exit' && args[0] !== null) {
      this.#ended = true;
      this.pid = undefined;
      // What it printed and nobody has read yet is lost.
      this.stdout?.removeAllListeners();
    }
    return heard;
  }
  /** Silent once it has ended. */
  postMessage(message: unknown, transfer: MessagePortMain[] = []): void {
    const { data, ports } = sent(message, transfer);
    if (!this.#ended) this.posted.push({ message: data, ports });
    else for (const port of ports) port.close();
  }
  /** False where there is no process to end: not yet, or not any more. */
  kill(): boolean {
    if (this.#ended || this.pid === undefined) return false;
    this.killed = true;
    // A process that was asked to end has ended well, whatever signal did it.
    queueMicrotask(() => this.emit('exit', 0));
    return true;
  }
}

export const utilityProcess = {
  fork(entry: string, _args: string[], options: Record<string, unknown>): FakeUtilityProcess {
    const child = new FakeUtilityProcess(entry, options);
    electron.utilities.push(child);
    return child;
  },
};
