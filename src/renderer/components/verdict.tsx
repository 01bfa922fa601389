import type { Fit } from '../../protocol/model.ts';
import { library } from '../text.ts';

const looks: Record<Fit['verdict'], string> = {
  fits: 'tag ok',
  tight: 'tag warn',
  spills: 'tag warn',
  too_big: 'tag fail',
  unknown: 'tag',
};

/** Does it fit here? In a word. Without a GPU it fits into main memory at best, which is nothing to call well. */
export function Verdict({ verdict, noGpu }: { verdict: Fit['verdict']; noGpu: boolean }) {
  const words = noGpu ? { ...library.verdicts, ...library.verdictsOnCpu } : library.verdicts;
  return <span className={noGpu && verdict === 'fits' ? 'tag' : looks[verdict]}>{words[verdict]}</span>;
}
