/** Everything the engine needs from outside, so that each rule can be tested with fakes and a stopped clock. */
import type { OllamaApi } from '../../ollama/api.ts';
import type { Clock, NewId } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';

export interface EngineDeps {
  clock: Clock;
  log: Log;
  newId: NewId;
  ollama: OllamaApi;
  processes: EngineProcesses;
  files: EngineFiles;
  machine: Machine;
  /** Absolute path of `engine.json`; null = nothing is kept. */
  dataFile: string | null;
  /** The address leads to the simulated engine: said in the state, and nothing about its models is kept. */
  simulated: boolean;
  /** The only address to look at; null = `OLLAMA_HOST`, then the default. */
  url: string | null;
  /** Called before the first host is asked over TLS, whose certificate may be one that only the system trusts. */
  trustSystem?: () => void;
}

export interface EngineProcesses {
  /** Resolves with stdout. Rejects when it cannot be started, ends with another code than 0, or takes longer. */
  run(command: string, args: readonly string[], timeoutMs: number): Promise<string>;
  /** Starts a program that outlives Andiron; rejects when it cannot be started. `exited` never rejects. */
  launch(program: LaunchSpec): Promise<{ exited: Promise<number | null> }>;
  /** Starts `gpu/system-sample-entry` in a process of its own. */
  startSampler(): SamplerProcess;
}

/** A process that answers each question with one sample, until it is killed. */
export interface SamplerProcess {
  ask(): void;
  onSample(listener: (answer: unknown) => void): void;
  /** Once; also when it could not be started. */
  onExit(listener: () => void): void;
  kill(): void;
}

export interface LaunchSpec {
  command: string;
  args: readonly string[];
  /** Added to the environment. */
  env: Readonly<Record<string, string>>;
}

export interface EngineFiles {
  exists(path: string): Promise<boolean>;
  /** Rejects with code `ENOENT` when there is no such file. */
  readText(path: string): Promise<string>;
  /** The same, at once: for the one small file that is read before anything is served. */
  readTextNow(path: string): string;
  /** Names in a folder; empty when there is none. */
  list(folder: string): Promise<string[]>;
  /** Written beside it and renamed into place: a reader sees the old text or the new one. */
  writeWhole(path: string, text: string): Promise<void>;
  /** Of the disk on which the folder lies; null = no such folder, or not to be found out. */
  freeBytes(folder: string): Promise<number | null>;
}

export interface Machine {
  platform: NodeJS.Platform;
  arch: string;
  env: Readonly<Record<string, string | undefined>>;
  homeDir: string;
  /** Own IPv4 addresses besides loopback. */
  lanAddresses(): string[];
  totalMemory(): number;
  availableMemory(): number;
  /** What a program may use of the processor. */
  cores: number;
  /** Sums over all cores since the machine started, in ms. */
  cpuTimes(): { idle: number; total: number };
}
