/** What is said on the socket of a session: as the host tells it, without the folders of this machine. */
import { z } from 'zod';
import type { SessionEvent } from '../protocol/events.ts';
import type { Item, SessionSnapshot, Turn } from '../protocol/model.ts';
import type { ProgramSession } from '../protocol/program-methods.ts';
import { fileForm, sessionForm, type SessionForm } from './program-form.ts';

export const signInFrameSchema = z.strictObject({
  type: z.literal('sign-in'),
  token: z.string().max(200),
  /** As the last frame said; both or none. */
  epoch: z.string().max(200).optional(),
  after: z.number().int().nonnegative().optional(),
});

interface EventFrame {
  type: 'event';
  seq: number;
  at: number;
  /** null = it belongs to the session. */
  turn_id: string | null;
  event: object;
}

export type FeedFrame =
  | EventFrame
  | { type: 'resumed'; epoch: string; seq: number }
  | {
      type: 'snapshot';
      epoch: string;
      seq: number;
      session: SessionForm;
      turns: object[];
      items: Item[];
      has_older: boolean;
    };

const turnForm = ({ files, ...turn }: Turn): object => ({
  ...turn,
  ...(files && { files: files.map(fileForm) }),
});

export const snapshotFrame = (
  session: ProgramSession,
  { epoch, seq, snapshot }: { epoch: string; seq: number; snapshot: SessionSnapshot },
): FeedFrame => ({
  type: 'snapshot',
  epoch,
  seq,
  session: sessionForm(session),
  turns: snapshot.turns.map(turnForm),
  items: snapshot.items,
  has_older: snapshot.hasOlder,
});

export function eventFrame({ seq, at, turnId, event }: SessionEvent): EventFrame {
  return { type: 'event', seq, at, turn_id: turnId, event: eventForm(event) };
}

function eventForm(event: SessionEvent['event']): object {
  if (event.type === 'files/added') return { ...event, files: event.files.map(fileForm) };
  if (event.type === 'turn/queued') return { ...event, turn: turnForm(event.turn) };
  if (event.type !== 'session/changed') return event;
  const { place, ...session } = event.session;
  return { type: event.type, session: sessionForm({ ...session, thread: place?.thread ?? '' }) };
}
