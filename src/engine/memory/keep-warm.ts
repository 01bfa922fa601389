/**
 * Keeps the models that Andiron loaded in memory as the policy says. Renewals are loads of what is loaded,
 * sent while the model is idle only: `keep_alive` beside a running request can starve another program
 * (docs/engine.md, Keep-alive).
 */
import type { KeepAlive } from '../../ollama/api.ts';
import type { KeepAlivePolicy, LoadedModel } from '../../protocol/model.ts';
import type { EngineMethods } from '../../protocol/engine-methods.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import type { Facts } from '../base/engine-facts.ts';
import type { StateStore } from '../base/state.ts';
import type { PlanStore } from '../models/plan-store.ts';
import type { Leases } from '../leases/leases.ts';
import type { Loader } from './loader.ts';
import { keepAliveOf, type Ours } from './ours.ts';

/** Half of the ten minutes that a load gives. */
const renewBelowMs = 5 * 60_000;
/**
 * Under a lease the model may be busy, and then its expiry stands still; one that is about to expire has been idle
 * for nine minutes (a tool, an approval), and losing it would cost the turn its whole prefix.
 */
const renewUnderLeaseBelowMs = 60_000;
const foreverMs = 24 * 3_600_000;
/** Where the engine's clock is not ours, `expires_at` may stay in the past or the future: not again at every look. */
const renewAtMostEveryMs = 60_000;
/** `never`: time for the next request of the same session to follow. */
const gracePeriodMs = 10_000;

export type Care = 'renew' | 'unload' | 'leave';

export interface CareFacts {
  policy: KeepAlivePolicy;
  /** Until `expires_at`. */
  remainingMs: number;
  /** A lease is held on this model. */
  leased: boolean;
  /** Since the last lease on it ended; Infinity when there was none. */
  idleMs: number;
  /** Ollama was last told another time than the policy says now. */
  outdated: boolean;
  /** Somebody is connected: windows or the host. */
  open: boolean;
}

/** What one resident model of ours needs now. */
export function careFor(facts: CareFacts): Care {
  const { policy, remainingMs, leased, idleMs, outdated, open } = facts;
  // Past its time it is busy: an idle one would be gone.
  if (remainingMs <= 0 || !open) return 'leave';
  if (leased) return remainingMs < renewUnderLeaseBelowMs ? 'renew' : 'leave';
  if (outdated && policy !== 'never') return 'renew';
  switch (policy) {
    case 'while_open':
      return remainingMs < renewBelowMs || remainingMs > foreverMs ? 'renew' : 'leave';
    case 'minutes':
      // Its own time runs from the end of each request.
      return 'leave';
    case 'always':
      return remainingMs < foreverMs ? 'renew' : 'leave';
    case 'never':
      return idleMs >= gracePeriodMs && idleMs < Infinity ? 'unload' : 'leave';
  }
}

export interface KeepWarmOptions {
  facts: Facts;
  plans: Pick<PlanStore, 'setKeepAlive'>;
  loader: Pick<Loader, 'renew'>;
  ours: Ours;
  leases: Pick<Leases, 'isIdle' | 'unload'>;
  /** Somebody is connected: windows or the host. */
  isConnected: () => boolean;
}

/** Tends what is loaded after each reading of `/api/ps`. */
export function createKeepWarm(
  { clock, log }: Pick<EngineDeps, 'clock' | 'log'>,
  state: StateStore,
  options: KeepWarmOptions,
): Pick<Handlers<EngineMethods>, 'engine/set-keep-alive'> {
  const { loader, leases, ours, facts, plans } = options;
  const usedUntil = new Map<string, number>();
  const renewedAt = new Map<string, number>();
  let tending = false;

  const care = (model: LoadedModel, sent: KeepAlive): Care => {
    const expires = Date.parse(model.expiresAt);
    const { keepAlive, keepMinutes, lease } = state.current();
    return careFor({
      policy: keepAlive,
      remainingMs: Number.isNaN(expires) ? Infinity : expires - clock.now(),
      leased: lease !== null && lease.model === model.name,
      idleMs: clock.monotonic() - (usedUntil.get(model.name) ?? -Infinity),
      outdated: sent !== keepAliveOf(keepAlive, keepMinutes),
      open: options.isConnected(),
    });
  };

  const tendAll = async (): Promise<void> => {
    for (const name of usedUntil.keys()) if (!ours.has(name)) usedUntil.delete(name);
    for (const model of state.current().loaded) {
      const sent = ours.get(model.name)?.keepAlive;
      if (!leases.isIdle() || sent === undefined) continue;
      const needed = care(model, sent);
      try {
        if (needed === 'renew') await renew(model.name);
        else if (needed === 'unload') await leases.unload(model.name);
      } catch (error) {
        log.warn('a model could not be kept as wished', { model: model.name, needed, reason: String(error) });
      }
    }
  };

  const renew = async (name: string): Promise<void> => {
    const now = clock.monotonic();
    if (now - (renewedAt.get(name) ?? -Infinity) < renewAtMostEveryMs) return;
    renewedAt.set(name, now);
    await loader.renew(name);
  };

  /** Does nothing while the last call is still at work. */
  const tend = (): void => {
    if (tending) return;
    tending = true;
    void tendAll().finally(() => (tending = false));
  };

  facts.on('residency/read', tend);
  facts.on('lease/ended', ({ model }) => {
    usedUntil.set(model, clock.monotonic());
    if (state.current().keepAlive === 'never') clock.after(gracePeriodMs, tend);
  });

  return {
    'engine/set-keep-alive'({ policy, minutes }) {
      plans.setKeepAlive(policy, minutes);
      state.update({ keepAlive: policy, ...(minutes !== undefined && { keepMinutes: minutes }) });
      renewedAt.clear();
      // Who chooses `never` wants the memory now, also from what nobody has used yet.
      for (const name of ours.keys())
        if (!usedUntil.has(name)) usedUntil.set(name, clock.monotonic() - gracePeriodMs);
      tend();
      return {};
    },
  };
}
