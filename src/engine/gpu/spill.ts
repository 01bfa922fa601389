/** Calls out a model of ours that did not fit the GPU and runs partly on the processor. */
import type { GpuSample, LoadedModel } from '../../protocol/model.ts';
import type { NewIncident } from '../incidents/incidents.ts';
import type { OurModel } from '../memory/ours.ts';
import { gigabytes } from './gigabytes.ts';

/** Sizes come from a log, where a rounded megabyte is no spill. */
const minBytes = 64 * 1024 ** 2;
/** What draws the desktop has a little memory of its own and is no card for models. */
const minCardBytes = 2 * 1024 ** 3;

/** @param loadOf the load by which this process holds a model; undefined = not ours. */
export function createSpillWatch(loadOf: (model: string) => OurModel | undefined) {
  const calledOut = new Set<string>();

  const lookAt = (row: LoadedModel, gpus: readonly GpuSample[] | null): NewIncident[] => {
    const load = loadOf(row.name);
    const spilled = row.sizeBytes - row.vramBytes;
    // Layers that a person left to the processor on purpose are no spill.
    if (!load || calledOut.has(row.name) || load.plan.options.num_gpu !== undefined) return [];
    if (spilled < minBytes || !hasCard(row, gpus)) return [];
    calledOut.add(row.name);
    const message =
      row.vramBytes === 0
        ? `${row.name} did not get onto the GPU: all of its ${gigabytes(row.sizeBytes)} run on the processor.`
        : `${row.name} does not fit the GPU: ${gigabytes(spilled)} of ${gigabytes(row.sizeBytes)} run on the processor.`;
    const advice =
      'It answers much slower this way. Choose a smaller window or a smaller model, or close what else uses the GPU, and load it again.';
    return [{ kind: 'spill', model: row.name, message, advice, costMs: null }];
  };

  return {
    /**
     * What `/api/ps` says; each load is called out once.
     * @param gpus of the machine that runs the models; null = unknown.
     */
    look(loaded: readonly LoadedModel[], gpus: readonly GpuSample[] | null): NewIncident[] {
      for (const model of calledOut) if (!loaded.some(({ name }) => name === model)) calledOut.delete(model);
      return loaded.flatMap((row) => lookAt(row, gpus));
    },
    /** What is said about this model from now on is about another load. */
    loadBegan: (model: string): void => void calledOut.delete(model),
  };
}

/** Some of it on a GPU proves that there is one; else a card must be known. */
function hasCard({ vramBytes }: LoadedModel, gpus: readonly GpuSample[] | null): boolean {
  return (
    vramBytes > 0 ||
    (gpus ?? []).some((gpu) => gpu.vramUsedBytes !== null && (gpu.vramTotalBytes ?? 0) >= minCardBytes)
  );
}
