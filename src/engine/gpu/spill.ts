/** Calls out a model of ours that did not fit the GPU and runs partly on the processor. */
import type { GpuSample, LoadedModel } from '../../protocol/model.ts';
import type { Incidents } from '../incidents/incidents.ts';
import type { OurModel } from '../memory/ours.ts';
import { gigabytes } from './words.ts';

export interface SpillWatch {
  /** What `/api/ps` says. Tells each load once. */
  look(loaded: readonly LoadedModel[]): void;
  /** What is told about this model from now on is about another load. */
  loadBegan(model: string): void;
}

export interface SpillWatchOptions {
  incidents: Incidents;
  /** The load by which this process holds a model; undefined = not ours. */
  loadOf: (model: string) => OurModel | undefined;
  /** Of the machine that runs the models; null = unknown. */
  gpus: () => readonly GpuSample[] | null;
}

/** Sizes come from a log, where a rounded megabyte is no spill. */
const minBytes = 64 * 1024 ** 2;
/** What draws the desktop has a little memory of its own and is no card for models. */
const minCardBytes = 2 * 1024 ** 3;

export function createSpillWatch({ incidents, loadOf, gpus }: SpillWatchOptions): SpillWatch {
  const told = new Set<string>();

  /** Some of it on a GPU proves that there is one; else a card must be known. */
  const hasCard = ({ vramBytes }: LoadedModel): boolean =>
    vramBytes > 0 ||
    (gpus() ?? []).some((gpu) => gpu.vramUsedBytes !== null && (gpu.vramTotalBytes ?? 0) >= minCardBytes);

  const lookAt = (row: LoadedModel): void => {
    const load = loadOf(row.name);
    const spilled = row.sizeBytes - row.vramBytes;
    // Layers that a person left to the processor on purpose are no spill.
    if (!load || told.has(row.name) || load.plan.options.num_gpu !== undefined) return;
    if (spilled < minBytes || !hasCard(row)) return;
    told.add(row.name);
    const where =
      row.vramBytes === 0
        ? `${row.name} did not get onto the GPU: all of its ${gigabytes(row.sizeBytes)} run on the processor.`
        : `${row.name} does not fit the GPU: ${gigabytes(spilled)} of ${gigabytes(row.sizeBytes)} run on the processor.`;
    incidents.add({
      kind: 'spill',
      model: row.name,
      message: where,
      advice:
        'It answers much slower this way. Choose a smaller window or a smaller model, or close what else uses the GPU, and load it again.',
      costMs: null,
    });
  };

  return {
    look(loaded) {
      for (const model of told) if (!loaded.some(({ name }) => name === model)) told.delete(model);
      for (const row of loaded) lookAt(row);
    },
    loadBegan: (model) => void told.delete(model),
  };
}
