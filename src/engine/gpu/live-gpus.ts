/** Whatever can be read of this machine's GPUs now, by maker and system. */
import type { EngineDeps } from '../base/engine-deps.ts';
import { createProcessLister } from '../runner-status/ollama-processes.ts';
import { readAmdGpus } from './amd-sysfs.ts';
import { metalBytes } from './apple-memory.ts';
import { ioregArgs, ioregProgram, parseIoreg } from './apple-ioreg.ts';
import { createModelProcesses } from './model-processes.ts';
import { createNvidiaReader, type OtherProgram } from './nvidia-reader.ts';
import { powershellProgram } from '../../platform/system-programs.ts';
import { createBackOff } from '../base/timing.ts';
import { createPatientRun } from './patient-run.ts';
import type { GpuReading } from './gpu-reading.ts';
import { createSource } from './source.ts';
import {
  parseWindowsCounters,
  windowsCounterArgs,
  withWindowsCounters,
  type WindowsCounters,
} from './windows-counters.ts';

export interface LiveGpusOptions {
  holdsModels: () => boolean;
  /** Something came that `refresh` had not waited for. */
  onLate: () => void;
}

const patienceMs = 2_000;

interface AskedProgram {
  program: string;
  args: readonly string[];
  limitMs: number;
  /** From an answer to the next question, if that is longer than from sample to sample. */
  paceMs: number;
}
const ioreg: AskedProgram = { program: ioregProgram, args: ioregArgs, limitMs: 3_000, paceMs: 0 };
/** Starting PowerShell takes about a second of a core. */
const windowsCounters: Omit<AskedProgram, 'program'> = {
  args: windowsCounterArgs,
  limitMs: 8_000,
  paceMs: 10_000,
};

export function createLiveGpus(deps: EngineDeps, { holdsModels, onLate }: LiveGpusOptions) {
  const { clock, machine, processes } = deps;
  const listProcesses = createProcessLister(deps);
  const nvidia = createNvidiaReader(deps, {
    modelProcesses: createModelProcesses(listProcesses),
    holdsModels,
  });
  const sourceOf = <T>(read: () => Promise<T>, isNeeded = true) =>
    createSource(clock, { patienceMs, isNeeded, onLate }, read);

  /** What it said before is kept between two questions, and gone when it fails. */
  const askedProgram = <T>(
    { program, args, limitMs, paceMs }: AskedProgram,
    parse: (stdout: string) => Promise<T>,
  ) => {
    const run = createPatientRun(clock, processes, limitMs);
    const backOff = createBackOff(clock);
    let last: T | null = null;
    return async (): Promise<T | null> => {
      if (!backOff.isDue()) return last;
      try {
        last = await parse(await run(program, args));
        backOff.succeeded();
        backOff.rest(paceMs);
      } catch {
        last = null;
        backOff.failed();
      }
      return last;
    };
  };

  const askIoreg = askedProgram(ioreg, async (stdout) =>
    parseIoreg(stdout, machine.arch === 'arm64' ? metalBytes(machine.totalMemory()) : null),
  );
  const onWindows = createModelProcesses(listProcesses);
  const askWindows = askedProgram(
    { program: powershellProgram(machine.env), ...windowsCounters },
    async (stdout) => {
      const counters = parseWindowsCounters(stdout);
      return {
        counters,
        isOllama: await onWindows(counters.processes.map(({ pid }) => ({ pid, program: '' }))),
      };
    },
  );

  const cards = sourceOf(() => nvidia.read());
  const amd = machine.platform === 'linux' ? sourceOf(() => readAmdGpus(deps.files)) : null;
  const apple = machine.platform === 'darwin' ? sourceOf(askIoreg) : null;
  // It only adds to cards that are known without it.
  const windows = machine.platform === 'win32' ? sourceOf(askWindows, false) : null;

  return {
    /** Asks all sources. Never rejects; one that is slow is not waited for after its first answer. */
    async refresh(): Promise<void> {
      const here = [cards, amd, apple, windows].filter((source) => source !== null);
      await Promise.all(here.map((source) => source.refresh()));
    },
    /** Cards as far as they can be read; empty = by none of these ways. @param named what is known to be there. */
    readings(named: readonly GpuReading[]): GpuReading[] {
      const own = [cards.latest(), amd?.latest(), apple?.latest()].flatMap((readings) => readings ?? []);
      const known = windows?.latest();
      if (!known) return own;
      return addCounters(own.length > 0 ? own : named, known);
    },
    /** Programs beside Ollama on the GPU, as far as they are told. */
    others: (): readonly OtherProgram[] => nvidia.others(),
    seekAgain: (): void => nvidia.seekAgain(),
  };
}

function addCounters(
  readings: readonly GpuReading[],
  { counters, isOllama }: { counters: WindowsCounters; isOllama: ReadonlyMap<number, boolean> },
): GpuReading[] {
  return withWindowsCounters(readings, counters, (pid) => isOllama.get(pid) === true);
}
