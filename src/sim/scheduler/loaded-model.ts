import type { SimModel } from '../models.ts';
import type { Runner } from '../runner/runner.ts';
import type { Launch } from './launch.ts';
import type { Footprint } from './gpu-memory.ts';
import { Slots } from './slots.ts';

/** Identifies a runner: tags that share a GGUF share it. */
export const runnerKey = (model: SimModel): string => model.blob;

/** A running child of the server, with the book-keeping that Ollama has about it. */
export class LoadedModel {
  readonly model: SimModel;
  readonly launch: Launch;
  readonly footprint: Footprint;
  readonly runner: Runner;
  readonly slots: Slots;
  /** How long it stays after the last request; 0 = it goes as soon as it is idle. */
  keepAliveMs: number;
  /** Requests that use it or wait for its slot. */
  users = 0;
  /** Set when it last went idle, or when its unloading was asked for. */
  expiresAtMs: number | undefined;
  cancelExpiry: (() => void) | undefined;
  /** Why it is about to be unloaded, for the truth. */
  unloadCause = 'keep_alive ran out';

  constructor(parts: {
    model: SimModel;
    launch: Launch;
    footprint: Footprint;
    runner: Runner;
    parallel: number;
    keepAliveMs: number;
  }) {
    this.model = parts.model;
    this.launch = parts.launch;
    this.footprint = parts.footprint;
    this.runner = parts.runner;
    this.slots = new Slots(parts.parallel);
    this.keepAliveMs = parts.keepAliveMs;
  }

  expiresAt(now: number): number {
    return this.expiresAtMs ?? now + this.keepAliveMs;
  }

  stopTimer(): void {
    this.cancelExpiry?.();
    this.cancelExpiry = undefined;
  }
}
