/** What exams are made of: the parts that turns use, without anything that could carry a call out. */
import { createOllamaProvider } from '../../providers/ollama.ts';
import { Exams, type ExamsDeps } from './exams.ts';
import type { CacheTrackers } from '../cache-trackers.ts';
import type { HeadSource } from '../head-source.ts';
import type { ReadingRates } from '../reading-rates.ts';
import { createModelAbilities } from '../abilities.ts';
import type { Store } from '../../store/store.ts';

/** Its name in the ledger, where each request of the engine has an owner. */
const account = 'exam';

/** What prepares the GPU for turns steps aside for an exam. */
interface Preparation {
  pauseForTurn(): void;
  invalidateAfterSideCall(target: null): void;
}

interface ExamWire extends Pick<
  ExamsDeps,
  'gpu' | 'engine' | 'tools' | 'slots' | 'templates' | 'publish' | 'clock' | 'newId' | 'log'
> {
  store: Store;
  heads: HeadSource;
  trackers: CacheTrackers;
  rates: ReadingRates;
  warmer: Preparation;
}

export function wireExams({ store, heads, trackers, rates, warmer, ...parts }: ExamWire): Exams {
  return new Exams({
    ...parts,
    store,
    provider: createOllamaProvider(parts.clock),
    account: trackers.of(account),
    models: createModelAbilities(store),
    readingSpeed: (model) => rates.of(model),
    fresh: (profileId) => heads.fresh(profileId),
    onUsage: (usage) => rates.learn(usage),
    onBegin: () => warmer.pauseForTurn(),
    onEnd() {
      trackers.forget(account);
      warmer.invalidateAfterSideCall(null);
    },
    onInternalError: (error) => parts.log.error('A question of an exam failed inside Andiron', error),
  });
}
