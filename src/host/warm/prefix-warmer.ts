/**
 * Keeps the prompts of sessions warm: the head of a new session, the history as it will render
 * after the next message, an old session when it is opened. One at a time, behind every turn, and never without use.
 */
import { AndironError } from '../../protocol/errors.ts';
import type { EngineState, RequestUsage, SessionSnapshot, Warmth } from '../../protocol/model.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { ContextLog, Lease, SlotProof } from '../loop/deps.ts';
import type { WaitingRun } from '../loop/ports.ts';
import { estimatePrompt } from '../prompt/token-estimate.ts';
import type { HeadSource } from '../models/head-source.ts';
import { createAttempts, type AttemptDeps, type Attempts, type MayLoad, type WarmEngine } from './attempt.ts';
import { leavesWork } from './turn-end.ts';
import { createUsefulness, type Usefulness, type WarmFacts, type Wasted } from './usefulness.ts';
import {
  createWarmUps,
  isSameLog,
  saidBy,
  saysSame,
  type Said,
  type Subject,
  type WarmUpDeps,
  type WarmUps,
} from './warm-up.ts';

/** A session, as far as it is warmed. */
export interface WarmTarget {
  readonly id: string;
  readonly state: SessionSnapshot;
  readonly log: Pick<ContextLog, 'messages' | 'measured'>;
  sideRun(signal: AbortSignal): WaitingRun;
  /** Told to its windows; never stored. */
  warmed(warmth: Warmth): void;
}

interface ProofOptions {
  /** Without an answer for so long the slot counts as lost, unless the runner is seen to work. */
  deadlineMs: number;
  signal: AbortSignal;
  /** Of the turn that was stopped. */
  lease: Lease;
}

export interface WarmerDeps extends WarmUpDeps, Pick<AttemptDeps, 'engine' | 'access' | 'rates'> {
  heads: Pick<HeadSource, 'fresh'>;
  /** Of a new session. */
  defaultProfile: string;
  facts: WarmFacts;
  /** Tokens were evaluated for nothing: an incident. */
  onWasted: (wasted: Wasted) => void;
  clock: Clock;
  log: Log;
}

interface Wish {
  /** Of the session, or of the profile. */
  id: string;
  /** null = what all new sessions of the profile begin with. */
  target: WarmTarget | null;
  why: 'turn_ended' | 'shown';
  mayLoad: MayLoad;
}

/** What the engine holds: the prompt of this subject, as it said it then. */
interface Held {
  id: string;
  target: WarmTarget | null;
  said: Said;
  model: string;
  /** Of the prefix; null = the engine did not count. */
  tokens: number | null;
}

interface Work {
  wish: Wish;
  calledOff: AbortController;
  done: Promise<void>;
}

/** A window that shows a session says so by then, and that session may want another model. */
const greetingMs = 1_000;

export class PrefixWarmer {
  readonly #deps: WarmerDeps;
  readonly #engine: WarmEngine;
  readonly #warmUps: WarmUps;
  readonly #usefulness: Usefulness;
  readonly #attempts: Attempts;
  /** Sessions with a turn. */
  readonly #turns = new Set<string>();
  /** Sessions that were closed: their last turn may still be ending. */
  readonly #gone = new WeakSet<WarmTarget>();
  readonly #wishes = new Map<string, Wish>();
  #work: Work | undefined;
  #held: Held | undefined;
  #lastUsed: WarmTarget | undefined;
  #proofs = 0;
  #greeting: Timer | undefined;
  #wasLent = false;
  #closed = false;

  constructor(deps: WarmerDeps) {
    this.#deps = deps;
    this.#engine = deps.engine;
    this.#warmUps = createWarmUps(deps);
    this.#usefulness = createUsefulness(deps.facts, deps.onWasted);
    this.#attempts = createAttempts({ ...deps, warmUps: this.#warmUps, usefulness: this.#usefulness });
    /** With the model its cache is gone; a GPU that was lent comes back to the prompt that was last in use. */
    deps.engine.onState(() => {
      const state = deps.engine.state();
      if (
        this.#held &&
        !state?.loaded.some(({ name }) => name.toLowerCase() === this.#held?.model.toLowerCase())
      ) {
        this.#report(this.#held.target, { state: 'cold', tokens: null, expectedMs: null });
        this.#held = undefined;
        this.#usefulness.disturbed();
      }
      // Sessions say so themselves, before they wait: this is somebody else, such as whoever lends the GPU.
      if (this.#turns.size === 0 && state && isTurnWaiting(state)) this.#putOff();
      const isLent = (state?.lent ?? null) !== null;
      if (this.#wasLent && !isLent && this.#lastUsed) this.#show(this.#lastUsed, 'into_free');
      this.#wasLent = isLent;
      this.#look();
    });
  }

  /** A window is there: at the first one the usual beginning is prepared. */
  windowOpened(): void {
    const usual: Wish = { id: this.#deps.defaultProfile, target: null, why: 'shown', mayLoad: 'into_free' };
    this.#greeting ??= this.#deps.clock.after(greetingMs, () => this.#want(usual));
  }

  /** A window shows this session. */
  opened(target: WarmTarget): void {
    this.#gone.delete(target);
    this.#greeting?.cancel();
    this.#show(target, 'into_free');
  }

  /** No window shows it any more. */
  left({ id }: WarmTarget): void {
    if (this.#wishes.get(id)?.why === 'shown') this.#wishes.delete(id);
    if (this.#work?.wish.id === id && this.#work.wish.why === 'shown') this.#callOff();
  }

  /** A person chose its profile or model: that model is loaded, too. */
  chosen(target: WarmTarget): void {
    this.#show(target, 'anything');
  }

  /** A person changed what its prompt says: a request that does not find what was warmed says nothing about it. */
  changed({ id }: Pick<WarmTarget, 'id'>): void {
    this.#usefulness.changed(id);
  }

  /** A turn of this session begins: whatever does not serve it ends now. Until `turnEnded` nothing is warmed. */
  cancelForTurn(target: WarmTarget): void {
    this.#greeting?.cancel();
    this.#turns.add(target.id);
    this.#lastUsed = target;
    this.#wishes.delete(target.id);
    if (this.#work && !this.#serves(this.#work.wish, target)) this.#putOff();
  }

  turnEnded(target: WarmTarget, turnId: string): void {
    this.#turns.delete(target.id);
    // A proof may have warmed it while the turn was still ending.
    const messages = target.log.messages();
    const log = { length: messages.length, last: messages.at(-1) };
    if (this.#held?.id !== target.id || !isSameLog(this.#held.said, log)) this.#held = undefined;
    if (!this.#gone.has(target) && leavesWork(target.state, turnId)) {
      this.#want({ id: target.id, target, why: 'turn_ended', mayLoad: 'nothing' });
    } else {
      // What the turn still waited for is not wanted any more.
      this.#callOff();
      queueMicrotask(() => this.#look());
    }
  }

  /** Something was asked beside this conversation, or of none, outside of a turn: the engine now holds that. */
  invalidateAfterSideCall(target: WarmTarget | null): void {
    const before = this.#lastUsed ?? target;
    if (this.#held && target === null)
      this.#report(this.#held.target, { state: 'cold', tokens: null, expectedMs: null });
    this.#held = undefined;
    if (before) this.#want({ id: before.id, target: before, why: 'turn_ended', mayLoad: 'nothing' });
  }

  /** A person asked for something that is no turn: what is only warmed waits until it is over. */
  pauseForTurn(): void {
    this.#putOff();
  }

  /** Of a request of a turn: did it find what was warmed for it? */
  measured({ id }: WarmTarget, usage: RequestUsage): void {
    this.#usefulness.measured(id, usage);
  }

  /**
   * Is the model's slot alive after a stop against lines? Asks for what the session's next prompt begins
   * with, without a stream, which also re-warms it; nothing is cured. Rejects only when the signal fires.
   */
  async prove(target: WarmTarget, { deadlineMs, signal, lease }: ProofOptions): Promise<SlotProof> {
    this.#proofs += 1;
    this.#wishes.delete(target.id);
    this.#callOff();
    try {
      const found = ofSession(target, signal);
      if (!found) return { found: 'failed' };
      const outcome = await this.#attempts.evaluate({ ...found, always: true, lease, deadlineMs }, signal);
      if (!outcome) return { found: 'failed' };
      const model = lease.model.name;
      const tokens = outcome.promptTokens;
      this.#held = { id: target.id, target, said: saidBy(found.subject), model, tokens };
      this.#report(target, { state: 'hot', tokens, expectedMs: null });
      return { found: 'answered', promptTokens: tokens };
    } catch (error) {
      signal.throwIfAborted();
      const silent = error instanceof AndironError && error.code === 'slot_lost';
      if (!silent) this.#deps.log.warn('A slot could not be proved', { id: target.id, error: String(error) });
      return { found: silent ? 'silent' : 'failed' };
    } finally {
      this.#proofs -= 1;
      queueMicrotask(() => this.#look());
    }
  }

  /** The session is gone. */
  forget(target: WarmTarget): void {
    const { id } = target;
    this.#gone.add(target);
    this.#wishes.delete(id);
    this.#warmUps.forget(id);
    if (this.#held?.id === id) this.#held = undefined;
    if (this.#lastUsed?.id === id) this.#lastUsed = undefined;
    if (this.#work?.wish.id === id) this.#callOff();
  }

  /** Resolves when nothing runs any more; nothing begins after it. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#greeting?.cancel();
    this.#callOff();
    await this.#work?.done;
  }

  /** Behind whatever happens in this moment: a queued turn begins as the one before it ends. */
  #want(wish: Wish): void {
    if (this.#closed) return;
    this.#wishes.set(wish.id, wish);
    queueMicrotask(() => this.#look());
  }

  #show(target: WarmTarget, mayLoad: MayLoad): void {
    if (!this.#turns.has(target.id)) this.#want({ id: target.id, target, why: 'shown', mayLoad });
  }

  #look(): void {
    const free = !this.#closed && !this.#work && this.#proofs === 0 && this.#turns.size === 0;
    if (!free || !this.#mayWarm()) return;
    const all = [...this.#wishes.values()];
    const wish = all.find(({ why }) => why === 'turn_ended') ?? all[0];
    if (wish) this.#begin(wish);
  }

  /** Nothing is warmed while the GPU is lent or waited for, or where a model is to leave it at once. */
  #mayWarm(): boolean {
    const state = this.#engine.state();
    return (
      state?.status.kind === 'running' &&
      state.modelsReadAt !== null &&
      state.lent === null &&
      !isTurnWaiting(state) &&
      state.keepAlive !== 'never'
    );
  }

  #begin(wish: Wish): void {
    this.#wishes.delete(wish.id);
    const calledOff = new AbortController();
    const done = this.#warm(wish, calledOff.signal)
      .catch((error: unknown) => {
        this.#report(wish.target, { state: 'cold', tokens: null, expectedMs: null });
        if (calledOff.signal.aborted) return;
        this.#deps.log.warn('A prompt could not be warmed', { id: wish.id, error: String(error) });
      })
      .finally(() => {
        this.#work = undefined;
        this.#look();
      });
    this.#work = { wish, calledOff, done };
  }

  async #warm(wish: Wish, signal: AbortSignal): Promise<void> {
    const { id, target, why, mayLoad } = wish;
    const found = target ? ofSession(target, signal) : this.#ofProfile(id);
    if (!found) return;
    const { subject } = found;
    const said = saidBy(subject);
    const heldIn = (model: string): Held | undefined =>
      this.#held?.id === id && this.#held.model === model && saysSame(this.#held.said, said)
        ? this.#held
        : undefined;
    const warmed = await this.#attempts.warm(
      {
        ...found,
        label: target?.state.session.title ?? subject.active.profile.name,
        mayLoad,
        always: why === 'shown',
        heldIn,
        report: (warmth) => this.#report(target, warmth),
      },
      signal,
    );
    if (!warmed) return;
    this.#held = { id, target, said, ...warmed };
    this.#lastUsed = target ?? this.#lastUsed;
  }

  #ofProfile(profileId: string): { subject: Subject; tokens: number } | undefined {
    const fresh = this.#deps.heads.fresh(profileId);
    if (!fresh) return undefined;
    const active = { ...fresh, pinnedModel: null };
    const subject = { id: profileId, active, messages: [], opening: '' };
    return { subject, tokens: estimatePrompt(fresh.head, [], null) };
  }

  #report(target: WarmTarget | null, warmth: Warmth): void {
    if (!this.#closed) target?.warmed(warmth);
  }

  #callOff(): void {
    this.#work?.calledOff.abort(new AndironError('cancelled', 'Something more urgent needs the GPU.'));
  }

  /** What is shown still is warmed when it is quiet again. */
  #putOff(): void {
    if (this.#work?.wish.why === 'shown') this.#wishes.set(this.#work.wish.id, this.#work.wish);
    this.#callOff();
  }

  /** Its own prefix has to be read in any case: a head that nobody spoke under yet, or this very session. */
  #serves({ id, target }: Wish, session: WarmTarget): boolean {
    if (target) return id === session.id;
    return id === session.state.session.profileId && session.state.turns.length <= 1;
  }
}

/** A turn, or somebody else whom a person sent. */
function isTurnWaiting({ queue }: EngineState): boolean {
  return queue.some(({ purpose }) => purpose === 'turn');
}

/** undefined = its log waits for an answer that a crash took: the next message closes it first. */
function ofSession(
  target: WarmTarget,
  signal: AbortSignal,
): { subject: Subject; tokens: number } | undefined {
  const messages = [...target.log.messages()];
  if (messages.length > 0 && messages.at(-1)?.role !== 'assistant') return undefined;
  const { model, history } = target.sideRun(signal);
  const active = model.active();
  const opening = messages.length === 0 ? history.opening() : '';
  const subject = { id: target.id, sessionId: target.id, active, messages, opening };
  return { subject, tokens: estimatePrompt(active.head, messages, target.log.measured()) };
}
