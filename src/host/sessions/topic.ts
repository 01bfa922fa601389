/** One numbered stream of events and those who follow it: subscribe = snapshot + seq (design 3). */
import type { Connection } from '../../protocol/rpc-server.ts';

export interface Topic {
  /** The number of the last event. */
  seq(): number;
  follow(connection: Connection): void;
  leave(connection: Connection): void;
  isFollowed(): boolean;
  /** `make` gets the event's number and returns what is sent. */
  publish(make: (seq: number) => unknown): void;
}

export function createTopic(name: string): Topic {
  const followers = new Set<Connection>();
  let seq = 0;
  return {
    seq: () => seq,
    follow(connection) {
      if (followers.has(connection)) return;
      followers.add(connection);
      connection.onClose(() => followers.delete(connection));
    },
    leave(connection) {
      followers.delete(connection);
    },
    isFollowed: () => followers.size > 0,
    publish(make) {
      seq += 1;
      const event = make(seq);
      for (const follower of followers) follower.publish(name, seq, event);
    },
  };
}
