/** What first meetings are made of: the parts that turns use, without anything that could carry a call out. */
import type { RequestPurpose } from '../../protocol/usage-methods.ts';
import type { MeteredProvider } from '../providers/provider.ts';
import { ownTrackers } from './cache-trackers.ts';
import type { Models } from './create-models.ts';
import { FirstMeetings, type FirstMeetingsDeps } from './first-meeting.ts';

interface MeetingWire extends Pick<
  FirstMeetingsDeps,
  'gpu' | 'engine' | 'tools' | 'clock' | 'newId' | 'log' | 'mayBeMet'
> {
  counts: { providerFor(purpose: RequestPurpose): MeteredProvider };
  models: Models;
  /** What prepares the GPU for turns steps aside. */
  warmer: { pauseForTurn(): void; invalidateAfterSideCall(target: null): void };
}

export function wireFirstMeetings({ counts, models, warmer, ...parts }: MeetingWire): FirstMeetings {
  const { abilities, rates, slots, templates, trackers } = models;
  return new FirstMeetings({
    ...parts,
    abilities,
    models: abilities,
    provider: counts.providerFor('meeting'),
    tracker: trackers.of(ownTrackers.meeting),
    slots,
    templates,
    readingSpeed: (model) => rates.of(model),
    onUsage: (usage) => rates.learn(usage),
    onBegin: () => warmer.pauseForTurn(),
    onEnd() {
      trackers.forget(ownTrackers.meeting);
      warmer.invalidateAfterSideCall(null);
    },
    onInternalError: (error) => parts.log.error('A question of a first meeting failed inside Andiron', error),
  });
}
