/** A model that did not look yet spells a name as it is spoken: trip_plan.md, where notes/trip-plan.md is meant. */
import { readMessage, type PersonMessage } from '../../prompt/person-message.ts';
import { mentioned, nameOf } from '../steps/named-in-text.ts';
import { newPaths } from '../steps/new-paths.ts';
import type { ScopeStep } from './turn-acts.ts';

/** As the worked examples say it of a file that is to be made. */
const makesFile = /^write \S+$/;

/**
 * The steps that look or change with the names of files that are there, where exactly one differs from theirs only in folders,
 * capitals and signs, and all steps with what the person calls a file that is to be read. A name that the person wrote stays.
 * @param entries of the workspace; a folder ends with `/`
 */
export function withRealNames(
  steps: readonly ScopeStep[],
  message: PersonMessage,
  entries: readonly string[],
): ScopeStep[] {
  const paths = entries.filter((path) => !path.endsWith('/'));
  const files = Map.groupBy(paths, lettersOf);
  const isSaid = (path: string): boolean => mentioned([readMessage(message)], [path]).length > 0;
  const renamed = (what: string, realOf: (path: string) => string | undefined): string =>
    newPaths(what, entries).reduce((words, path) => words.replaceAll(path, () => realOf(path) ?? path), what);
  const spelt = (path: string): string | undefined => {
    const [real, ...others] = files.get(lettersOf(path)) ?? [];
    return others.length > 0 || isSaid(path) ? undefined : real;
  };
  // What a command would write to is not there yet, however it is spelt.
  const real = steps.map((step) =>
    step.act === 'run' || makesFile.test(step.what.trim())
      ? step
      : { ...step, what: renamed(step.what, spelt) },
  );
  const invented = real
    .filter(({ act }) => act === 'look')
    .flatMap(({ what }) => newPaths(what, entries).filter((path) => !isSaid(path)));
  const meant = translated(invented, mentioned([readMessage(message)], paths));
  return real.map((step) => ({ ...step, what: renamed(step.what, (path) => meant.get(path)) }));
}

/** A model translates names too. What it would read is there, so the only one with that ending that the person wrote is meant. */
function translated(invented: readonly string[], said: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    invented.flatMap((path): [string, string][] => {
      const ending = /\.[^./]+$/.exec(path)?.[0];
      const [real, ...others] = said.filter((each) => ending !== undefined && each.endsWith(ending));
      return real === undefined || others.length > 0 ? [] : [[path, real]];
    }),
  );
}

const lettersOf = (path: string): string =>
  nameOf(path)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}.]/gu, '');
