/** One numbered stream of events and those who follow it: subscribe = snapshot + seq. */
import type { Connection } from '../../protocol/rpc-server.ts';

export type Topic = ReturnType<typeof createTopic>;

/** @param onUnfollowed the last follower left, or its connection was lost */
export function createTopic(name: string, onUnfollowed: () => void = () => undefined) {
  const followers = new Set<Connection>();
  /** A connection that comes and goes is watched once. */
  const watched = new WeakSet<Connection>();
  let seq = 0;
  const leave = (connection: Connection): void => {
    if (followers.delete(connection) && followers.size === 0) onUnfollowed();
  };
  return {
    /** The number of the last event. */
    seq: (): number => seq,
    follow(connection: Connection): void {
      followers.add(connection);
      if (watched.has(connection)) return;
      watched.add(connection);
      connection.onClose(() => leave(connection));
    },
    leave,
    /** `make` gets the event's number and returns what is sent. */
    publish(make: (seq: number) => unknown): void {
      seq += 1;
      const event = make(seq);
      for (const follower of followers) follower.publish(name, seq, event);
    },
  };
}
