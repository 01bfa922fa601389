/**
 * A small model that is to write down a copy of a file loses lines of it, and one that looks at it copies nothing: a command
 * makes the copy as it is.
 */
import { asSaid } from '../steps/known-paths.ts';
import { maxWhat, type ScopeStep } from './turn-acts.ts';

/** To save one file as another may be to turn it into something else. */
const copies = /^(?:copy|duplicate|back ?up|save a copy of) (\S.*?) (?:to|as|into) (\S.*)$/su;
const quotes = /^["'`]|["'`]$/g;

/**
 * What only looks stays that: no command comes of a turn that says of no step that it changes or runs something.
 * @param said what the person names and is not there: a copy is one of those. @param entries of the workspace
 */
export function withCopies(
  steps: readonly ScopeStep[],
  said: readonly string[],
  entries: readonly string[],
): ScopeStep[] {
  if (!steps.some(({ act }) => act === 'change' || act === 'run')) return [...steps];
  return steps.map((step) => {
    const [, from = '', to = ''] = (step.act === 'answer' ? null : copies.exec(step.what)) ?? [];
    const [file, copy] = [from.replaceAll(quotes, ''), asSaid(to.replaceAll(quotes, ''), said)];
    const what = `cp ${file} ${copy}`;
    const isCopy = entries.includes(file) && said.includes(copy);
    return isCopy && what.length < maxWhat ? { act: 'run', what } : step;
  });
}
