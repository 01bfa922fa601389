/** Where all requests meet that read a prompt: each is counted once, whatever becomes of it. */
import { guessTokens } from '../../rules/token-guess.ts';
import type { Cost } from '../../protocol/usage-methods.ts';
import type { CountedRequest, CountRequest, MeteredProvider, ModelRequest, Provider } from './provider.ts';

export type Figures = Pick<CountedRequest, 'inputTokens' | 'cachedTokens' | 'outputTokens'>;

/** Of a model that may be priced by any of these names; null = unknown. */
type CostOf = (names: readonly string[], figures: Figures) => Cost | null;

const uncounted: Figures = { inputTokens: null, cachedTokens: null, outputTokens: null };

function sizeOf({ head, messages }: ModelRequest): number {
  const texts = messages.map(({ content }) => content);
  return [head.system, JSON.stringify(head.tools), ...texts].reduce((sum, text) => sum + text.length, 0);
}

/**
 * A request that was refused before a model saw it is not counted: nothing was read for it.
 * `assertAllowed` throws before each request that may not be made any more.
 */
export function createMeter(provider: Provider, costOf: CostOf) {
  return (count: CountRequest, assertAllowed: () => void = () => undefined): MeteredProvider => ({
    isMetered: true,
    async *stream(request, signal) {
      assertAllowed();
      const { purpose } = request;
      const isSent = !signal.aborted;
      let { model } = request;
      let isOpen = false;
      let isDone = false;
      let written = 0;
      try {
        for await (const event of provider.stream(request, signal)) {
          isOpen = true;
          if (event.type === 'text' || event.type === 'thinking') written += event.text.length;
          if (event.type === 'opened' || event.type === 'done') model = event.model ?? model;
          if (event.type === 'done') {
            isDone = true;
            const { promptTokens: inputTokens, cachedTokens, outputTokens } = event.counters;
            const figures = { inputTokens, cachedTokens, outputTokens };
            count({
              purpose,
              model,
              ended: 'answered',
              ...figures,
              cost: costOf([model, event.asked ?? model], figures),
            });
          }
          yield event;
        }
      } finally {
        if (!isDone && isSent && (isOpen || signal.aborted)) {
          const ended = signal.aborted ? 'stopped' : 'failed';
          const assumed = { inputTokens: guessTokens(sizeOf(request)), outputTokens: guessTokens(written) };
          // An engine that breaks off is nobody's fault.
          const unpaid = ended === 'stopped' && { assumed };
          count({ purpose, model, ended, ...uncounted, cost: null, ...unpaid });
        }
      }
    },
  });
}
