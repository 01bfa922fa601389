import type { Reading, RereadCause } from '../../protocol/model.ts';
import { ledger } from '../../text/en/ledger.ts';

interface Told {
  cause: RereadCause;
  owner: Reading['owner'];
  tokens: number;
  detail: string;
}

/** "8,220 tokens read again because the model was loaded anew: ComfyUI had taken its memory. By another program." */
export function rereadWords({ cause, owner, tokens, detail }: Told): string {
  const why = detail === '' ? ledger.causes[cause] : `${ledger.causes[cause]}: ${withoutDot(detail)}`;
  const by = owner === null ? '' : ` ${ledger.by(ledger.owners[owner])}`;
  return `${ledger.because(tokens, why)}${by}`;
}

function withoutDot(words: string): string {
  return words.replace(/\.\s*$/, '');
}
