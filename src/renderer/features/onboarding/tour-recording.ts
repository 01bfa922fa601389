/** The tour's chapters, found in what was recorded: `scripts/record-tour.ts` records it again. */
import type { SessionEvent } from '../../../protocol/events.ts';
import type { Recording } from './tour-player.ts';

export type TourChapter = 'asks' | 'plans' | 'ticks' | 'approves' | 'done' | 'stops';

/** How long the end stays in view. */
const restMs = 2_500;

/** Each chapter begins after the one before it. Throws when a chapter has no beginning in it. */
export function recordingOf(json: string): Recording<TourChapter> {
  const { begin, events } = JSON.parse(json) as Pick<Recording<TourChapter>, 'begin' | 'events'>;
  // What the session heard before the message was in it is nothing to look at.
  const recordedAt = events.find(({ event }) => event.type === 'item/started')?.at ?? 0;
  const endsAt = (events.at(-1)?.at ?? 0) - recordedAt;
  let from = 0;
  const begins = chapterStarts.map(([name, starts]) => {
    const first = events.find(({ event }, index) => index >= from && starts(event));
    if (!first) throw new Error(`The recording of the tour has no chapter "${name}". Record it again.`);
    from = events.indexOf(first) + 1;
    return { name, at: Math.max(0, first.at - recordedAt) };
  });
  // Its last moment is what a chapter was about.
  const chapters = begins.map((chapter, index) => ({
    ...chapter,
    shows: (begins[index + 1]?.at ?? endsAt + 1) - 1,
  }));
  return { begin, events, recordedAt, chapters, lengthMs: endsAt + restMs };
}

type Change = SessionEvent['event'];

const chapterStarts: readonly (readonly [TourChapter, (event: Change) => boolean])[] = [
  ['asks', () => true],
  ['plans', (event) => event.type === 'turn/phase' && event.phase === 'thinking'],
  ['ticks', (event) => event.type === 'tool/started'],
  ['approves', (event) => event.type === 'approval/requested'],
  ['done', (event) => event.type === 'approval/resolved'],
  ['stops', (event) => event.type === 'turn/queued'],
];
