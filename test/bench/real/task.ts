/** What a task is. */
import type { Draw } from './draw.ts';

export const oneStepKinds = ['read', 'write', 'edit', 'search', 'command', 'compute'] as const;
export const moreStepsKinds = ['two steps', 'three steps'] as const;
export const kinds = [...oneStepKinds, ...moreStepsKinds, 'restraint', 'impossible'] as const;
export type TaskKind = (typeof kinds)[number];

/** A call with its arguments as they fit the tool; paths are relative to the workspace. */
export interface FirstCall {
  tool: string;
  args: Record<string, unknown>;
}

export interface Outcome {
  /** What the model said after its last call. */
  answer: string;
  /** Content of a file of the workspace as it is now; null = there is none. */
  file: (path: string) => string | null;
}

/** What is wrong, in a few words; null = nothing. */
export type Check = (outcome: Outcome) => string | null;

/** A way in which the task is done, so that its check can be checked. */
export interface Solution {
  answer?: string;
  /** What it leaves in these files; null = removed. */
  files?: Readonly<Record<string, string | null>>;
  /** Absent = no call is made. */
  first?: FirstCall;
}

/** What the person wants to happen, answers aside. */
export type Asks = 'nothing' | 'change' | 'run';

export interface TaskParts {
  /** What the person writes. */
  ask: string;
  asks: Asks;
  /** Path → content of the workspace. */
  files: Readonly<Record<string, string>>;
  /** Files that the task is meant to make, change or remove. All others must be as before. */
  changes: readonly string[];
  begins: (call: FirstCall) => boolean;
  /** A turn without any call is begun right too. */
  needsNoCall?: true;
  check: Check;
  solution: Solution;
}

/**
 * `kept`: written by hand in people's own words; `fixed`: kind and language are the same for every seed; `free`: nothing
 * is.
 */
export type Source = 'kept' | 'fixed' | 'free';

export interface Task extends TaskParts {
  id: string;
  kind: TaskKind;
  /** Code of the language in which it is asked. */
  language: string;
  source: Source;
}

/** A task is made again for every seed: names and figures cannot be guessed. */
export interface TaskMaker {
  id: string;
  kind: TaskKind;
  make(draw: Draw): TaskParts;
}

export const lines = (...all: readonly (string | number)[]): string => `${all.join('\n')}\n`;
