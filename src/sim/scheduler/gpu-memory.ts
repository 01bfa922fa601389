import type { SimModel } from '../models.ts';
import type { Launch } from './launch.ts';

/** The simulated machine's graphics memory, in bytes. */
export interface Gpu {
  totalBytes: number;
  /** Held by other programs from the start. */
  otherBytes: number;
}

/** Bytes of a loaded runner as `/api/ps` reports them. */
export interface Footprint {
  size: number;
  vram: number;
}

const MIB = 2 ** 20;
const COMPUTE_BUFFER = 298.5 * MIB;
/** llama-server leaves this much free when it chooses how much to offload. */
const FIT_MARGIN = 1024 * MIB;
/** Ollama loads beside other models only what it predicts to need at most this share of the free memory. */
const SAFE_SHARE = 0.8;

/** Ollama's own prediction for a load: file, KV cache and the surcharge of large batches. */
export function predictedNeed(model: SimModel, launch: Launch, parallel: number): number {
  const surcharge = launch.numBatch >= 2048 ? 2048 * MIB : launch.numBatch >= 1024 ? 768 * MIB : 0;
  return model.bytes + model.kvBytesPerToken * launch.numCtx * parallel + surcharge;
}

export function fitsBesideOthers(need: number, freeBytes: number): boolean {
  return need <= freeBytes * SAFE_SHARE;
}

/**
 * What a runner occupies once loaded; whatever does not fit stays in main memory, without a word. `offload` = the
 * share of the layers that goes to the device, whatever would fit.
 */
export function footprint(
  model: SimModel,
  launch: Launch,
  { parallel, freeBytes, offload }: { parallel: number; freeBytes: number; offload: number | undefined },
): Footprint {
  const size = Math.round(model.bytes + model.kvBytesPerToken * launch.numCtx * parallel + COMPUTE_BUFFER);
  const layers = model.layers + 1;
  const wanted = launch.numGpu >= 0 ? launch.numGpu : fittingLayers(size, layers, freeBytes);
  const onDevice = Math.min(layers, offload === undefined ? wanted : Math.round(offload * layers));
  return { size, vram: onDevice === layers ? size : Math.floor((size * onDevice) / layers) };
}

function fittingLayers(size: number, layers: number, freeBytes: number): number {
  const usable = Math.max(0, freeBytes - FIT_MARGIN);
  return size <= usable ? layers : Math.floor((usable / size) * layers);
}
