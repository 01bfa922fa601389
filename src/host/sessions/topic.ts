/** One numbered stream of events and those who follow it: subscribe = snapshot + seq. */
import type { Connection } from '../../protocol/rpc-server.ts';

export interface Topic {
  /** The number of the last event. */
  seq(): number;
  follow(connection: Connection): void;
  leave(connection: Connection): void;
  /** `make` gets the event's number and returns what is sent. */
  publish(make: (seq: number) => unknown): void;
}

/** @param onUnfollowed the last follower left, or its connection was lost */
export function createTopic(name: string, onUnfollowed: () => void = () => undefined): Topic {
  const followers = new Set<Connection>();
  /** A connection that comes and goes is watched once. */
  const watched = new WeakSet<Connection>();
  let seq = 0;
  const leave = (connection: Connection): void => {
    if (followers.delete(connection) && followers.size === 0) onUnfollowed();
  };
  return {
    seq: () => seq,
    follow(connection) {
      followers.add(connection);
      if (watched.has(connection)) return;
      watched.add(connection);
      connection.onClose(() => leave(connection));
    },
    leave,
    publish(make) {
      seq += 1;
      const event = make(seq);
      for (const follower of followers) follower.publish(name, seq, event);
    },
  };
}
