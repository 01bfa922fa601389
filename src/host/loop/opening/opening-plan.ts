/** What a guided model says that it is about to do, as a plan that a person can read and change. */
import type { PlanStep } from '../../../protocol/plan.ts';
import { newStep } from '../../planning/todo-list.ts';
import type { Act, ScopeStep } from './turn-acts.ts';

/** `text`: as the answer of its turn. null = it only looks, as it may. */
export function planOfOpening(steps: readonly ScopeStep[]): { text: string; plan: PlanStep[] } | null {
  const work = steps.filter(({ act }) => act !== 'answer');
  if (!work.some(({ act }) => act !== 'look')) return null;
  const plan = work.map((step, index) => newStep(`step_${String(index + 1)}`, wordsOf(step)));
  return { text: plan.map(({ text }, index) => `${String(index + 1)}. ${text}`).join('\n'), plan };
}

const does: Readonly<Record<Act, string>> = {
  look: 'Look',
  change: 'Change',
  run: 'Run',
  use: 'Use',
  answer: '',
};

const wordsOf = ({ act, what }: ScopeStep): string =>
  [does[act], what].filter((words) => words !== '').join(': ');
