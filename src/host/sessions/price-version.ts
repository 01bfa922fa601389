/** What another version of a turn would cost, before it is asked for. */
import type { VersionPrice } from '../../protocol/host-methods.ts';
import { countExamples } from '../loop/opening/examples.ts';
import type { CacheTrackers } from '../models/cache-trackers.ts';
import type { ReadingRates } from '../models/reading-rates.ts';
import type { ContextMessage } from '../providers/provider.ts';
import type { SessionLog } from './context-log.ts';

interface PriceDeps {
  trackers: Pick<CacheTrackers, 'predictWith'>;
  rates: Pick<ReadingRates, 'of'>;
}

/**
 * The prompt goes back to where the message of this turn begins; what the engine cannot keep of it is read again. null
 * where the turn is summarised or replaced by now, or nothing was asked since Andiron started.
 *
 * @param text of the new message; undefined = the same again
 */
export function priceVersion(
  session: { id: string; log: Pick<SessionLog, 'owned'> },
  turnId: string,
  text: string | undefined,
  { trackers, rates }: PriceDeps,
): VersionPrice | null {
  const place = session.log.owned().findIndex((owned) => owned.turnId === turnId);
  if (place === -1) return null;
  const priced = trackers.predictWith(session.id, (sent) => backTo(place, text, sent));
  if (!priced) return null;
  const { model, cached, reread } = priced;
  const ms = reread === 0 ? 0 : rates.of(model).predictMs({ tokens: reread, depth: cached });
  return { model, rereadTokens: reread, ms };
}

/** Worked examples may stand in front of the log. */
function backTo(
  place: number,
  text: string | undefined,
  sent: readonly ContextMessage[],
): readonly ContextMessage[] | null {
  const lead = countExamples(sent);
  const message = sent[lead + place];
  if (message?.role !== 'user') return null;
  const next = text === undefined ? message : { ...message, content: text };
  return [...sent.slice(0, lead + place), next];
}
