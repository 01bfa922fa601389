/**
 * One GPU for a run and its subagent: leases are serial, and the parent holds one while its tools run. A subagent on the
 * same model works with that lease. For another model the parent's ends first; it is taken anew before the parent's next
 * request (`followProfile`).
 */
import { contextWindow } from '../../rules/context-window.ts';
import type { EngineAccess, Lease, LeaseRequest } from '../loop/deps.ts';
import type { Run } from '../loop/ports.ts';

export function engineOf(parent: Run): EngineAccess {
  const { engine } = parent.model;
  return {
    chooseModel: (...choice) => engine.chooseModel(...choice),
    residency: (model) => engine.residency(model),
    slots: (model) => engine.slots(model),
    async acquire(request, onWait, signal) {
      const lease = heldBy(parent);
      if (lease && serves(lease, request)) return borrowed(lease, parent);
      signal.throwIfAborted();
      giveUp(parent);
      return engine.acquire(request, onWait, signal);
    },
  };
}

function heldBy({ setting }: Run): Lease | undefined {
  return setting.away ? undefined : setting.lease;
}

function serves({ model, plan }: Lease, request: LeaseRequest): boolean {
  const wish = { tokens: request.contextTokens, trained: model.trainedContext };
  return model.name === request.model && contextWindow(wish).tokens <= plan.options.num_ctx;
}

/** Never released by who borrowed it. What reacquiring brings is the parent's from then on. */
function borrowed(lease: Lease, parent: Run): Lease {
  return {
    ...lease,
    async reacquire(onWait, signal) {
      const reacquired = await lease.reacquire(onWait, signal);
      parent.setting = { ...parent.setting, lease: reacquired.lease };
      return { ...reacquired, lease: borrowed(reacquired.lease, parent) };
    },
    release: () => undefined,
  };
}

function giveUp(parent: Run): void {
  const { setting } = parent;
  if (setting.away) return;
  setting.lease.release(false);
  parent.setting = { ...setting, lease: { ...setting.lease, release: () => undefined }, away: true };
}
