/** A load on its way, from the first unload that makes room for it: what it waits for, and who waits for it. */
import { AndironError } from '../../protocol/errors.ts';
import type { LoadPlan, ModelInfo } from '../../protocol/model.ts';
import type { Facts } from '../base/engine-facts.ts';
import { starved } from './starvation.ts';

export class LoadJob {
  readonly url: string;
  readonly model: ModelInfo;
  readonly plan: LoadPlan;
  /** Fires when the load is to be closed. */
  readonly signal: AbortSignal;
  readonly #wanted: AbortSignal;
  readonly #facts: Pick<Facts, 'publish'>;
  readonly #abandoned = new AbortController();
  #blockers: readonly string[] = [];

  constructor(
    { url, model, plan }: Pick<LoadJob, 'url' | 'model' | 'plan'>,
    facts: Pick<Facts, 'publish'>,
    wanted: AbortSignal,
    givenUp: AbortSignal | undefined,
  ) {
    this.url = url;
    this.model = model;
    this.plan = plan;
    this.signal = AbortSignal.any([this.#abandoned.signal, ...(givenUp ? [givenUp] : [])]);
    this.#wanted = wanted;
    this.#facts = facts;
    wanted.addEventListener('abort', this.#abandonIfBlocked, { once: true });
  }

  /** The models that it waits for. */
  get blockers(): readonly string[] {
    return this.#blockers;
  }

  /** @param certain they are known not to fit beside it. */
  reportBlockers(now: readonly string[], certain = true): void {
    const before = this.#blockers;
    this.#blockers = now;
    const failure = now.length > 0 ? starved(this.model.name, now, certain) : null;
    if (failure || before.length > 0) this.#facts.publish({ type: 'load/starved', failure });
    if (this.#wanted.aborted) this.#abandonIfBlocked();
  }

  end(): void {
    this.#wanted.removeEventListener('abort', this.#abandonIfBlocked);
    this.reportBlockers([]);
  }

  /** What only waits is not a load yet, and with nobody to wait for it would keep everybody else from the GPU. */
  readonly #abandonIfBlocked = (): void => {
    if (this.#blockers.length === 0) return;
    this.#abandoned.abort(
      new AndironError('cancelled', `Nobody waits for ${this.model.name} any more; it was not loaded.`),
    );
  };
}
