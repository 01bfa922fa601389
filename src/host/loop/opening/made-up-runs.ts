/** A small model runs a program of which nobody ever spoke: it comes from a worked example, with another name. */
import { readMessage, type PersonMessage } from '../../prompt/person-message.ts';
import { mentioned } from '../steps/named-in-text.ts';
import { newPaths } from '../steps/new-paths.ts';
import type { ScopeStep } from './turn-acts.ts';

/** A command makes what it writes to. */
const writtenTo = />+\s*\S+/g;

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
