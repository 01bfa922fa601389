/** Loads that happened here correct what is predicted for the same model. Pure. */
import { z } from 'zod';
import type { Fit } from '../../protocol/engine-room.ts';
import { totalOf, type Parts } from './estimate.ts';
import type { CacheType } from './cache-bytes.ts';

/** One load, as `/api/ps` told it. Only loads that lay in one place whole are kept: what spills is counted twice. */
export const measuredLoadSchema = z.object({
  contextTokens: z.number().int().positive(),
  batch: z.number().int().positive(),
  bytes: z.number().nonnegative(),
  onGpu: z.boolean(),
});
export type MeasuredLoad = z.infer<typeof measuredLoadSchema>;

export type Predict = (load: Pick<MeasuredLoad, 'contextTokens' | 'batch'>, cacheType: CacheType) => Parts;

export interface Learnt {
  parts: Parts;
  basis: Fit['basis'];
}

const otherCacheTypes = ['q8_0', 'q4_0'] as const;
/** As the formula usually errs; a quantised cache shows as far more than that. */
const usualError = 0.03;

/**
 * No request tells the server's cache type, but the loads do: that of plain f16, unless another one
 * explains them and it does not.
 */
export function cacheTypeOf(loads: readonly MeasuredLoad[], predict: Predict): CacheType {
  const errorOf = (cacheType: CacheType): number => {
    const errors = loads.map((load) => Math.abs(differenceOf(load, predict(load, cacheType))) / load.bytes);
    return errors.reduce((sum, error) => sum + error, 0) / errors.length;
  };
  if (loads.length === 0 || errorOf('f16') <= usualError) return 'f16';
  const [best] = otherCacheTypes.toSorted((a, b) => errorOf(a) - errorOf(b));
  return best !== undefined && errorOf(best) <= usualError ? best : 'f16';
}

/** @param loads of this model, in the place where it would be loaded now. */
export function learnFrom(
  loads: readonly MeasuredLoad[],
  wanted: Pick<MeasuredLoad, 'contextTokens' | 'batch'>,
  predict: Predict,
): Learnt {
  const cacheType = cacheTypeOf(loads, predict);
  const parts = predict(wanted, cacheType);
  if (loads.length === 0) return { parts, basis: parts.basis };
  const same = loads.find(
    ({ contextTokens, batch }) => contextTokens === wanted.contextTokens && batch === wanted.batch,
  );
  const difference = (load: MeasuredLoad): number => differenceOf(load, predict(load, cacheType));
  if (same) return { parts: corrected(parts, difference(same)), basis: 'measured' };
  return { parts: corrected(parts, between(loads, wanted.contextTokens, difference)), basis: 'learnt' };
}

/** What a load took beyond its prediction. Whether `/api/ps` leaves something out is seen from what it says. */
function differenceOf({ bytes }: MeasuredLoad, parts: Parts): number {
  const all = bytes - totalOf(parts);
  const asReported = all + parts.unreportedBytes;
  return Math.abs(asReported) < Math.abs(all) ? asReported : all;
}

/** Straight between the two nearest windows; beyond them as at the nearest. */
function between(
  loads: readonly MeasuredLoad[],
  contextTokens: number,
  differenceAt: (load: MeasuredLoad) => number,
): number {
  const sorted = loads.toSorted((a, b) => a.contextTokens - b.contextTokens);
  const below = sorted.findLast((load) => load.contextTokens <= contextTokens);
  const above = sorted.find((load) => load.contextTokens >= contextTokens);
  const nearest = below ?? above;
  if (!nearest) return 0;
  if (!below || !above || below.contextTokens === above.contextTokens) return differenceAt(nearest);
  const share = (contextTokens - below.contextTokens) / (above.contextTokens - below.contextTokens);
  return differenceAt(below) * (1 - share) + differenceAt(above) * share;
}

/** What is more or less goes to the buffers, which are the least certain, then to the weights. */
function corrected(parts: Parts, difference: number): Parts {
  const buffers = parts.bufferBytes + difference;
  const lacking = Math.min(0, buffers);
  return {
    ...parts,
    bufferBytes: Math.max(0, buffers),
    weightsBytes: Math.max(0, parts.weightsBytes + lacking),
  };
}
