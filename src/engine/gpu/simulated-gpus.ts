/** The GPU of the simulated engine, as the simulator's process reports it. */
import { z } from 'zod';
import { parseJson } from '../../protocol/json.ts';
import { getOnce, type HttpGet } from '../runner-status/runner-slots.ts';
import { nothingLive, type GpuReading } from './gpu-reading.ts';

const answerSchema = z.object({
  name: z.string(),
  totalBytes: z.number().nonnegative(),
  usedBytes: z.number().nonnegative(),
  utilization: z.number().min(0).max(100),
});
const answerMs = 2_000;

/** @param directoryUrl the simulator's `runnersUrl`. What is returned rejects when the simulator is gone. */
export function createSimulatedGpus(
  directoryUrl: string,
  get: HttpGet = getOnce,
): () => Promise<GpuReading[]> {
  return async () => {
    const { body } = await get(new URL('/gpu', directoryUrl).href, AbortSignal.timeout(answerMs));
    const { name, totalBytes, usedBytes, utilization } = answerSchema.parse(parseJson(body));
    return [{ ...nothingLive, name, vramTotalBytes: totalBytes, vramUsedBytes: usedBytes, utilization }];
  };
}
