/** What exams are made of: the parts that turns use, without anything that could carry a call out. */
import { createOllamaProvider } from './providers/ollama.ts';
import { Exams, type ExamsDeps } from './exam/exams.ts';
import type { Accounts } from './sessions/accounts.ts';
import type { HeadSource } from './sessions/head-source.ts';
import type { ReadingRates } from './sessions/reading-rates.ts';
import { createModelKnowledge } from './sessions/model-knowledge.ts';
import type { PrefixWarmer } from './sessions/warm/warmer.ts';
import type { Store } from './store/store.ts';

/** Its name in the ledger, where each request of the engine has an owner. */
const account = 'exam';

interface ExamWire extends Pick<
  ExamsDeps,
  'gpu' | 'engine' | 'tools' | 'slots' | 'templates' | 'publish' | 'clock' | 'newId' | 'log'
> {
  store: Store;
  heads: HeadSource;
  accounts: Accounts;
  rates: ReadingRates;
  warmer: PrefixWarmer;
}

export function wireExams({ store, heads, accounts, rates, warmer, ...parts }: ExamWire): Exams {
  return new Exams({
    ...parts,
    store,
    provider: createOllamaProvider(parts.clock),
    account: accounts.of(account),
    models: createModelKnowledge(store),
    readingSpeed: (model) => rates.of(model),
    fresh: (profileId) => heads.fresh(profileId),
    onUsage: (usage) => rates.learn(usage),
    onBegin: () => warmer.pauseForTurn(),
    onEnd() {
      accounts.forget(account);
      warmer.invalidateAfterSideCall(null);
    },
    onInternalError: (error) => parts.log.error('A question of an exam failed inside Andiron', error),
  });
}
