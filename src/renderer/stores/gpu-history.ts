/** The last half hour of the GPU, as the engine kept it and as it went on while the window looked. Pure. */
import type { EngineState, TimelinePoint } from '../../protocol/model.ts';
import { splitVram } from '../../rules/vram-split.ts';

export const historyMs = 30 * 60_000;

/** This moment as a point; null where there is no GPU or nothing was read. */
export function pointOf({ gpus, loaded }: Pick<EngineState, 'gpus' | 'loaded'>): TimelinePoint | null {
  const [first] = gpus ?? [];
  if (!gpus || !first) return null;
  const vram = splitVram(gpus, loaded);
  const busiest = gpus.flatMap(({ utilization }) => (utilization === null ? [] : [utilization]));
  return {
    at: Math.max(...gpus.map(({ at }) => at)),
    vramUsedBytes: vram.used,
    vramModelBytes: vram.model,
    utilization: busiest.length === 0 ? null : Math.max(...busiest),
    temperatureC: first.temperatureC,
    powerW: first.powerW,
  };
}

/** With `point` at its end; a sample that is told again, or is older than the end, adds nothing. */
export function withPoint(points: TimelinePoint[], point: TimelinePoint | null): TimelinePoint[] {
  const last = points.at(-1);
  if (!point || (last && point.at <= last.at)) return points;
  const first = points.findIndex(({ at }) => at >= point.at - historyMs);
  return [...(first <= 0 ? points : points.slice(first)), point];
}

/** What the engine kept, and after it what came while that was on its way. */
export function joined(kept: TimelinePoint[], live: TimelinePoint[]): TimelinePoint[] {
  const end = kept.at(-1)?.at ?? -Infinity;
  return [...kept, ...live.filter(({ at }) => at > end)];
}
