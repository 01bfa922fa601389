import { createHash } from 'node:crypto';

import type { Clock } from '../clock.ts';
import { FAMILY_MODELS, resolveModel } from '../models.ts';
import type { ModelStore, SimModel, SimModelOptions } from '../models.ts';
import { Blob, type Layer } from './blob.ts';

/** A model that can be pulled; when it has come, it is installed as these options say. */
export interface PullableModel extends SimModelOptions {
  /** The model's file and small ones behind it; 4 unless given. */
  layers?: number;
  /** To the clock's seconds, whatever the speed; 100 MB/s times the speed unless given. */
  bytesPerSecond?: number;
}

/** What goes wrong once in the next pull of a model, when so many bytes of all its layers have come. */
export type PullFault = { atByte: number } & (
  | { kind: 'cut' }
  /** No more lines until the client leaves. */
  | { kind: 'stall' }
  | { kind: 'error'; text: string }
  /** A line that Ollama would not write. The download goes on. */
  | { kind: 'line'; text: string }
  /** So many bytes of the layer have to come again. */
  | { kind: 'rollback'; bytes: number }
);

/** One of Ollama's suggestions, as its wire has it. */
export interface Recommendation {
  model: string;
  description: string;
  context_length?: number;
  max_output_tokens?: number;
  vram_bytes?: number;
  /** Of models that run on ollama.com. */
  required_plan?: string;
}

/** What Ollama says when the disk is full. */
export const DISK_FULL = 'write /var/lib/ollama/blobs/sha256-partial: no space left on device';

const GB = 1e9;
/** One of each family, and sizes that people look for besides. */
export const DEFAULT_PULLABLE: readonly PullableModel[] = [
  ...FAMILY_MODELS,
  { name: 'qwen3.5:2b', family: 'qwen3.5', bytes: 1.9 * GB, card: { parameterSize: '2.3B' } },
  { name: 'qwen3.5:4b', family: 'qwen3.5', bytes: 3.4 * GB, card: { parameterSize: '4.7B' } },
  { name: 'gemma4:e4b', family: 'gemma4-small', bytes: 5 * GB },
  { name: 'gemma4:12b', family: 'gemma4-small', bytes: 7.5 * GB, card: { parameterSize: '12B' } },
];
const DEFAULT_LAYERS = 4;
const SMALL_LAYER_BYTES = 11_000;
const DEFAULT_BYTES_PER_SECOND = 0.1 * GB;

interface RegistryOptions {
  clock: Clock;
  store: ModelStore;
  speed: number;
  /** null = the machine has no network. */
  pullable: readonly PullableModel[] | null;
}

/** What the simulated library offers, and what of it lies on the disk, in whole or in part. */
export class Registry {
  readonly #options: RegistryOptions;
  readonly #blobs = new Map<string, Blob>();
  readonly #faults = new Map<string, PullFault[]>();

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  /** Divides what verifying takes. */
  get speed(): number {
    return this.#options.speed;
  }

  get isReachable(): boolean {
    return this.#options.pullable !== null;
  }

  /** The model as it will be when installed, and its layers in the order of the manifest. */
  find(shortName: string): { model: SimModel; layers: Blob[] } | undefined {
    const { clock, pullable } = this.#options;
    for (const offer of pullable ?? []) {
      const model = resolveModel(offer, 0, clock.now());
      if (model.name.toLowerCase() !== shortName.toLowerCase()) continue;
      return { model, layers: this.#layersOf(model, offer).map((layer) => this.#blob(layer)) };
    }
    return undefined;
  }

  setFaults(shortName: string, faults: readonly PullFault[]): void {
    this.#faults.set(
      shortName.toLowerCase(),
      faults.toSorted((a, b) => a.atByte - b.atByte),
    );
  }

  /** The next fault that this model's pull will meet. */
  nextFault(shortName: string): PullFault | undefined {
    return this.#faults.get(shortName.toLowerCase())?.[0];
  }

  spendFault(shortName: string): void {
    this.#faults.get(shortName.toLowerCase())?.shift();
  }

  install(model: SimModel): void {
    this.#options.store.add(model);
  }

  /** Removes the tag, and every whole layer that no installed model needs. */
  remove(model: SimModel): void {
    const { store } = this.#options;
    store.remove(model);
    for (const blob of this.#blobs.values()) {
      if (blob.isWhole && !store.all.some((other) => this.#needs(other, blob.digest))) {
        this.#blobs.delete(blob.digest);
      }
    }
  }

  #needs(model: SimModel, digest: string): boolean {
    if (model.blob === digest) return true;
    const offer = this.#options.pullable?.find((each) => resolveModel(each, 0, 0).name === model.name);
    return offer !== undefined && this.#layersOf(model, offer).some((layer) => layer.digest === digest);
  }

  #layersOf(model: SimModel, offer: PullableModel): Layer[] {
    const bytesPerSecond = offer.bytesPerSecond ?? DEFAULT_BYTES_PER_SECOND * this.#options.speed;
    const small = Array.from({ length: (offer.layers ?? DEFAULT_LAYERS) - 1 }, (_, index) => ({
      digest: createHash('sha256').update(`layer ${index} of ${model.name}`).digest('hex'),
      bytes: SMALL_LAYER_BYTES >> index || 1,
      bytesPerSecond,
    }));
    return [{ digest: model.blob, bytes: model.bytes, bytesPerSecond }, ...small];
  }

  #blob(layer: Layer): Blob {
    const known = this.#blobs.get(layer.digest);
    if (known !== undefined) return known;
    const blob = new Blob(this.#options.clock, layer);
    if (this.#options.store.all.some((model) => model.blob === layer.digest)) blob.setTo(layer.bytes);
    this.#blobs.set(layer.digest, blob);
    return blob;
  }
}
