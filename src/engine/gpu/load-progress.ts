/** How far a load is, about: the growth of the memory in use over what the model will take. */
import type { EngineState, ModelLoad } from '../../protocol/model.ts';

/** A load is over when Ollama says so, and not when the estimate is reached. */
const most = 0.99;
const step = 0.01;

interface Course {
  load: Pick<ModelLoad, 'model' | 'since'>;
  /** The least that was in use since it began: what has to go first goes during it. */
  minBytes: number;
  progress: number;
}

/** @param predictedBytes what it will take, weights and all; null = unknown. */
export function createLoadProgress(predictedBytes: (model: string) => number | null) {
  let course: Course | null = null;

  return {
    /** 0 to 1, never less than before for one load; undefined = unknown. */
    of({ loading, gpus, memory }: Pick<EngineState, 'loading' | 'gpus' | 'memory'>): number | undefined {
      if (!loading) {
        course = null;
        return undefined;
      }
      const used = inUse(gpus, memory);
      const predicted = predictedBytes(loading.model);
      if (used === null || predicted === null || predicted <= 0) return known(course, loading)?.progress;
      const before = known(course, loading) ?? { load: loading, minBytes: used, progress: 0 };
      const minBytes = Math.min(before.minBytes, used);
      const share = Math.min(most, (used - minBytes) / predicted);
      const progress = Math.max(before.progress, Math.floor(share / step) * step);
      course = { load: before.load, minBytes, progress };
      return progress;
    },
  };
}

function known(course: Course | null, { model, since }: ModelLoad): Course | null {
  return course?.load.model === model && course.load.since === since ? course : null;
}

/** Of the GPUs, or of the main memory where there is none; null = unknown. */
function inUse(gpus: EngineState['gpus'], memory: EngineState['memory']): number | null {
  if (gpus === null) return null;
  if (gpus.length === 0) return memory.usedBytes;
  const used = gpus.map((gpu) => gpu.vramUsedBytes);
  return used.includes(null) ? null : used.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
}
