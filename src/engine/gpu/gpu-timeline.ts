/** The last half hour of the GPU, for the timeline beside the agent's. */
import type { GpuSample, TimelinePoint } from '../../protocol/model.ts';

const keptMs = 30 * 60_000;
/** The pace while a window is looked at; what is sampled faster, as during a load, is thinned to it. */
const minGapMs = 1_900;
const most = Math.ceil(keptMs / minGapMs);

export function createTimeline() {
  let kept: TimelinePoint[] = [];
  /** When the newest point began: it may be replaced by a newer one for a while. */
  let newestBegan = -Infinity;

  return {
    /** Points closer than two seconds to the one before take its place. */
    add(point: TimelinePoint): void {
      // The clock was set back: what was then is not before this.
      if (newestBegan > point.at) kept = [];
      if (kept.length > 0 && point.at - newestBegan < minGapMs) kept.pop();
      else newestBegan = point.at;
      kept.push(point);
      kept = since(kept, point.at - keptMs).slice(-most);
    },
    /** Oldest first. */
    points: (now: number): TimelinePoint[] => since(kept, now - keptMs),
  };
}

function since(points: readonly TimelinePoint[], from: number): TimelinePoint[] {
  return points.filter(({ at }) => at >= from);
}

/** All GPUs as one: memory and power add up, of the rest the highest counts. null where no GPU says. */
export function timelinePoint(
  gpus: readonly Omit<GpuSample, 'at'>[],
  modelBytes: number | null,
  at: number,
): TimelinePoint {
  const over = (
    pick: (gpu: Omit<GpuSample, 'at'>) => number | null | undefined,
    combine: (values: readonly number[]) => number,
  ): number | null => {
    const known = gpus.map(pick).filter((value) => typeof value === 'number');
    return known.length === 0 ? null : combine(known);
  };
  return {
    at,
    vramUsedBytes: over((gpu) => gpu.vramUsedBytes, sum),
    vramModelBytes: over((gpu) => gpu.vramModelBytes, sum) ?? modelBytes,
    utilization: over(
      (gpu) => gpu.utilization,
      (values) => Math.max(...values),
    ),
    temperatureC: over(
      (gpu) => gpu.temperatureC,
      (values) => Math.max(...values),
    ),
    powerW: over((gpu) => gpu.powerW, sum),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
