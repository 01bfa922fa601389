/** Calls out another program that takes video memory which a model of ours needs. */
import type { Clock } from '../../platform/clock.ts';
import type { EngineState } from '../../protocol/model.ts';
import type { NewIncident } from '../incidents/incidents.ts';
import type { OtherProgram } from './nvidia-reader.ts';
import { gigabytes } from './gigabytes.ts';

const growthBytes = 1024 ** 3;
/** After a load or unload the sample and `/api/ps` may speak of different moments for a while. */
const settlingMs = 15_000;

interface Baseline {
  bytes: number;
  programs: readonly OtherProgram[];
}

export function createOtherProgramsWatch(clock: Clock) {
  let before: Baseline | null = null;
  let holding = '';
  let settledAt = -Infinity;
  /** Growth is believed when the next sample still shows it. */
  let suspected = false;

  return {
    /** @param state with this sample. @param programs those beside Ollama, as far as they are named. */
    look(
      state: Pick<EngineState, 'gpus' | 'loaded' | 'loading' | 'lent' | 'lease' | 'queue'>,
      programs: readonly OtherProgram[],
    ): NewIncident[] {
      const now = clock.monotonic();
      const holdingNow = JSON.stringify([
        state.loading?.model,
        state.loaded.map((row) => [row.name, row.vramBytes]),
      ]);
      if (holdingNow !== holding) {
        holding = holdingNow;
        settledAt = now + settlingMs;
      }
      const bytes = otherBytes(state);
      const model = ourModel(state);
      // What is lent is meant for somebody else.
      if (now < settledAt || state.loading || state.lent || bytes === null || model === null) {
        before = null;
        suspected = false;
        return [];
      }
      const growth = before === null ? 0 : bytes - before.bytes;
      if (before === null || growth < 0) before = { bytes, programs };
      if (growth <= growthBytes || !suspected) {
        suspected = growth > growthBytes;
        return [];
      }
      const name = grownMost(before.programs, programs, growth / 2) ?? 'Another program';
      before = { bytes, programs };
      suspected = false;
      const message = `${name} took ${gigabytes(growth)} of video memory beside ${model}; other programs now hold ${gigabytes(bytes)}.`;
      const advice =
        'The next load may not fit the GPU any more. Close that program, or lend it the GPU while you need it.';
      return [{ kind: 'other_program', model, message, advice, costMs: null }];
    },
  };
}

/** null = unknown. By the driver's list of processes where it has one, else what no loaded model accounts for. */
function otherBytes({ gpus, loaded }: Pick<EngineState, 'gpus' | 'loaded'>): number | null {
  const used = (gpus ?? []).map((gpu) => gpu.vramUsedBytes);
  if (used.length === 0 || used.includes(null)) return null;
  const held = (gpus ?? []).map((gpu) => gpu.vramModelBytes);
  const measured = held.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
  const listed = loaded.reduce((sum, { vramBytes }) => sum + vramBytes, 0);
  const ours = held.some((bytes) => typeof bytes !== 'number') ? listed : measured;
  const total = used.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
  return Math.max(0, total - ours);
}

/** A model that Andiron has loaded, or is about to. */
function ourModel({ loaded, lease, queue }: Pick<EngineState, 'loaded' | 'lease' | 'queue'>): string | null {
  const planned = lease ?? queue[0];
  return loaded.find(({ asPlanned }) => asPlanned !== null)?.name ?? planned?.model ?? null;
}

/** The program that has most of the growth; null = none that is named has grown so much. */
function grownMost(
  before: readonly OtherProgram[],
  now: readonly OtherProgram[],
  minBytes: number,
): string | null {
  const names = [...new Set(now.map(({ name }) => name))];
  const grown = names.map((name) => ({ name, bytes: heldBy(now, name) - heldBy(before, name) }));
  const [most] = grown.toSorted((a, b) => b.bytes - a.bytes);
  return most && most.bytes >= minBytes ? most.name : null;
}

const maxNamed = 3;
const worthNaming = 64 * 1024 ** 2;

/** Those that hold most, each once however many processes it has. */
export function maxPrograms(programs: readonly OtherProgram[]): OtherProgram[] {
  return [...new Set(programs.map(({ name }) => name))]
    .map((name) => ({ name, bytes: heldBy(programs, name) }))
    .filter(({ bytes }) => bytes >= worthNaming)
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, maxNamed);
}

function heldBy(programs: readonly OtherProgram[], name: string): number {
  return programs.reduce((sum, program) => sum + (program.name === name ? program.bytes : 0), 0);
}
