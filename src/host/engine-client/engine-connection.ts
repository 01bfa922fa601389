/** The one connection to the engine, replaced when its process restarts, and its state as last told. */
import type { Clock, NewId } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { EngineMethods } from '../../protocol/engine-methods.ts';
import type { cureMethods, monitorMethods } from '../../protocol/engine-room-methods.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { EngineEvent } from '../../protocol/events.ts';
import type { EngineState } from '../../protocol/model.ts';
import { createRpcClient, type RpcClient } from '../../protocol/rpc-client.ts';
import { TopicFollower, type Snapshot } from '../../protocol/topic-follower.ts';
import type { Transport } from '../../protocol/transport.ts';

type Methods = EngineMethods & typeof monitorMethods & typeof cureMethods;
export type EngineRpc = RpcClient<Methods>;

/** What is not known after this is given as unknown. */
const answerMs = 2_000;

export class EngineConnection {
  protected readonly log: Log;
  protected readonly newId: NewId;
  readonly #clock: Clock;
  readonly #watchers = new Set<() => void>();
  #rpc: EngineRpc | undefined;
  #follower: TopicFollower<Snapshot & { state: EngineState }> | undefined;
  #state: EngineState | undefined;

  constructor({ clock, newId, log }: { clock: Clock; newId: NewId; log: Log }) {
    this.#clock = clock;
    this.log = log;
    this.newId = newId;
  }

  /** Replaces the connection, as after a restart of the engine's process. */
  attach(transport: Transport): void {
    const rpc = createRpcClient<Methods>(transport);
    this.#rpc = rpc;
    this.#follower?.stop();
    const follower = new TopicFollower<Snapshot & { state: EngineState }>({
      subscribe: () => rpc.call('engine/subscribe', {}),
      onSnapshot: (snapshot) => this.#setState(snapshot.state),
      onEvent: (event) => {
        if (this.#state) this.#setState({ ...this.#state, ...(event as EngineEvent).changes } as EngineState);
      },
      onError: (error) => this.log.error('The engine could not be subscribed to', error),
    });
    this.#follower = follower;
    rpc.onEvent((topic, seq, event) => {
      if (topic === 'engine') follower.receive(seq, event);
    });
    rpc.onClose(() => {
      follower.stop();
      if (this.#rpc !== rpc) return;
      this.#rpc = undefined;
      this.#setState(undefined);
    });
    follower.restart();
  }

  /** As last told; undefined = not connected. */
  state(): EngineState | undefined {
    return this.#state;
  }

  /** Returns the way to stop that. */
  onState(listener: () => void): () => void {
    this.#watchers.add(listener);
    return () => void this.#watchers.delete(listener);
  }

  /** Resolves as soon as `ready` holds for the state, after `ms`, or when the signal fires. */
  protected waitForState(
    ready: (state: EngineState) => boolean,
    ms: number,
    signal: AbortSignal,
  ): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        stopWatching();
        signal.removeEventListener('abort', finish);
        timer.cancel();
        resolve();
      };
      const check = (): void => {
        if (this.#state && ready(this.#state)) finish();
      };
      const timer = this.#clock.after(ms, finish);
      const stopWatching = this.onState(check);
      signal.addEventListener('abort', finish, { once: true });
      if (signal.aborted) finish();
      else check();
    });
  }

  protected connected(): EngineRpc {
    if (this.#rpc) return this.#rpc;
    throw new AndironError(
      'engine_unavailable',
      'Andiron’s model service is not connected.',
      'Wait a moment, then send again.',
    );
  }

  /** null = not connected, or no answer in time. */
  protected async ask<T>(
    what: string,
    question: (rpc: EngineRpc, signal: AbortSignal) => Promise<T>,
    limitMs = answerMs,
  ): Promise<T | null> {
    if (!this.#rpc) return null;
    const deadline = new AbortController();
    const timer = this.#clock.after(limitMs, () => deadline.abort());
    try {
      return await question(this.#rpc, deadline.signal);
    } catch (error) {
      this.log.warn(`The engine could not say ${what}`, { error: String(error) });
      return null;
    } finally {
      timer.cancel();
    }
  }

  /** Nobody waits for it; without a connection it is dropped. */
  protected report(what: string, send: (rpc: EngineRpc) => Promise<unknown>): void {
    if (!this.#rpc) return;
    send(this.#rpc).catch((error: unknown) =>
      this.log.warn(`${what} was not reported`, { error: String(error) }),
    );
  }

  #setState(next: EngineState | undefined): void {
    this.#state = next;
    for (const watcher of this.#watchers) watcher();
  }
}
