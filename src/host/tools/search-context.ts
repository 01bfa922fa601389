/**
 * How a guided model reads a search that found little: the lines around each match, and behind them where they stand. With
 * the place in front a small model answers with the place, whatever it was asked for, and has nothing else to answer with.
 */
import { visibleName } from '../../rules/visible-text/visible-text.ts';
import type { RipgrepMatch } from './ripgrep-matches.ts';

/** More matches than this are a list, in which the places matter. */
export const maxInContext = 3;
/** On each side of a match. */
export const contextLines = 3;

/** `lines`: matches with what stands near them, in the order of their files. */
export function matchesInContext(lines: readonly RipgrepMatch[]): string {
  const blocks: RipgrepMatch[][] = [];
  for (const line of lines) {
    const block = blocks.at(-1);
    const before = block?.at(-1);
    if (block && before?.path === line.path && before.line + 1 === line.line) block.push(line);
    else blocks.push([line]);
  }
  return blocks.map(blockText).join('\n\n');
}

function blockText(block: readonly RipgrepMatch[]): string {
  const numbers = block.flatMap(({ isMatch, line }) => (isMatch ? [String(line)] : []));
  const place = `${visibleName(block[0]?.path ?? '')}, line${numbers.length === 1 ? '' : 's'} ${numbers.join(', ')}`;
  return [...block.map(({ text }) => text), `(${place})`].join('\n');
}
