/** The engine in main: begun once, when a host holds the data folder, since two engines must never write to one. */
import type { MessagePortMain } from 'electron';
import { pipeFromPort, type Pipe } from '../platform/pipe.ts';
import type { EngineState } from '../protocol/model.ts';
import { engineCall } from './engine-call.ts';

/** What is used of the engine. */
export interface DesktopEngine {
  connect(pipe: Pipe): void;
  state(): EngineState;
  onChange(listener: (state: EngineState) => void): () => void;
  stop(): Promise<void>;
}

export class MainEngine {
  readonly #create: () => DesktopEngine;
  readonly #listeners: (() => void)[] = [];
  #engine: DesktopEngine | undefined;

  constructor(create: () => DesktopEngine) {
    this.#create = create;
  }

  /** A second call does nothing. */
  begin(): void {
    if (this.#engine) return;
    this.#engine = this.#create();
    this.#engine.onChange(() => {
      for (const listener of this.#listeners) listener();
    });
  }

  hasBegun(): boolean {
    return this.#engine !== undefined;
  }

  /** null until it has begun. */
  state(): EngineState | null {
    return this.#engine?.state() ?? null;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Until it has begun the port is left as it is. */
  connect(port: MessagePortMain): void {
    this.#engine?.connect(pipeFromPort(port));
  }

  /** Lends the GPU or takes it back. Resolves at once until it has begun; rejects with what a person can read. */
  async call(method: 'engine/lend' | 'engine/take-back'): Promise<void> {
    if (this.#engine) await engineCall((port) => this.connect(port), method);
  }

  async stop(): Promise<void> {
    await this.#engine?.stop();
  }
}
