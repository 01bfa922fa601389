import type { PricingContext } from '../../rules/price.ts';
import type { Target } from './derive.ts';
import { useEngine, useSession } from './stores.ts';
import { useTarget } from './use-target.ts';

export interface SessionPricing extends PricingContext {
  target: Target;
}

/** The open session, or the one about to be made: who would pay for a change. */
export function usePricing(): SessionPricing {
  const target = useTarget();
  const last = useSession((session) =>
    session.state?.turns.findLast((turn) => turn.usage.length > 0)?.usage.at(-1),
  );
  const asked = useSession(
    (session) => session.state?.turns.some((turn) => turn.status !== 'queued') ?? false,
  );
  const usedTokens = useSession((session) => session.state?.context?.usedTokens ?? null);
  const engine = useEngine((state) => state.engine);
  return { target, engine, asked, last: last ?? null, usedTokens };
}
