/** The window of a load: what was wished, or less where that would spill to the CPU. */
import type { Fit } from '../../protocol/model.ts';

/** Less than this is no window for an agent to work in: then the model spills, and that is said. */
const minWindowTokens = 8_192;

/** Halves of the wish, the largest that does not spill; the wish itself where none helps or nothing is known. */
export async function windowThatFits(
  wish: number,
  judge: (contextTokens: number) => Promise<Fit['verdict']>,
): Promise<number> {
  const spills = async (contextTokens: number): Promise<boolean> => {
    const verdict = await judge(contextTokens);
    return verdict === 'spills' || verdict === 'too_big';
  };
  for (let window = wish; window >= minWindowTokens; window = Math.floor(window / 2))
    if (!(await spills(window))) return window;
  return wish;
}
