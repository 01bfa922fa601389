import type { Reading, RereadCause } from '../../protocol/model.ts';
import { ledger } from '../text.ts';

interface Reread {
  cause: RereadCause;
  owner: Reading['owner'];
  tokens: number;
  detail: string;
}

/** What is told in detail of these names a program, or what the person did. */
const namesMore: ReadonlySet<RereadCause> = new Set(['reload', 'persons_choice']);

/**
 * "Re-read 8,220 tokens. The model was reloaded: ComfyUI had taken its memory. By another program." What is told in
 * detail takes the place of the bare cause. Most causes name their owner; of a reload and of Andiron it is said.
 */
export function rereadWords({ cause, owner, tokens, detail }: Reread): string {
  const why =
    detail === ''
      ? ledger.because(tokens, ledger.causes[cause])
      : ledger.told(tokens, ledger.causes[cause], withoutDot(detail), namesMore.has(cause));
  const isSaid = owner !== 'andiron' && cause !== 'reload';
  return owner === null || isSaid ? why : `${why} ${ledger.by(ledger.owners[owner])}`;
}

export function withoutDot(words: string): string {
  return words.replace(/\.\s*$/, '');
}
