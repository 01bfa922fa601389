/** Why a call asks: the host says it in English. */
import type { AskedFor } from '../../protocol/asked-for.ts';
import type { Approval } from '../../protocol/model.ts';

type Why = (approval: Pick<Approval, 'why' | 'host' | 'quote'>) => string;

const asTold: Why = ({ why }) => why;

export const askedWhy: Record<AskedFor, Why> = {
  command: asTold,
  protected: asTold,
  tainted: asTold,
  unannounced: asTold,
  skill: asTold,
  policy: asTold,
  host: asTold,
};
