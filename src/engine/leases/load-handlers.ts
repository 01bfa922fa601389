/** What windows and the host may ask about loads: each answer is made where it belongs. */
import type { EngineMethods } from '../../protocol/engine-methods.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { Loader } from '../memory/loader.ts';
import type { Prices } from '../memory/price.ts';
import type { Leases } from './leases.ts';
import type { Lending } from './lending.ts';

type Answered =
  | 'model/price'
  | 'model/cancel-load'
  | 'engine/lend'
  | 'engine/take-back'
  | 'lease/wanted'
  | 'model/report-prefill';

export function createLoadHandlers(parts: {
  leases: Leases;
  lending: Lending;
  prices: Prices;
  loader: Pick<Loader, 'learnPrefill'>;
}): Pick<Handlers<EngineMethods>, Answered> {
  const { leases, lending, prices, loader } = parts;
  return {
    'model/price': ({ model, contextTokens }) => prices.priceOf(model, contextTokens),
    'model/cancel-load'() {
      leases.cancelLoad();
      return {};
    },
    async 'engine/lend'() {
      await lending.lend();
      return {};
    },
    async 'engine/take-back'(_, { signal }) {
      await lending.takeBack(signal);
      return {};
    },
    async 'lease/wanted'({ leaseId }, { signal }) {
      return { by: await leases.wanted(leaseId, signal) };
    },
    'model/report-prefill'({ model, ...measured }) {
      loader.learnPrefill(model, measured);
      return {};
    },
  };
}
