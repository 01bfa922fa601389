/** The plan that waits for the person, where a session only plans. Pure. */
import type { ItemOf, SessionSnapshot } from '../protocol/model.ts';

/** The newest that was proposed, as long as nobody carries it out. null = none waits. */
export function waitingPlan({
  turns,
  items,
}: Pick<SessionSnapshot, 'turns' | 'items'>): ItemOf<'plan'> | null {
  const replaced = new Set(turns.filter((turn) => turn.replaced).map(({ id }) => id));
  const plan = items.findLast(
    (item) => item.kind === 'plan' && item.proposed === true && !replaced.has(item.turnId),
  );
  if (plan?.kind !== 'plan' || plan.completedAt === null || plan.steps.length === 0) return null;
  const isTaken = turns.some((turn) => turn.plan?.itemId === plan.id && !turn.replaced);
  return isTaken ? null : plan;
}
