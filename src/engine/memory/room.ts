/** Who has to leave the memory for a model, and whether it fits then. Ollama is not left to choose. */
import type { EngineState } from '../../protocol/model.ts';
import { fits } from '../models/load-need.ts';
import type { Ours } from './ours.ts';
import type { Resident } from './residency.ts';

/** What Andiron has loaded goes before what other programs have. */
export function oursFirst(residents: readonly Resident[], ours: Ours): Resident[] {
  return residents.toSorted((a, b) => Number(ours.has(b.name)) - Number(ours.has(a.name)));
}

/** Bytes that are free once it has gone: of main memory where there is no GPU. */
export function freedBy(resident: Resident, gpus: EngineState['gpus']): number {
  return gpus?.length === 0 ? resident.size : resident.size_vram;
}

/** The names of those who would have to go, in order; nobody while it is unknown what is free. */
export function selectEvictions(
  needBytes: number,
  free: number | null,
  others: readonly Resident[],
  gpus: EngineState['gpus'],
): Resident[] {
  const leaving: Resident[] = [];
  let left = free;
  for (const other of others) {
    if (left === null || fits(needBytes, left) !== false) break;
    leaving.push(other);
    left += freedBy(other, gpus);
  }
  return leaving;
}
