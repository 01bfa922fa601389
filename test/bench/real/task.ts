/** What a task is, and the ways in which a first call can be a right one. */
import { Chance } from '../prefix/chance.ts';

export type TaskKind = 'read' | 'search' | 'command' | 'write' | 'edit' | 'two steps' | 'three steps';

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

export interface Task {
  id: string;
  kind: TaskKind;
  /** What the person writes. */
  ask: string;
  /** Path → content of the workspace. */
  files: Record<string, string>;
  /** Files that the task is meant to change or remove. All others must be as before. */
  changes: readonly string[];
  begins(call: FirstCall): boolean;
  /** What is wrong, in a few words; null = done. */
  check(outcome: Outcome): string | null;
}

/** A task is made anew for every seed: names and figures cannot be guessed. */
export interface TaskMaker {
  id: string;
  kind: TaskKind;
  /** One of the short run. */
  quick?: true;
  make(draw: Draw): Omit<Task, 'id' | 'kind'>;
}

const nouns =
  'anchor barrel candle drawer engine feather garden hammer island jacket kettle ladder marble needle orchard pepper quarry ribbon saddle tunnel umbrella violin walnut yogurt'.split(
    ' ',
  );
const people = 'Amara Bjorn Carmen Dmitri Elif Farouk Greta Hiroshi Ines Joaquin Katya Lorenzo'.split(' ');

/** Things for tasks, none of them twice. */
export class Draw {
  readonly #chance: Chance;
  readonly #drawn = new Set<string>();

  constructor(seed: number) {
    this.#chance = new Chance(seed);
  }

  noun(): string {
    return this.#fresh(() => this.#chance.pick(nouns));
  }

  person(): string {
    return this.#fresh(() => this.#chance.pick(people));
  }

  /** From `least` up to, not including, `limit`. */
  number(least = 1000, limit = 10_000): number {
    return Number(this.#fresh(() => String(least + this.#chance.below(limit - least))));
  }

  /** Such as KB-4821. */
  code(): string {
    const letter = (): string => String.fromCharCode('A'.charCodeAt(0) + this.#chance.below(26));
    return `${letter()}${letter()}-${this.number()}`;
  }

  #fresh(draw: () => string): string {
    for (;;) {
      const drawn = draw();
      if (this.#drawn.has(drawn)) continue;
      this.#drawn.add(drawn);
      return drawn;
    }
  }
}

export const lines = (...all: readonly (string | number)[]): string => `${all.join('\n')}\n`;

type Right = (call: FirstCall) => boolean;

export const anyOf =
  (...ways: readonly Right[]): Right =>
  (call) =>
    ways.some((way) => way(call));

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const plainPath = (value: unknown): string =>
  text(value)
    .replace(/^(\.?\/)+/, '')
    .replace(/\/+$/, '');
const command = ({ tool, args }: FirstCall): string => (tool === 'run_command' ? text(args['command']) : '');

const printing = /\b(cat|head|tail|sed|awk|grep|rg|nl|less|more|cut|sort|python3?|node)\b/;
const searching = /\b(grep|rg|ag|ack|findstr)\b/;

/** Looks into that file, whole or in part. */
export const reads =
  (path: string): Right =>
  (call) =>
    (['read_file', 'search'].includes(call.tool) && plainPath(call.args['path']) === path) ||
    (printing.test(command(call)) && command(call).includes(path));

/** Looks for that text, anywhere. */
export const searches =
  (wanted: string): Right =>
  (call) => {
    const where =
      call.tool === 'search'
        ? text(call.args['pattern'])
        : searching.test(command(call))
          ? command(call)
          : '';
    return where.toLowerCase().includes(wanted.toLowerCase());
  };

export const lists =
  (folder: string): Right =>
  (call) =>
    (call.tool === 'list_files' && plainPath(call.args['path']) === folder) ||
    (call.tool === 'glob' && plainPath(call.args['pattern']).startsWith(`${folder}/`)) ||
    (/\b(ls|find|dir|tree)\b/.test(command(call)) && command(call).includes(folder));

/** Looks for names that end so. */
export const finds =
  (ending: string): Right =>
  (call) =>
    (call.tool === 'glob' && text(call.args['pattern']).includes(ending)) ||
    (/\b(find|ls)\b/.test(command(call)) && command(call).includes(ending));

export const runs =
  (pattern: RegExp): Right =>
  (call) =>
    pattern.test(command(call));

/** Writes that file in one go. */
export const writes =
  (path: string): Right =>
  (call) =>
    (call.tool === 'write_file' && plainPath(call.args['path']) === path) ||
    (/>|\btee\b|\btouch\b/.test(command(call)) && command(call).includes(path));

/** Changes that file; whether it was read before is the tool's affair. */
export const changes =
  (path: string): Right =>
  (call) =>
    (['edit_file', 'write_file'].includes(call.tool) && plainPath(call.args['path']) === path) ||
    (/\bsed\b|>|\bperl\b/.test(command(call)) && command(call).includes(path));

/** The answer names all of `wanted` and none of `decoys`, as whole words. */
export function says(
  wanted: readonly (string | number)[],
  decoys: readonly (string | number)[] = [],
): Task['check'] {
  return ({ answer }) => {
    const missing = wanted.find((each) => !names(answer, each));
    if (missing !== undefined) return `the answer lacks ${missing}`;
    const wrong = decoys.find((each) => names(answer, each));
    return wrong === undefined ? null : `the answer also names ${wrong}`;
  };
}

/** Thousands may be set apart: 12,345. */
function names(answer: string, wanted: string | number): boolean {
  const escaped = String(wanted).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const whole = new RegExp(`(?<![\\p{L}\\d])${escaped}(?![\\p{L}\\d])`, 'iu');
  return whole.test(answer) || whole.test(answer.replaceAll(/(?<=\d)[,' ](?=\d{3})/g, ''));
}

/** The file is there with exactly this content, white space at its ends and line ends aside. */
export function holds(path: string, content: string | RegExp): Task['check'] {
  return ({ file }) => {
    const found = file(path)?.replaceAll('\r\n', '\n').trim();
    if (found === undefined) return `${path} is not there`;
    const fits = typeof content === 'string' ? found === content.trim() : content.test(found);
    return fits ? null : `${path} holds ${JSON.stringify(found.slice(0, 60))}`;
  };
}

export const gone =
  (path: string): Task['check'] =>
  ({ file }) =>
    file(path) === null ? null : `${path} is still there`;

export const allOf =
  (...checks: readonly Task['check'][]): Task['check'] =>
  (outcome) =>
    checks.map((check) => check(outcome)).find((wrong) => wrong !== null) ?? null;
