/** The host's view of the engine: which model to use, and leases. The engine decides, the host sends. */
import { AndironError } from '../../protocol/errors.ts';
import type { EmbedAnswer } from '../../protocol/engine-room.ts';
import type { EngineState, EngineStatus, Fit, ModelInfo, Profile, RunnerSlot } from '../../protocol/model.ts';
import { chooseModel } from '../../rules/choose-model.ts';
import type { EngineAccess, Lease, LeaseRequest, OnWait } from '../loop/deps.ts';
import { EngineConnection, type EngineRpc } from './engine-connection.ts';

/** How long a message waits for the engine to be found and its models to be read. */
const findMs = 15_000;
/** A runner answers between two batches: the engine waits for it, and gives up first. */
const slotsMs = 25_000;

/** Where the contract of a method is not said here, `EngineAccess` says it. */
export class EngineClient extends EngineConnection implements EngineAccess {
  async chooseModel(profile: Profile, pinned: string | null, signal: AbortSignal): Promise<ModelInfo> {
    const { models } = await this.readModels(signal);
    return pickModel(models, profile, pinned);
  }

  /** Once the models are read; rejects with `engine_unavailable` where they cannot be. */
  async readModels(signal: AbortSignal): Promise<EngineState> {
    await this.waitForState(isModelListSettled, findMs, signal);
    signal.throwIfAborted();
    const state = this.state();
    if (state?.status.kind !== 'running' || state.modelsReadAt === null) throw unavailable(state?.status);
    return state;
  }

  acquire(request: LeaseRequest, onWait: OnWait, signal: AbortSignal): Promise<Lease> {
    const ticket = this.newId('ticket_');
    const wanted = { model: request.model, ticket };
    return this.#watching(wanted, onWait, () => this.#lease({ ...request, ticket }, 'turn', signal));
  }

  /** Behind every turn. */
  acquireToWarm(request: LeaseRequest, signal: AbortSignal): Promise<Lease> {
    return this.#lease(request, 'warm', signal);
  }

  residency(model: string): Promise<{ loaded: boolean; vramBytes: number | null } | null> {
    return this.ask('whether the model is loaded', (rpc, signal) =>
      rpc.call('model/residency', { model }, signal),
    );
  }

  async slots(model: string): Promise<readonly RunnerSlot[] | null> {
    const answer = await this.ask(
      'what its runner does',
      (rpc, signal) => rpc.call('runner/slots', { model }, signal),
      slotsMs,
    );
    return answer && answer.slots;
  }

  /** See `model/embed`. Rejects where the engine is not connected or refuses, or when the signal fires. */
  embed(model: string, texts: readonly string[], urgent: boolean, signal: AbortSignal): Promise<EmbedAnswer> {
    return this.connected().call('model/embed', { model, texts: [...texts], urgent }, signal);
  }

  /** What the model takes with each of these windows; null = the engine could not say. */
  async fits(model: string, contextTokens: number[]): Promise<readonly Fit[] | null> {
    const answer = await this.ask('what fits', (rpc, signal) =>
      rpc.call('model/fit', { model, contextTokens }, signal),
    );
    return answer && answer.fits;
  }

  /** How long the engine took to read so much: its batches are made to fit. */
  reportPrefill(model: string, evaluatedTokens: number, ms: number): void {
    this.report('A prefill', (rpc) => rpc.call('model/report-prefill', { model, evaluatedTokens, ms }));
  }

  /** A warm-up of so many tokens was for nothing. */
  reportWasted(model: string, tokens: number, costMs: number | null): void {
    this.report('An incident', (rpc) => rpc.call('incident/wasted-warm-up', { model, tokens, costMs }));
  }

  /** An engine refused a grammar, in its own words. */
  reportRefusedGrammar(model: string, words: string): void {
    this.report('An incident', (rpc) => rpc.call('incident/refused-grammar', { model, words }));
  }

  async #lease(
    request: LeaseRequest & { ticket?: string },
    purpose: 'turn' | 'warm',
    signal: AbortSignal,
  ): Promise<Lease> {
    const rpc = this.connected();
    // A stop may cross the answer on its way: what was granted then is given back.
    const given = await explained(
      rpc.call('lease/acquire', { ...request, purpose }, signal, ({ leaseId }) =>
        this.#release(rpc, leaseId, false),
      ),
    );
    return this.#granted(rpc, given.leaseId, given);
  }

  #granted(
    rpc: EngineRpc,
    leaseId: string,
    { url, plan, model }: Pick<Lease, 'url' | 'plan' | 'model'>,
  ): Lease {
    return {
      url,
      plan,
      model,
      reacquire: (onWait, signal) =>
        this.#watching({ model: model.name }, onWait, async () => {
          const answer = rpc.call('lease/regain', { leaseId }, signal);
          const { loaded, versions, ...now } = await explained(answer);
          return { lease: this.#granted(rpc, leaseId, now), loaded, versions };
        }),
      recoverSlot: (signal) => explained(rpc.call('lease/cure', { leaseId }, signal)),
      release: (failed) => this.#release(rpc, leaseId, failed),
    };
  }

  #release(rpc: EngineRpc, leaseId: string, failed: boolean): void {
    rpc
      .call('lease/release', { leaseId, failed })
      .catch((error: unknown) => this.log.warn('A lease was not released', { error: String(error) }));
  }

  /**
   * Reports while `work` goes on whether the model is being loaded, also where that is for another turn, and how many
   * have the GPU before that ticket.
   */
  async #watching<T>(
    { model, ticket }: { model: string; ticket?: string },
    onWait: OnWait,
    work: () => Promise<T>,
  ): Promise<T> {
    let reported: string = 'lease 0';
    const watch = (): void => {
      const state = this.state();
      const ahead = ticket === undefined ? 0 : aheadOf(ticket, state);
      // Whoever waits for others does not wait for a load, though it be of the same model.
      const phase = ahead === 0 && state?.loading?.model === model ? 'loading' : 'lease';
      const now = `${phase} ${String(ahead)}`;
      if (now === reported) return;
      reported = now;
      onWait(phase, ahead === 0 ? undefined : ahead);
    };
    const stopWatching = this.onState(watch);
    try {
      watch();
      return await work();
    } finally {
      stopWatching();
    }
  }
}

/** How many turns have the GPU before it: the one that has it now, and those that stand before it. */
function aheadOf(ticket: string, state: EngineState | undefined): number {
  const queue = state?.queue ?? [];
  const place = queue.findIndex((each) => each.ticket === ticket);
  if (place < 0) return 0;
  return place + (state?.lease?.purpose === 'turn' ? 1 : 0);
}

function isModelListSettled({ status, modelsReadAt }: EngineState): boolean {
  if (status.kind === 'searching' || status.kind === 'starting') return false;
  return status.kind !== 'running' || modelsReadAt !== null;
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
    // Nothing may be said of models that were never listed.
    case 'running':
      return new AndironError(
        'engine_unavailable',
        'Ollama runs, but its models could not be read yet.',
        'Wait a moment, then send again.',
      );
    case 'starting':
    case 'searching':
    case undefined:
      return new AndironError(
        'engine_unavailable',
        'Ollama does not answer yet.',
        'Wait a moment, then send again.',
      );
  }
}
