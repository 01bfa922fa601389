/**
 * NVIDIA's cards, read again and again. The driver may be missing, slow, stuck or talk nonsense: what is not known is
 * unknown, and a driver that fails is asked ever more seldom.
 */
import type { EngineDeps } from '../base/engine-deps.ts';
import type { ModelProcesses } from './model-processes.ts';
import {
  computeAppsArgs,
  nvidiaSmiArgs,
  nvidiaSmiPrograms,
  parseComputeApps,
  parseNvidiaSmi,
  wordings,
  type ComputeApp,
  type NvidiaGpu,
  type Wording,
} from './nvidia-smi.ts';
import { createBackOff, settledWithin } from '../base/timing.ts';
import { createPatientRun } from './patient-run.ts';
import { unknownNow, type GpuReading } from './gpu-reading.ts';

export interface OtherProgram {
  name: string;
  bytes: number;
}

export interface NvidiaReaderOptions {
  modelProcesses: ModelProcesses;
  /** Does Ollama hold video memory, by its own account? Then no process of it on the GPU means that it is not seen. */
  holdsModels: () => boolean;
}

const readerMs = 3_000;
/** The list of processes is not waited for much longer than the cards themselves. */
const appsGraceMs = 500;
/** A driver that never says what processes hold is not asked all the time. */
const silentAppsMs = 300_000;

export function createNvidiaReader(
  { clock, log, machine, processes }: Pick<EngineDeps, 'clock' | 'log' | 'machine' | 'processes'>,
  { modelProcesses, holdsModels }: NvidiaReaderOptions,
) {
  const run = createPatientRun(clock, processes, readerMs);
  const runApps = createPatientRun(clock, processes, readerMs);
  let backOff = createBackOff(clock);
  let appsBackOff = createBackOff(clock);
  let way: { program: string; wording: Wording } | undefined;
  /** No driver here, until it is looked for again. */
  let isAbsent = false;
  let last: NvidiaGpu[] = [];
  let others: OtherProgram[] = [];

  /** The first way to ask that is answered. Throws what a driver said that is there and does not answer. */
  const seek = async (): Promise<NvidiaGpu[]> => {
    let refusal: unknown;
    for (const program of nvidiaSmiPrograms(machine.platform, machine.env)) {
      for (const wording of wordings) {
        try {
          const gpus = parseNvidiaSmi(await run(program, nvidiaSmiArgs(wording)), wording);
          if (gpus.length === 0) continue;
          way = { program, wording };
          return gpus;
        } catch (error) {
          if (codeOf(error) === 'ENOENT') break;
          // Anything but a refusal will not be better in other words.
          if (typeof codeOf(error) !== 'number') throw error;
          refusal = error;
        }
      }
    }
    if (refusal !== undefined) throw refusal;
    isAbsent = true;
    return [];
  };

  const askCards = async (): Promise<NvidiaGpu[]> => {
    if (!way) return isAbsent ? [] : seek();
    const gpus = parseNvidiaSmi(await run(way.program, nvidiaSmiArgs(way.wording)), way.wording);
    if (gpus.length === 0) throw new Error('Its answer names no GPU.');
    return gpus;
  };

  /** null = unknown. */
  const askApps = async (): Promise<ComputeApp[] | null> => {
    if (!way || !appsBackOff.isDue()) return null;
    try {
      const apps = parseComputeApps(await runApps(way.program, computeAppsArgs));
      if (apps === null) throw new Error('Its answer is no list of processes.');
      appsBackOff.succeeded();
      if (apps.length > 0 && apps.every(({ bytes }) => bytes === null)) appsBackOff.rest(silentAppsMs);
      return apps;
    } catch {
      // The cards' own reading says what is wrong with the driver.
      appsBackOff.failed();
      return null;
    }
  };

  const withProcesses = async (
    gpus: readonly NvidiaGpu[],
    apps: readonly ComputeApp[],
  ): Promise<GpuReading[]> => {
    const isOllama = await modelProcesses(apps);
    const ours = apps.filter(({ pid }) => isOllama.get(pid));
    others = apps.flatMap(({ pid, program, bytes }) =>
      isOllama.get(pid) || bytes === null ? [] : { name: fileName(program), bytes },
    );
    const isHidden = holdsModels() && ours.every(({ bytes }) => !bytes);
    return gpus.map(({ uuid, reading }) => {
      const held = ours.filter((app) => app.uuid === uuid).map(({ bytes }) => bytes);
      if (uuid === null || isHidden || held.includes(null)) return reading;
      return { ...reading, vramModelBytes: held.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0) };
    });
  };

  return {
    /** Never rejects. Cards that do not answer now are there with unknown values. */
    async read(): Promise<GpuReading[]> {
      if (!backOff.isDue()) return last.map(({ reading }) => unknownNow(reading));
      try {
        const asked = askApps();
        last = await askCards();
        const apps = await settledWithin(clock, appsGraceMs, asked);
        backOff.succeeded();
        if (apps) return await withProcesses(last, apps);
        others = [];
        return last.map(({ reading }) => reading);
      } catch (error) {
        others = [];
        const isNews = last.some(({ reading }) => reading.vramUsedBytes !== null);
        if (isNews) log.warn('nvidia-smi did not answer', { reason: String(error) });
        backOff.failed();
        last = last.map((gpu) => ({ ...gpu, reading: unknownNow(gpu.reading) }));
        return last.map(({ reading }) => reading);
      }
    },
    /** Programs beside Ollama in the last reading, as far as the driver names them. They stay while the next is awaited. */
    others: (): readonly OtherProgram[] => others,
    /** A driver may have been installed since, or be well again. */
    seekAgain(): void {
      isAbsent = false;
      backOff = createBackOff(clock);
      appsBackOff = createBackOff(clock);
    },
  };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function fileName(program: string): string {
  const name = program.slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1);
  return name.replace(/\.exe$/i, '') || program;
}
