import type { Options } from '../wire/options.ts';

/** The options a runner is started with: what decides whether a request can use it. */
export interface Launch {
  numCtx: number;
  numCtxIsAutomatic: boolean;
  /** In force. */
  numBatch: number;
  numBatchIsAutomatic: boolean;
  numGpu: number;
  mainGpu: number | undefined;
  useMmap: boolean | undefined;
  numThread: number;
  draft: number;
  shift: boolean;
}

const SMALLEST_CONTEXT = 4;
/** What an omitted num_batch counts as when it meets a runner that was given one. */
const ASSUMED_BATCH = 512;
const GIB = 2 ** 30;

/** Ollama's automatic window by total VRAM. */
export function automaticContext(totalVram: number): number {
  if (totalVram >= 47 * GIB) return 262_144;
  return totalVram >= 23 * GIB ? 32_768 : 4096;
}

function automaticBatch(numCtx: number): number {
  if (numCtx <= 4096) return 512;
  return numCtx <= 32_768 ? 1024 : 2048;
}

export interface LaunchDefaults {
  /** Window when neither the request nor the model names one. */
  numCtx: number;
  trainedContext: number;
}

/** Options of a request (the model's own already merged in) resolved to a launch. */
export function resolveLaunch(options: Options, shift: boolean, defaults: LaunchDefaults): Launch {
  const wanted = options.num_ctx ?? defaults.numCtx;
  const numCtx = Math.max(SMALLEST_CONTEXT, Math.min(wanted, defaults.trainedContext));
  return {
    numCtx,
    numCtxIsAutomatic: options.num_ctx === undefined,
    numBatch: options.num_batch ?? automaticBatch(numCtx),
    numBatchIsAutomatic: options.num_batch === undefined,
    numGpu: options.num_gpu ?? -1,
    mainGpu: options.main_gpu,
    useMmap: options.use_mmap,
    numThread: options.num_thread ?? 0,
    draft: options.draft_num_predict ?? 0,
    shift,
  };
}

/** Why a loaded runner cannot serve a request; undefined = it can. */
export function reloadCause(loaded: Launch, wanted: Launch): string | undefined {
  const bothContextsAutomatic = loaded.numCtxIsAutomatic && wanted.numCtxIsAutomatic;
  if (!bothContextsAutomatic && loaded.numCtx !== wanted.numCtx) {
    return `num_ctx ${loaded.numCtx} → ${wanted.numCtx}`;
  }
  const bothBatchesAutomatic = loaded.numBatchIsAutomatic && wanted.numBatchIsAutomatic;
  const wantedBatch = wanted.numBatchIsAutomatic ? ASSUMED_BATCH : wanted.numBatch;
  if (!bothBatchesAutomatic && loaded.numBatch !== wantedBatch)
    return `num_batch ${loaded.numBatch} → ${wantedBatch}`;
  if (wanted.numGpu >= 0 && loaded.numGpu !== wanted.numGpu)
    return `num_gpu ${loaded.numGpu} → ${wanted.numGpu}`;
  const exact: [string, unknown, unknown][] = [
    ['main_gpu', loaded.mainGpu, wanted.mainGpu],
    ['use_mmap', loaded.useMmap, wanted.useMmap],
    ['num_thread', loaded.numThread, wanted.numThread],
    ['draft_num_predict', loaded.draft, wanted.draft],
    ['shift', loaded.shift, wanted.shift],
  ];
  const different = exact.find(([, before, after]) => before !== after);
  return different && `${different[0]} ${String(different[1])} → ${String(different[2])}`;
}
