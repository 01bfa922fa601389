/** The events of one session for all sockets of one token, and those of the last minute for whoever comes back. */
import type { HostRpc } from '../cli/host-rpc.ts';
import type { Clock, Timer } from '../platform/clock.ts';
import type { SessionEvent } from '../protocol/events.ts';
import { sessionTopic } from '../protocol/frames.ts';
import { eventFrame, snapshotFrame, type FeedFrame } from './feed-form.ts';

const maxKeptLength = 4 * 1024 * 1024;
/** A feed that nobody reads is kept this long, so that a lost connection costs no snapshot. */
const idleMs = 60_000;

/** Where a reader was: events up to `after` are known, if the host is still the one of `epoch`. */
export interface FeedPosition {
  epoch: string;
  after: number;
}

export interface Reader {
  /** JSON of a FeedFrame. */
  send(frame: string): void;
  /** The feed has ended: the token was revoked, or Andiron has gone. */
  onEnd(): void;
}

export interface SessionFeed {
  /** Resolves when the reader has been sent the first frames. Rejects where the session is not the token's. */
  join(reader: Reader, position: FeedPosition | null): Promise<void>;
  leave(reader: Reader): void;
  close(): void;
}

export interface SessionFeedDeps {
  /** Signed in with the token; closed with the feed. */
  rpc: HostRpc;
  sessionId: string;
  clock: Pick<Clock, 'after'>;
  onClose: () => void;
}

export function createSessionFeed({ rpc, sessionId, clock, onClose }: SessionFeedDeps): SessionFeed {
  const readers = new Set<Reader>();
  /** The newest ones in their order, without a gap. */
  const kept: { seq: number; text: string }[] = [];
  let keptLength = 0;
  let epoch = '';
  let lastSeq = 0;
  let idle: Timer | undefined;

  const waitForReaders = (): void => {
    idle?.cancel();
    idle = readers.size === 0 ? clock.after(idleMs, () => rpc.close()) : undefined;
  };

  rpc.onEvent((topic, seq, event) => {
    if (topic !== sessionTopic(sessionId)) return;
    const text = JSON.stringify(eventFrame(event as SessionEvent));
    lastSeq = seq;
    kept.push({ seq, text });
    keptLength += text.length;
    while (keptLength > maxKeptLength) keptLength -= kept.shift()?.text.length ?? keptLength;
    for (const reader of readers) reader.send(text);
  });
  rpc.onClose(() => {
    idle?.cancel();
    onClose();
    for (const reader of readers) reader.onEnd();
    readers.clear();
  });
  waitForReaders();

  const isKept = (position: FeedPosition): boolean =>
    position.epoch === epoch &&
    position.after <= lastSeq &&
    position.after >= (kept[0]?.seq ?? lastSeq + 1) - 1;

  return {
    async join(reader, position) {
      let from: number;
      if (position && isKept(position)) {
        from = position.after;
        send(reader, { type: 'resumed', epoch, seq: from });
      } else {
        const [{ session }, subscribed] = await Promise.all([
          rpc.call('program/session', { sessionId }),
          rpc.call('session/subscribe', { sessionId }),
        ]);
        ({ epoch, seq: from } = subscribed);
        lastSeq = Math.max(lastSeq, from);
        send(reader, snapshotFrame(session, subscribed));
      }
      for (const { seq, text } of kept) if (seq > from) reader.send(text);
      readers.add(reader);
      waitForReaders();
    },
    leave(reader) {
      if (readers.delete(reader)) waitForReaders();
    },
    close: () => rpc.close(),
  };
}

const send = (reader: Reader, frame: FeedFrame): void => reader.send(JSON.stringify(frame));
