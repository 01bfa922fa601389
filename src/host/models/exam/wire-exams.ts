/** What exams are made of: the parts that turns use, without anything that could carry a call out. */
import type { RequestPurpose } from '../../../protocol/usage-methods.ts';
import type { MeteredProvider } from '../../providers/provider.ts';
import { ownTrackers } from '../cache-trackers.ts';
import { Exams, type ExamsDeps } from './exams.ts';
import type { Models } from '../create-models.ts';
import type { Store } from '../../store/store.ts';

/** What prepares the GPU for turns steps aside for an exam. */
interface Preparation {
  pauseForTurn(): void;
  invalidateAfterSideCall(target: null): void;
}

interface ExamWire extends Pick<ExamsDeps, 'gpu' | 'engine' | 'tools' | 'clock' | 'newId' | 'log'> {
  counts: { providerFor(purpose: RequestPurpose): MeteredProvider };
  store: Store;
  models: Models;
  warmer: Preparation;
  sessions: Pick<ExamsDeps, 'publish'>;
}

export function wireExams({ counts, store, models, warmer, sessions, ...parts }: ExamWire): Exams {
  const { abilities, heads, rates, slots, templates, trackers } = models;
  return new Exams({
    ...parts,
    store,
    publish: (change) => sessions.publish(change),
    provider: counts.providerFor('exam'),
    tracker: trackers.of(ownTrackers.exam),
    models: abilities,
    slots,
    templates,
    readingSpeed: (model) => rates.of(model),
    fresh: (profileId) => heads.fresh(profileId),
    onUsage: (usage) => rates.learn(usage),
    onBegin: () => warmer.pauseForTurn(),
    onEnd() {
      trackers.forget(ownTrackers.exam);
      warmer.invalidateAfterSideCall(null);
    },
    onInternalError: (error) => parts.log.error('A question of an exam failed inside Andiron', error),
  });
}
