/** One numbered stream of events and those who follow it: subscribe = snapshot + seq. */
import type { Connection } from '../../protocol/rpc-server.ts';

export type Topic = ReturnType<typeof createTopic>;

/**
 * @param onUnfollowed the last follower left, or its connection was lost
 * @param numbers of the newest event; of a topic that was here before, where it left off
 */
export function createTopic(
  name: string,
  onUnfollowed: () => void = () => undefined,
  numbers: { seq: number } = { seq: 0 },
) {
  const followers = new Set<Connection>();
  /** A connection that comes and goes is watched once. */
  const watched = new WeakSet<Connection>();
  const leave = (connection: Connection): void => {
    if (followers.delete(connection) && followers.size === 0) onUnfollowed();
  };
  const topic = {
    /** The number of the last event. */
    seq: (): number => numbers.seq,
    isFollowed: (): boolean => followers.size > 0,
    follow(connection: Connection): void {
      followers.add(connection);
      if (watched.has(connection)) return;
      watched.add(connection);
      leaveAtClose(new WeakRef(topic), connection);
    },
    leave,
    /** `make` gets the event's number and returns what is sent. */
    publish(make: (seq: number) => unknown): void {
      const seq = (numbers.seq += 1);
      const event = make(seq);
      for (const follower of followers) follower.publish(name, seq, event);
    },
  };
  return topic;
}

/** A window stays for weeks: it keeps no topic that it followed once. */
function leaveAtClose(
  topic: WeakRef<{ leave: (connection: Connection) => void }>,
  connection: Connection,
): void {
  connection.onClose(() => topic.deref()?.leave(connection));
}
