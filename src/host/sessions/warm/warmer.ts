/**
 * Keeps the prompts of sessions warm: the head of a new session, the history as it will render
 * after the next message, an old session when it is opened. One at a time, behind every turn, and never without use.
 */
import { AndironError } from '../../../protocol/errors.ts';
import type { RequestUsage, SessionSnapshot, Warmth } from '../../../protocol/model.ts';
import type { Clock, Timer } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { ContextLog, Lease, SlotProof } from '../../loop/deps.ts';
import type { Run } from '../../loop/run.ts';
import { estimatePrompt } from '../../prompt/token-estimate.ts';
import type { HeadSource } from '../head-source.ts';
import { createAttempts, type MayLoad, type WarmEngine } from './attempt.ts';
import { leavesWork } from './turn-end.ts';
import { createUsefulness, type WarmFacts, type Wasted } from './usefulness.ts';
import {
  createWarmUps,
  isSameLog,
  saidBy,
  saysSame,
  type Said,
  type Subject,
  type WarmUpDeps,
} from './warm-up.ts';

/** A session, as far as it is warmed. */
export interface WarmTarget {
  readonly id: string;
  readonly state: SessionSnapshot;
  readonly log: Pick<ContextLog, 'messages' | 'measured'>;
  sideRun(signal: AbortSignal): Run;
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

export interface Warmer {
  /** A window is there: at the first one the usual beginning is prepared. */
  windowOpened(): void;
  /** A window shows this session. */
  opened(target: WarmTarget): void;
  /** No window shows it any more. */
  left(target: WarmTarget): void;
  /** A person chose its profile or model: that model is loaded, too. */
  chosen(target: WarmTarget): void;
  /** A person changed what its prompt says: a request that does not find what was warmed says nothing about it. */
  changed(target: WarmTarget): void;
  /** A turn of this session begins: whatever does not serve it ends now. Until `turnEnded` nothing is warmed. */
  cancelForTurn(target: WarmTarget): void;
  turnEnded(target: WarmTarget, turnId: string): void;
  /** Something was asked beside this conversation, or of none, outside of a turn: the engine now holds that. */
  invalidateAfterSideCall(target: WarmTarget | null): void;
  /** Of a request of a turn: did it find what was warmed for it? */
  measured(target: WarmTarget, usage: RequestUsage): void;
  /**
   * Is the model's slot alive after a stop against lines? Asks for what the session's next prompt begins
   * with, without a stream, which also re-warms it; nothing is cured. Rejects only when the signal fires.
   */
  prove(target: WarmTarget, options: ProofOptions): Promise<SlotProof>;
  /** A person asked for something that is no turn: what is only warmed waits until it is over. */
  pauseForTurn(): void;
  /** The session is gone. */
  forget(target: WarmTarget): void;
  /** Resolves when nothing runs any more; nothing begins after it. */
  close(): Promise<void>;
}

export interface WarmerDeps extends WarmUpDeps {
  engine: WarmEngine;
  heads: Pick<HeadSource, 'fresh'>;
  /** Of a new session. */
  defaultProfile: string;
  facts: WarmFacts;
  readingMs: (model: string, tokens: number) => number | null;
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

export function createWarmer(deps: WarmerDeps): Warmer {
  const { engine, log } = deps;
  const warmUps = createWarmUps(deps);
  const usefulness = createUsefulness(deps.facts, deps.onWasted);
  const attempts = createAttempts({ ...deps, warmUps, usefulness });
  /** Sessions with a turn. */
  const turns = new Set<string>();
  /** Sessions that were closed: their last turn may still be ending. */
  const gone = new WeakSet<WarmTarget>();
  const wishes = new Map<string, Wish>();
  let work: Work | undefined;
  let held: Held | undefined;
  let lastUsed: WarmTarget | undefined;
  let proofs = 0;
  let greeting: Timer | undefined;
  let wasLent = false;
  let closed = false;

  /** Behind whatever happens in this moment: a queued turn begins as the one before it ends. */
  const want = (wish: Wish): void => {
    if (closed) return;
    wishes.set(wish.id, wish);
    queueMicrotask(look);
  };

  const show = (target: WarmTarget, mayLoad: MayLoad): void => {
    if (!turns.has(target.id)) want({ id: target.id, target, why: 'shown', mayLoad });
  };

  function look(): void {
    const free = !closed && !work && proofs === 0 && turns.size === 0;
    if (!free || !mayWarm()) return;
    const all = [...wishes.values()];
    const wish = all.find(({ why }) => why === 'turn_ended') ?? all[0];
    if (wish) begin(wish);
  }

  /** Nothing is warmed while the GPU is lent, or where a model is to leave it at once. */
  function mayWarm(): boolean {
    const state = engine.state();
    return (
      state?.status.kind === 'running' &&
      state.modelsReadAt !== null &&
      state.lent === null &&
      state.keepAlive !== 'never'
    );
  }

  function begin(wish: Wish): void {
    wishes.delete(wish.id);
    const calledOff = new AbortController();
    const done = warm(wish, calledOff.signal)
      .catch((error: unknown) => {
        tell(wish.target, { state: 'cold', tokens: null, expectedMs: null });
        if (calledOff.signal.aborted) return;
        log.warn('A prompt could not be warmed', { id: wish.id, error: String(error) });
      })
      .finally(() => {
        work = undefined;
        look();
      });
    work = { wish, calledOff, done };
  }

  async function warm(wish: Wish, signal: AbortSignal): Promise<void> {
    const { id, target, why, mayLoad } = wish;
    const found = target ? ofSession(target, signal) : ofProfile(id);
    if (!found) return;
    const { subject } = found;
    const said = saidBy(subject);
    const heldIn = (model: string): Held | undefined =>
      held?.id === id && held.model === model && saysSame(held.said, said) ? held : undefined;
    const warmed = await attempts.warm(
      {
        ...found,
        label: target?.state.session.title ?? subject.active.profile.name,
        mayLoad,
        always: why === 'shown',
        heldIn,
        tell: (warmth) => tell(target, warmth),
      },
      signal,
    );
    if (!warmed) return;
    held = { id, target, said, ...warmed };
    lastUsed = target ?? lastUsed;
  }

  function ofProfile(profileId: string): { subject: Subject; tokens: number } | undefined {
    const fresh = deps.heads.fresh(profileId);
    if (!fresh) return undefined;
    const active = { ...fresh, pinnedModel: null };
    const subject = { id: profileId, active, messages: [], opening: '' };
    return { subject, tokens: estimatePrompt(fresh.head, [], null) };
  }

  function tell(target: WarmTarget | null, warmth: Warmth): void {
    if (!closed) target?.warmed(warmth);
  }

  function callOff(): void {
    work?.calledOff.abort(new AndironError('cancelled', 'Something more urgent needs the GPU.'));
  }

  /** What is shown still is warmed when it is quiet again. */
  function putOff(): void {
    if (work?.wish.why === 'shown') wishes.set(work.wish.id, work.wish);
    callOff();
  }

  /** Its own prefix has to be read in any case: a head that nobody spoke under yet, or this very session. */
  function serves({ id, target }: Wish, session: WarmTarget): boolean {
    if (target) return id === session.id;
    return id === session.state.session.profileId && session.state.turns.length <= 1;
  }

  /** With the model its cache is gone; a GPU that was lent comes back to the prompt that was last in use. */
  engine.onState(() => {
    const state = engine.state();
    if (held && !state?.loaded.some(({ name }) => name.toLowerCase() === held?.model.toLowerCase())) {
      tell(held.target, { state: 'cold', tokens: null, expectedMs: null });
      held = undefined;
      usefulness.disturbed();
    }
    // Sessions say so themselves, before they wait: this is somebody else, such as whoever lends the GPU.
    if (turns.size === 0 && state?.queue.some(({ purpose }) => purpose === 'turn')) putOff();
    const isLent = (state?.lent ?? null) !== null;
    if (wasLent && !isLent && lastUsed) show(lastUsed, 'into_free');
    wasLent = isLent;
    look();
  });

  return {
    windowOpened() {
      const usual: Wish = { id: deps.defaultProfile, target: null, why: 'shown', mayLoad: 'into_free' };
      greeting ??= deps.clock.after(greetingMs, () => want(usual));
    },
    opened(target) {
      gone.delete(target);
      greeting?.cancel();
      show(target, 'into_free');
    },
    left({ id }) {
      if (wishes.get(id)?.why === 'shown') wishes.delete(id);
      if (work?.wish.id === id && work.wish.why === 'shown') callOff();
    },
    chosen: (target) => show(target, 'anything'),
    changed: ({ id }) => usefulness.changed(id),
    cancelForTurn(target) {
      greeting?.cancel();
      turns.add(target.id);
      lastUsed = target;
      wishes.delete(target.id);
      if (work && !serves(work.wish, target)) putOff();
    },
    turnEnded(target, turnId) {
      turns.delete(target.id);
      // A proof may have warmed it while the turn was still ending.
      const messages = target.log.messages();
      const log = { length: messages.length, last: messages.at(-1) };
      if (held?.id !== target.id || !isSameLog(held.said, log)) held = undefined;
      if (!gone.has(target) && leavesWork(target.state, turnId)) {
        want({ id: target.id, target, why: 'turn_ended', mayLoad: 'nothing' });
      } else {
        // What the turn still waited for is not wanted any more.
        callOff();
        queueMicrotask(look);
      }
    },
    invalidateAfterSideCall(target) {
      const before = lastUsed ?? target;
      if (held && target === null) tell(held.target, { state: 'cold', tokens: null, expectedMs: null });
      held = undefined;
      if (before) want({ id: before.id, target: before, why: 'turn_ended', mayLoad: 'nothing' });
    },
    pauseForTurn: () => putOff(),
    measured: ({ id }, usage) => usefulness.measured(id, usage),
    async prove(target, { deadlineMs, signal, lease }) {
      proofs += 1;
      wishes.delete(target.id);
      callOff();
      try {
        const found = ofSession(target, signal);
        if (!found) return { found: 'failed' };
        const outcome = await attempts.evaluate({ ...found, always: true, lease, deadlineMs }, signal);
        if (!outcome) return { found: 'failed' };
        const model = lease.model.name;
        const tokens = outcome.promptTokens;
        held = { id: target.id, target, said: saidBy(found.subject), model, tokens };
        tell(target, { state: 'hot', tokens, expectedMs: null });
        return { found: 'answered', promptTokens: tokens };
      } catch (error) {
        signal.throwIfAborted();
        const silent = error instanceof AndironError && error.code === 'slot_lost';
        if (!silent) log.warn('A slot could not be proved', { id: target.id, error: String(error) });
        return { found: silent ? 'silent' : 'failed' };
      } finally {
        proofs -= 1;
        queueMicrotask(look);
      }
    },
    forget(target) {
      const { id } = target;
      gone.add(target);
      wishes.delete(id);
      warmUps.forget(id);
      if (held?.id === id) held = undefined;
      if (lastUsed?.id === id) lastUsed = undefined;
      if (work?.wish.id === id) callOff();
    },
    async close() {
      closed = true;
      greeting?.cancel();
      callOff();
      await work?.done;
    },
  };
}

/** undefined = its log waits for an answer that a crash took: the next message closes it first. */
function ofSession(
  target: WarmTarget,
  signal: AbortSignal,
): { subject: Subject; tokens: number } | undefined {
  const messages = [...target.log.messages()];
  if (messages.length > 0 && messages.at(-1)?.role !== 'assistant') return undefined;
  const { deps } = target.sideRun(signal);
  const active = deps.active();
  const opening = messages.length === 0 ? deps.opening() : '';
  const subject = { id: target.id, active, messages, opening };
  return { subject, tokens: estimatePrompt(active.head, messages, target.log.measured()) };
}
