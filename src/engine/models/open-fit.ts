/** The fit room with its file beside `engine.json`. */
import { dirname, join } from 'node:path';
import type { EngineDeps } from '../base/engine-deps.ts';
import { listedBytes } from '../library/catalogue-entries.ts';
import type { StateStore } from '../base/state.ts';
import { readNumbers, type DescribeModel } from './describe-model.ts';
import { openFitStore } from './fit-store.ts';
import { FitRoom, type FitOptions } from './fit.ts';

/** @param describe undefined = by the short answer of `/api/show`, which has no lists: hybrid models are then taken by name. */
export function openFit(
  deps: EngineDeps,
  describe: DescribeModel | undefined,
  state: StateStore,
  options: Omit<FitOptions, 'store' | 'describe' | 'listedBytes'>,
): FitRoom {
  // A simulated engine's models are not the real ones.
  const file = deps.simulated || deps.dataFile === null ? null : join(dirname(deps.dataFile), 'fits.json');
  return new FitRoom(deps, state, {
    ...options,
    listedBytes,
    store: openFitStore(deps.files, file, deps.log),
    describe:
      describe ?? (async (url, model, signal) => readNumbers(await deps.ollama.show(url, model, signal))),
  });
}
