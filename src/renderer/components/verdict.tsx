import type { Fit } from '../../protocol/model.ts';
import { library } from '../text.ts';

const looks: Record<Fit['verdict'], string> = {
  fits: 'tag ok',
  tight: 'tag warn',
  spills: 'tag warn',
  too_big: 'tag fail',
  unknown: 'tag',
};

/** Does it fit here? In a word. */
export function Verdict({ verdict }: { verdict: Fit['verdict'] }) {
  return <span className={looks[verdict]}>{library.verdicts[verdict]}</span>;
}
