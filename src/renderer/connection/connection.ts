/** One connection to `host` or `engine` that heals itself; calls and topics go through it. */
import type { EngineMethods } from '../../protocol/engine-methods.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { HostMethods } from '../../protocol/host-methods.ts';
import { createRpcClient, type RpcClient } from '../../protocol/rpc-client.ts';
import { TopicFollower, type Snapshot, type TopicSink } from '../../protocol/topic-follower.ts';
import { Refused, type Connect } from './transports.ts';

/**
 * `lost` = it was live, or could not be had; `refused` = somebody is there who does not know this window. Both are tried
 * again: another window may sign in for all of them.
 */
export type ConnectionState = 'connecting' | 'live' | 'lost' | 'refused';

export interface ConnectionClock {
  /** Calls back once after `ms`; returns the way to cancel. */
  after(ms: number, callback: () => void): () => void;
  /** In [0, 1). */
  random(): number;
}

const firstRetryMs = 250;
const lastRetryMs = 5000;

export class Connection<M extends HostMethods | EngineMethods> {
  readonly #connect: Connect;
  readonly #clock: ConnectionClock;
  readonly #followers = new Map<string, TopicFollower<Snapshot>>();
  readonly #stateListeners = new Set<(state: ConnectionState) => void>();
  #state: ConnectionState = 'connecting';
  #client: RpcClient<M> | undefined;
  #failures = 0;
  #attempt: AbortController | undefined;
  #cancelRetry: (() => void) | undefined;

  constructor(connect: Connect, clock: ConnectionClock) {
    this.#connect = connect;
    this.#clock = clock;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Rejects with AndironError; `disconnected` at once while there is no connection. */
  readonly call: RpcClient<M>['call'] = (name, params, signal) =>
    this.#client
      ? this.#client.call(name, params, signal)
      : Promise.reject(new AndironError('disconnected', 'There is no connection.'));

  onState(listener: (state: ConnectionState) => void): () => void {
    this.#stateListeners.add(listener);
    listener(this.#state);
    return () => this.#stateListeners.delete(listener);
  }

  /** Follows a topic until the returned function is called, across every reconnect. One follower per topic. */
  follow<S extends Snapshot>(topic: string, sink: TopicSink<S>): () => void {
    const follower = new TopicFollower(sink);
    this.#followers.set(topic, follower);
    if (this.#state === 'live') follower.restart();
    return () => {
      follower.stop();
      if (this.#followers.get(topic) === follower) this.#followers.delete(topic);
    };
  }

  start(): void {
    void this.#open();
  }

  /** Tries now instead of when the back-off ends: the page became visible, or the person asked. */
  retryNow(): void {
    if (!this.#cancelRetry) return;
    this.#cancelRetry();
    this.#cancelRetry = undefined;
    void this.#open();
  }

  close(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    this.#attempt?.abort();
    this.#attempt = undefined;
    const client = this.#client;
    this.#client = undefined;
    client?.close();
  }

  async #open(): Promise<void> {
    const attempt = new AbortController();
    this.#attempt = attempt;
    try {
      const transport = await this.#connect(attempt.signal);
      if (attempt.signal.aborted) transport.close();
      else this.#adopt(createRpcClient<M>(transport));
    } catch (error) {
      // No other reason is of use to a person; the state says that it is being tried again.
      if (!attempt.signal.aborted) this.#retryLater(error instanceof Refused ? 'refused' : 'lost');
    }
  }

  #adopt(client: RpcClient<M>): void {
    this.#client = client;
    client.onEvent((topic, seq, event) => this.#followers.get(topic)?.receive(seq, event));
    client.onClose(() => {
      if (this.#client !== client) return;
      this.#client = undefined;
      this.#retryLater('lost');
    });
    let greeted = false;
    client.onHello((epoch) => {
      this.#failures = 0;
      this.#setState('live');
      for (const follower of this.#followers.values()) {
        if (greeted) follower.onEpoch(epoch);
        else follower.restart();
      }
      greeted = true;
    });
  }

  #retryLater(state: 'lost' | 'refused'): void {
    this.#setState(state);
    const longest = Math.min(lastRetryMs, firstRetryMs * 2 ** this.#failures);
    this.#failures += 1;
    // Half fixed, half random: many windows of one lost host do not come back in step.
    this.#cancelRetry = this.#clock.after(longest * (0.5 + this.#clock.random() / 2), () => {
      this.#cancelRetry = undefined;
      void this.#open();
    });
  }

  #setState(state: ConnectionState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#stateListeners) listener(state);
  }
}
