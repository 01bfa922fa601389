/** What is asked of a model once, to work out its size from. */
import type { ModelInfo } from '../../protocol/model.ts';
import { ask } from '../base/ask.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import { pause } from '../base/timing.ts';
import type { DescribeModel } from './describe-model.ts';
import type { FitStore } from './fit-store.ts';
import type { ModelNumbers } from './numbers.ts';

export interface AskNumbersOptions {
  /** Where Ollama answers now; null = nowhere. */
  url: () => string | null;
  store: Pick<FitStore, 'numbers' | 'setNumbers'>;
  describe: DescribeModel;
}

/** The answer is megabytes long. */
const describeMs = 30_000;
/** One that could not be described is not asked again before that. */
const retryMs = 60_000;
const maxWaitMs = 3_000;

/** null = the model says nothing that helps, or not in time: then the next question may have it. Never rejects. */
export function createAskNumbers(
  { clock, log }: Pick<EngineDeps, 'clock' | 'log'>,
  options: AskNumbersOptions,
): (model: ModelInfo) => Promise<ModelNumbers | null> {
  const { store } = options;
  const asking = new Map<string, Promise<ModelNumbers | null>>();
  /** When a model may be asked again that told nothing. */
  const silentUntil = new Map<string, number>();

  const describe = async (model: ModelInfo): Promise<ModelNumbers | null> => {
    const url = options.url();
    if (url === null || clock.monotonic() < (silentUntil.get(model.digest) ?? 0)) return null;
    try {
      const numbers = await ask(clock, describeMs, (signal) => options.describe(url, model.name, signal));
      if (numbers) store.setNumbers(model.digest, numbers);
      else silentUntil.set(model.digest, Infinity);
      return numbers;
    } catch (error) {
      silentUntil.set(model.digest, clock.monotonic() + retryMs);
      log.warn('the shape of a model could not be read', { model: model.name, reason: String(error) });
      return null;
    }
  };

  /** Once for each model, however many ask at the same time. */
  const numbersOf = (model: ModelInfo): Promise<ModelNumbers | null> => {
    const known = store.numbers(model.digest);
    if (known) return Promise.resolve(known);
    const before = asking.get(model.digest);
    if (before) return before;
    const answer = describe(model).finally(() => asking.delete(model.digest));
    asking.set(model.digest, answer);
    return answer;
  };

  /** Somebody waits for the answer, so it is not awaited long. */
  return async (model) => {
    const answered = new AbortController();
    try {
      const late = pause(clock, maxWaitMs, answered.signal).then(() => null);
      return await Promise.race([numbersOf(model), late]);
    } finally {
      answered.abort();
    }
  };
}
