/** A row of the usage log, of what a provider has counted. */
import type { Clock, NewId } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { ownerId } from '../../protocol/principal.ts';
import type { RequestPurpose, UsageEntry } from '../../protocol/usage-methods.ts';
import type { CountedRequest, CountRequest, MeteredProvider } from '../providers/provider.ts';
import type { Store } from '../store/store.ts';
import type { BookedEntry } from '../store/usage-log.ts';

export function toUsageEntry(
  request: CountedRequest,
  place: Pick<UsageEntry, 'sessionId' | 'turnId'>,
  { store, clock, newId }: { store: Pick<Store, 'speakerOf'>; clock: Clock; newId: NewId },
): BookedEntry {
  // What is asked in no session is Andiron's own, and so the owner's.
  const userId = (place.sessionId === null ? null : store.speakerOf(place.sessionId)) ?? ownerId;
  return { ...request, ...place, id: newId('use_'), userId, at: clock.now() };
}

interface BesideTurns {
  store: Pick<Store, 'addUsage' | 'speakerOf'>;
  metered: (count: CountRequest) => MeteredProvider;
  clock: Clock;
  newId: NewId;
  log: Log;
}

/** For what is asked outside of turns: stored at once. A disk that fails costs the row alone. */
export function countBesideTurns({ store, metered, ...parts }: BesideTurns) {
  const count = (request: CountedRequest, sessionId: string | null): void => {
    try {
      store.addUsage(toUsageEntry(request, { sessionId, turnId: null }, { store, ...parts }));
    } catch (error) {
      parts.log.error('A request could not be counted', error, { model: request.model });
    }
  };
  return {
    count,
    /** All that it is asked is counted for this, in no session. */
    providerFor: (purpose: RequestPurpose): MeteredProvider =>
      metered((request) => count({ ...request, purpose }, null)),
  };
}
