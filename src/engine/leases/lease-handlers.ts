/** What windows and the host may ask about loads and leases: each answer is made where it belongs. */
import type { EngineMethods } from '../../protocol/engine-methods.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { Planner } from '../memory/planner.ts';
import type { Prices } from '../memory/load-price.ts';
import type { Leases } from './leases.ts';
import type { Lending } from './lending.ts';

type Answered =
  | Extract<keyof EngineMethods, `lease/${string}`>
  | 'model/preload'
  | 'model/unload'
  | 'model/price'
  | 'model/cancel-load'
  | 'model/report-prefill'
  | 'engine/lend'
  | 'engine/take-back';

export function leaseHandlers(
  leases: Leases,
  lending: Lending,
  prices: Prices,
  planner: Pick<Planner, 'learnPrefill'>,
): Pick<Handlers<EngineMethods>, Answered> {
  return {
    'lease/acquire': (params, { connection, signal }) => leases.acquire(params, connection, signal),
    'lease/regain': ({ leaseId }, { signal }) => leases.reacquire(leaseId, signal),
    'lease/cure': ({ leaseId }, { signal }) => leases.recoverSlot(leaseId, signal),
    async 'lease/wanted'({ leaseId }, { signal }) {
      return { by: await leases.waitForPreemption(leaseId, signal) };
    },
    'lease/release'({ leaseId, failed = false }) {
      leases.release(leaseId, failed);
      return {};
    },
    async 'model/preload'({ model, contextTokens }, { signal }) {
      await leases.preload(model, contextTokens, signal);
      return {};
    },
    async 'model/unload'({ model }) {
      await leases.unload(model);
      return {};
    },
    'model/price': ({ model, contextTokens }) => prices.priceOf(model, contextTokens),
    'model/cancel-load'() {
      leases.cancelLoad();
      return {};
    },
    'model/report-prefill'({ model, ...measured }) {
      planner.learnPrefill(model, measured);
      return {};
    },
    async 'engine/lend'() {
      await lending.releaseGpu();
      return {};
    },
    async 'engine/take-back'(_, { signal }) {
      await lending.reclaimGpu(signal);
      return {};
    },
  };
}
