/** The host's view of the engine: its state, which model to use, and leases. The engine decides, the host sends. */
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { EngineMethods } from '../../protocol/engine-methods.ts';
import type { cureMethods, monitorMethods } from '../../protocol/engine-room-methods.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { EngineEvent } from '../../protocol/events.ts';
import type {
  EngineState,
  EngineStatus,
  Fit,
  LoadPlan,
  ModelInfo,
  Profile,
  RunnerSlot,
} from '../../protocol/model.ts';
import { createRpcClient, type RpcClient } from '../../protocol/rpc-client.ts';
import { TopicFollower, type Snapshot } from '../../protocol/topic-follower.ts';
import type { Transport } from '../../protocol/transport.ts';
import { chooseModel } from '../../rules/choose-model.ts';

/** How long a message waits for the engine to be found and its models to be read. */
const findMs = 15_000;
/** What is not known after this is given as unknown. */
const answerMs = 2_000;
/** A runner answers between two batches: the engine waits for it, and gives up first. */
const slotsMs = 25_000;

type EngineSnapshot = Snapshot & { state: EngineState };
type EngineRpc = RpcClient<EngineMethods & typeof monitorMethods & typeof cureMethods>;

/** The right to use the GPU, with the model loaded by its plan. */
interface GrantedLease {
  url: string;
  plan: LoadPlan;
  model: ModelInfo;
  reacquire(
    onWait: OnWait,
    signal: AbortSignal,
  ): Promise<{ lease: GrantedLease; loaded: boolean; versions: { before: string; now: string } }>;
  recoverSlot(signal: AbortSignal): Promise<{ tookMs: number }>;
  release(failed: boolean): void;
}

type OnWait = (phase: 'lease' | 'loading') => void;

/** What the loop asks of the engine (`loop/deps.ts`), and how it is connected. */
export interface EngineClient {
  chooseModel(profile: Profile, pinned: string | null, signal: AbortSignal): Promise<ModelInfo>;
  acquire(
    request: { model: string; contextTokens: number; label: string },
    onWait: OnWait,
    signal: AbortSignal,
  ): Promise<GrantedLease>;
  /** Behind every turn. */
  acquireToWarm(
    request: { model: string; contextTokens: number; label: string },
    signal: AbortSignal,
  ): Promise<GrantedLease>;
  /** As last told; undefined = not connected. */
  state(): EngineState | undefined;
  onState(listener: () => void): void;
  residency(model: string): Promise<{ loaded: boolean; vramBytes: number | null } | null>;
  slots(model: string): Promise<readonly RunnerSlot[] | null>;
  /** What the model takes with each of these windows; null = the engine could not say. */
  fits(model: string, contextTokens: number[]): Promise<readonly Fit[] | null>;
  /** How long the engine took to read so much: its batches are made to fit. */
  reportPrefill(model: string, evaluatedTokens: number, ms: number): void;
  /** A warm-up of so many tokens was for nothing. */
  reportWasted(model: string, tokens: number, costMs: number | null): void;
  /** An engine refused a grammar, in its own words. */
  reportRefusedGrammar(model: string, words: string): void;
  /** Replaces the connection, as after a restart of the engine's process. */
  attach(transport: Transport): void;
}

export function createEngineClient(deps: { clock: Clock; log: Log }): EngineClient {
  const { clock, log } = deps;
  const watchers = new Set<() => void>();
  let rpc: EngineRpc | undefined;
  let follower: TopicFollower<EngineSnapshot> | undefined;
  let state: EngineState | undefined;

  const setState = (next: EngineState | undefined): void => {
    state = next;
    for (const watcher of watchers) watcher();
  };

  const attach = (transport: Transport): void => {
    const client = createRpcClient<EngineMethods & typeof monitorMethods & typeof cureMethods>(transport);
    rpc = client;
    follower?.stop();
    const own = new TopicFollower<EngineSnapshot>({
      subscribe: () => client.call('engine/subscribe', {}),
      onSnapshot: (snapshot) => setState(snapshot.state),
      onEvent(event) {
        if (state) setState({ ...state, ...(event as EngineEvent).changes } as EngineState);
      },
      onError: (error) => log.error('The engine could not be subscribed to', error),
    });
    client.onEvent((topic, seq, event) => {
      if (topic === 'engine') own.receive(seq, event);
    });
    client.onClose(() => {
      own.stop();
      if (rpc !== client) return;
      rpc = undefined;
      setState(undefined);
    });
    follower = own;
    own.restart();
  };

  /** Resolves as soon as `ready` holds for the state, after `ms`, or when the signal fires. */
  const settled = (ready: (state: EngineState) => boolean, ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const finish = (): void => {
        watchers.delete(check);
        signal.removeEventListener('abort', finish);
        timer.cancel();
        resolve();
      };
      const check = (): void => {
        if (state && ready(state)) finish();
      };
      const timer = clock.after(ms, finish);
      watchers.add(check);
      signal.addEventListener('abort', finish, { once: true });
      if (signal.aborted) finish();
      else check();
    });

  const connection = (): EngineRpc => {
    if (rpc) return rpc;
    throw new AndironError(
      'engine_unavailable',
      'The engine is not connected.',
      'Wait a moment, then send again.',
    );
  };

  /** Tells while `work` goes on whether the model is being loaded, also where that is for another turn. */
  const watching = async <T>(model: string, onWait: OnWait, work: () => Promise<T>): Promise<T> => {
    let reported: 'lease' | 'loading' = 'lease';
    const watch = (): void => {
      const phase = state?.loading?.model === model ? 'loading' : 'lease';
      if (phase === reported) return;
      reported = phase;
      onWait(phase);
    };
    watchers.add(watch);
    try {
      watch();
      return await work();
    } finally {
      watchers.delete(watch);
    }
  };

  const release = (client: EngineRpc, leaseId: string, failed: boolean): void => {
    client
      .call('lease/release', { leaseId, failed })
      .catch((error: unknown) => log.warn('A lease was not released', { error: String(error) }));
  };

  const granted = (
    client: EngineRpc,
    leaseId: string,
    { url, plan, model }: Pick<GrantedLease, 'url' | 'plan' | 'model'>,
  ): GrantedLease => ({
    url,
    plan,
    model,
    reacquire: (onWait, signal) =>
      watching(model.name, onWait, async () => {
        const { loaded, versions, ...now } = await explained(
          client.call('lease/regain', { leaseId }, signal),
        );
        return { lease: granted(client, leaseId, now), loaded, versions };
      }),
    recoverSlot: (signal) => explained(client.call('lease/cure', { leaseId }, signal)),
    release: (failed) => release(client, leaseId, failed),
  });

  /** null = not connected, or no answer in time. */
  const soon = async <T>(
    what: string,
    ask: (client: EngineRpc, signal: AbortSignal) => Promise<T>,
    limitMs = answerMs,
  ): Promise<T | null> => {
    if (!rpc) return null;
    const deadline = new AbortController();
    const timer = clock.after(limitMs, () => deadline.abort());
    try {
      return await ask(rpc, deadline.signal);
    } catch (error) {
      log.warn(`The engine could not say ${what}`, { error: String(error) });
      return null;
    } finally {
      timer.cancel();
    }
  };

  const lease = async (
    params: { model: string; contextTokens: number; label: string; purpose: 'turn' | 'warm' },
    signal: AbortSignal,
  ): Promise<GrantedLease> => {
    const client = connection();
    // A stop may cross the answer on its way: what was granted then is given back.
    const given = await explained(
      client.call('lease/acquire', params, signal, ({ leaseId }) => release(client, leaseId, false)),
    );
    return granted(client, given.leaseId, given);
  };

  return {
    attach,

    async chooseModel(profile, pinned, signal) {
      await settled(
        ({ status, modelsReadAt }) =>
          status.kind !== 'searching' &&
          status.kind !== 'starting' &&
          (status.kind !== 'running' || modelsReadAt !== null),
        findMs,
        signal,
      );
      signal.throwIfAborted();
      if (!state || state.status.kind !== 'running') throw unavailable(state?.status);
      if (state.modelsReadAt === null) throw unlisted();
      return pickModel(state.models, profile, pinned);
    },

    acquire: (request, onWait, signal) =>
      watching(request.model, onWait, () => lease({ ...request, purpose: 'turn' }, signal)),

    acquireToWarm: (request, signal) => lease({ ...request, purpose: 'warm' }, signal),

    state: () => state,
    onState: (listener) => void watchers.add(listener),

    residency: (model) =>
      soon('whether the model is loaded', (client, signal) =>
        client.call('model/residency', { model }, signal),
      ),

    reportPrefill(model, evaluatedTokens, ms) {
      rpc
        ?.call('model/report-prefill', { model, evaluatedTokens, ms })
        .catch((error: unknown) => log.warn('A prefill was not reported', { error: String(error) }));
    },

    reportWasted(model, count, costMs) {
      rpc
        ?.call('incident/wasted-warm-up', { model, tokens: count, costMs })
        .catch((error: unknown) => log.warn('An incident was not reported', { error: String(error) }));
    },

    reportRefusedGrammar(model, words) {
      rpc
        ?.call('incident/refused-grammar', { model, words })
        .catch((error: unknown) => log.warn('An incident was not reported', { error: String(error) }));
    },

    fits: (model, contextTokens) =>
      soon('what fits', async (client, signal) => {
        const { fits } = await client.call('model/fit', { model, contextTokens }, signal);
        return fits;
      }),

    slots: (model) =>
      soon(
        'what its runner does',
        async (client, signal) => {
          const { slots } = await client.call('runner/slots', { model }, signal);
          return slots;
        },
        slotsMs,
      ),
  };
}

function pickModel(installed: readonly ModelInfo[], profile: Profile, pinned: string | null): ModelInfo {
  const choice = chooseModel(installed, profile.models, pinned);
  switch (choice.kind) {
    case 'chosen':
      return choice.model;
    case 'missing':
      throw new AndironError(
        'model_missing',
        `${choice.name} is not installed.`,
        'Choose another model, or install it.',
      );
    case 'none':
      throw new AndironError(
        'model_missing',
        'No model is installed.',
        'Install one with "ollama pull qwen3.5:4b", then send again.',
      );
  }
}

/** A connection that went under a turn, in words for a person. */
async function explained<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof AndironError) || error.code !== 'disconnected') throw error;
    throw new AndironError(
      'engine_unavailable',
      'The part of Andiron that manages Ollama went away.',
      'Send again. If it happens again, restart Andiron.',
      { cause: error },
    );
  }
}

/** Nothing may be said of models that were never listed. */
function unlisted(): AndironError {
  return new AndironError(
    'engine_unavailable',
    'Ollama runs, but its models could not be read yet.',
    'Wait a moment, then send again.',
  );
}

function unavailable(status: EngineStatus | undefined): AndironError {
  switch (status?.kind) {
    case 'absent':
      return new AndironError(
        'engine_unavailable',
        `Ollama was not found${status.tried[0] === undefined ? '' : ` at ${status.tried[0]}`}.`,
        'Install it from https://ollama.com/download, or set OLLAMA_HOST to where it runs.',
      );
    case 'stopped':
      return new AndironError('engine_unavailable', 'Ollama is not running.', status.startHint);
    case 'wrong':
      return new AndironError('engine_unavailable', status.message, `Look at what listens on ${status.url}.`);
    case 'starting':
    case 'searching':
    case 'running':
    case undefined:
      return new AndironError(
        'engine_unavailable',
        'Ollama does not answer yet.',
        'Wait a moment, then send again.',
      );
  }
}
