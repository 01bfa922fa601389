/** A model that did not look yet spells a name as it is spoken: trip_plan.md, where notes/trip-plan.md is meant. */
import { readMessage, type PersonMessage } from '../../prompt/person-message.ts';
import { mentioned, nameOf } from '../steps/named-in-text.ts';
import { newPaths } from '../steps/new-paths.ts';
import type { ScopeStep } from './turn-acts.ts';

/** As the worked examples say it of a file that is to be made. */
const makesFile = /^write \S+$/;

/**
 * The steps that look or change with the names of files that are there, where exactly one differs from theirs only in folders,
 * capitals and signs. A name that the person wrote stays. @param entries of the workspace; a folder ends with `/`.
 */
export function withRealNames(
  steps: readonly ScopeStep[],
  message: PersonMessage,
  entries: readonly string[],
): ScopeStep[] {
  const files = Map.groupBy(
    entries.filter((path) => !path.endsWith('/')),
    lettersOf,
  );
  const isSaid = (path: string): boolean => mentioned([readMessage(message)], [path]).length > 0;
  return steps.map((step) => {
    // What a command would write to is not there yet, however it is spelt.
    if (step.act === 'run' || makesFile.test(step.what.trim())) return step;
    const what = newPaths(step.what, entries).reduce((words, path) => {
      const [real, ...others] = files.get(lettersOf(path)) ?? [];
      return real === undefined || others.length > 0 || isSaid(path)
        ? words
        : words.replaceAll(path, () => real);
    }, step.what);
    return { ...step, what };
  });
}

const lettersOf = (path: string): string =>
  nameOf(path)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}.]/gu, '');
