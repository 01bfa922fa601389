/** The one job of setting up or removing Ollama, told in the state's `setup.job`. */
import type { Log } from '../../platform/log.ts';
import type { Setup } from '../../protocol/engine-room.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { StateStore } from '../base/state.ts';
import { toProblem } from './setup-failure.ts';

type Job = NonNullable<Setup['job']>;
type Left = Pick<Job, 'receivedBytes' | 'totalBytes'>;

export class SetupJob {
  readonly #state: StateStore;
  readonly #log: Log;
  readonly #left: () => Promise<Left | null>;
  #running: { controller: AbortController; done: Promise<void> } | null = null;

  /** @param left what a download that was given up has left. */
  constructor(state: StateStore, log: Log, left: () => Promise<Left | null>) {
    this.#state = state;
    this.#log = log;
    this.#left = left;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  get isRemoving(): boolean {
    return this.#job?.phase === 'removing';
  }

  run(kind: Job['kind'], phase: Job['phase'], work: (signal: AbortSignal) => Promise<void>): void {
    const controller = new AbortController();
    const before = this.#job?.kind === kind ? this.#job : { receivedBytes: 0, totalBytes: null };
    const { receivedBytes, totalBytes } = before;
    this.#publish({ kind, phase, receivedBytes, totalBytes, bytesPerSecond: null, problem: null });
    const done = work(controller.signal)
      .then(
        () => this.#publish(null),
        async (error: unknown) => {
          if (controller.signal.aborted) {
            this.change({ phase: 'paused', bytesPerSecond: null, ...(await this.#left().catch(() => null)) });
            return;
          }
          this.#log.error(`setting up Ollama (${kind})`, error);
          this.change({ phase: 'failed', bytesPerSecond: null, problem: toProblem(error) });
        },
      )
      .finally(() => (this.#running = null));
    this.#running = { controller, done };
  }

  change(changes: Partial<Job>): void {
    if (this.#job) this.#publish({ ...this.#job, ...changes });
  }

  /** Resolves when it has ended; a removal is not given up. */
  async cancel(): Promise<void> {
    if (!this.#running || this.isRemoving) return;
    this.#running.controller.abort(new AndironError('cancelled', 'Setting up Ollama was cancelled.'));
    await this.#running.done;
  }

  /** Resolves when it has ended, with what went wrong. */
  async ended(): Promise<Job['problem']> {
    await this.#running?.done;
    return this.#job?.problem ?? null;
  }

  get #job(): Job | null {
    return this.#state.current().setup.job;
  }

  #publish(job: Job | null): void {
    this.#state.update({ setup: { ...this.#state.current().setup, job } });
  }
}
