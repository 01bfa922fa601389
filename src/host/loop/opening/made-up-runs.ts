/**
 * Runs that a small model only says since worked examples have some: a program of which nobody ever spoke, or an interpreter
 * on a file that is to be read or made.
 */
import { readMessage, type PersonMessage } from '../../prompt/person-message.ts';
import { mentioned } from '../steps/named-in-text.ts';
import { newPaths } from '../steps/new-paths.ts';
import type { ScopeStep } from './turn-acts.ts';

/** A command makes what it writes to. */
const writtenTo = />+\s*\S+/g;

/** By interpreter: how files end that are programs for it. */
const programEndings: Readonly<Record<string, RegExp>> = {
  bash: /\.(?:ba)?sh$/i,
  node: /\.[cm]?[jt]s$/i,
  perl: /\.p[lm]$/i,
  php: /\.php$/i,
  python: /\.pyw?$/i,
  python3: /\.pyw?$/i,
  ruby: /\.rb$/i,
  sh: /\.sh$/i,
};
const hasEnding = /\.\p{L}[\p{L}\p{N}]*$/u;

/**
 * A step gives an interpreter a file that ends like no program of its, or one that is not there and that no step before it
 * writes; and the person does not have that command in their message. @param entries of the workspace; a folder ends with `/`.
 */
export function runsNoProgram(
  steps: readonly ScopeStep[],
  message: PersonMessage,
  entries: readonly string[],
): boolean {
  const files = entries.filter((path) => !path.endsWith('/') && hasEnding.test(path));
  return steps.some(({ act, what }, at) => {
    const [program = '', rest = ''] = what.trim().split(/\s+(.*)/s);
    const ending =
      act === 'run' && Object.hasOwn(programEndings, program) ? programEndings[program] : undefined;
    if (!ending || readMessage(message).includes(what.trim())) return false;
    const isFirst = (path: string): boolean => rest.startsWith(path);
    const first = mentioned([rest], files).find(isFirst);
    if (first !== undefined) return !ending.test(first);
    const missing = newPaths(rest, entries).find(isFirst);
    const before = steps.slice(0, at).map((step) => step.what);
    return missing !== undefined && mentioned(before, [missing]).length === 0;
  });
}

/**
 * A step runs a file that does not exist, that the person did not name and that no step before it writes; and it names no
 * other that exists. @param entries of the workspace; a folder ends with `/`.
 */
export function runsMadeUpFile(
  steps: readonly ScopeStep[],
  message: PersonMessage,
  entries: readonly string[],
): boolean {
  return steps.some(({ act, what }, at) => {
    if (act !== 'run' || mentioned([what], entries).length > 0) return false;
    const read = what.replaceAll(writtenTo, ' ');
    const said = [readMessage(message), ...steps.slice(0, at).map((step) => step.what)];
    return newPaths(read, entries).some((path) => mentioned(said, [path]).length === 0);
  });
}
