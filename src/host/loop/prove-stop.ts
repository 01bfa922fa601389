/**
 * What became of the engine after a stop: closed is not idle, and a close against a waiting line can cost the
 * model its only slot. The slot is proved by an answer; a lost one is cured by loading the model anew. Tells what it found
 * on the stop's own line, and never fails: whatever cannot be found out stays unknown.
 */
import type { Clock } from '../../platform/clock.ts';
import type { RunnerSlot, TurnPhase } from '../../protocol/model.ts';
import type { Emit, Found, SlotProof } from './deps.ts';
import { endStopped } from './endings.ts';
import { promptTokens } from './model-request.ts';
import { emitNote } from './note-item.ts';
import { settingOf, type Run } from './run.ts';

/** The runner looks for a dead peer once a second, and a batch is never aborted: this is generous for both. */
const idleLimitMs = 20_000;
/** A slot that is alive has answered by then, unless its runner is seen to work. */
const silenceMs = 8_000;

/** What a run does now, and when it was stopped: for the card of a stop. */
export interface StopWatch {
  readonly emit: Emit;
  /** Told last. */
  phase: TurnPhase;
  /** On the monotonic clock. */
  stoppedAt: number;
}

export function watchForStop(emit: Emit, signal: AbortSignal, clock: Clock): StopWatch {
  const watch: StopWatch = {
    emit(event) {
      if (event.type === 'turn/phase') watch.phase = event.phase;
      emit(event);
    },
    phase: 'lease',
    stoppedAt: 0,
  };
  signal.addEventListener('abort', () => (watch.stoppedAt = clock.monotonic()), { once: true });
  return watch;
}

/** Of a run that was stopped. Returns the id of its card. */
export function reportStopped({ phase, stoppedAt }: StopWatch, run: Run): Promise<string> {
  const { setting, closed, signal } = run;
  const model = setting?.lease.model.name ?? null;
  const closedMs = closed ? closed.at - stoppedAt : null;
  return endStopped({ model, during: phase, closedMs, reason: signal.reason }, run);
}

/** Tells the stop at once, then what it left of the slot. The GPU is kept while a lost slot may have to be cured. */
export async function endAsStopped(watch: StopWatch, run: Run, leaveGpu: () => void): Promise<void> {
  const { closed, proof, emit } = run;
  const before = { ...watch };
  emit({ type: 'turn/phase', phase: 'stopping' });
  const itemId = await reportStopped(before, run);
  if (!proof && !closed?.linesCame) leaveGpu();
  if (!proof && !closed) return;
  const { clock, log } = run.deps;
  const began = clock.monotonic();
  const estimated = promptTokens(log.messages(), run);
  const found = await (proof ?? (closed?.linesCame ? slotProof(run) : idleProof(run)));
  emit({
    type: 'stop/proved',
    itemId,
    slot: found.slot,
    // What the slot holds of the prompt belongs to it: then the estimate was too small.
    promptTokens: Math.max(found.promptTokens ?? estimated, found.keptTokens ?? 0),
    keptTokens: found.keptTokens,
    ...(found.counted && { counted: found.counted }),
    idleMs: found.idle ? clock.monotonic() - began : null,
    reloadMs: found.reloadMs,
  });
}

/**
 * After a reply that was cut: its connection was closed while lines came, as by Stop, so the slot is proved before anything
 * else is asked of it. Throws only for a stop, and at once: its card then waits for this proof.
 */
export async function proveCut(run: Run): Promise<void> {
  run.proof = slotProof(run);
  const found = await unlessEnded(run.proof, run.signal);
  run.signal.throwIfAborted();
  run.proof = undefined;
  if (found) reportReload(found, run);
}

/** After a stop that comes too late to be told: the answer was there. Never rejects. */
export async function proveQuietly(run: Run): Promise<void> {
  const { proof, closed } = run;
  if (proof || closed?.linesCame) reportReload(await (proof ?? slotProof(run)), run);
}

function reportReload({ reloadMs }: Found, run: Run): void {
  if (reloadMs === null) return;
  const seconds = String(Math.max(1, Math.round(reloadMs / 1000)));
  const { name } = settingOf(run).lease.model;
  emitNote(
    'reload',
    `Ollama lost its slot when the reply was cut; ${name} was reloaded in ${seconds} s.`,
    run,
  );
}

/** A stop while queued or in prefill cannot lose the slot, and starts nothing. */
async function idleProof(run: Run): Promise<Found> {
  const slot = await whenIdle(run);
  const found: Found = { slot: 'sound', keptTokens: null, reloadMs: null, idle: slot !== null };
  return slot ? { ...found, keptTokens: slot.promptTokens, counted: 'kept' } : found;
}

/**
 * All of the prompt was read before the first line; an answer comes from a slot at rest, and proves and counts it. Never
 * rejects.
 */
async function slotProof(run: Run): Promise<Found> {
  const { deps } = run;
  const estimated = promptTokens(deps.log.messages(), run);
  const { lease } = settingOf(run);
  const unproved: Found = { slot: 'unproved', keptTokens: null, reloadMs: null, idle: false };
  const ask = async (): Promise<SlotProof> => {
    const proof = await deps.proveSlot(lease, silenceMs);
    if (proof.found === 'answered') deps.slots.answered(lease.model.name);
    return proof;
  };
  try {
    const proof = await ask();
    if (proof.found === 'answered')
      return { ...unproved, slot: 'sound', idle: true, ...allKept(proof, estimated) };
    if (proof.found === 'failed') return unproved;
    const { tookMs: reloadMs } = await lease.recoverSlot(deps.closing);
    const isCured = (await ask()).found === 'answered';
    return { ...unproved, slot: isCured ? 'cured' : 'lost', reloadMs, idle: isCured };
  } catch (error) {
    if (!deps.closing.aborted) deps.onInternalError(error);
    return unproved;
  }
}

function allKept({ promptTokens: counted }: { promptTokens: number | null }, estimated: number) {
  if (counted === null) return { keptTokens: estimated };
  return { promptTokens: counted, keptTokens: counted, counted: 'both' as const };
}

/** The slot once it is at rest; null = the runner cannot be asked, or somebody else wants to go on meanwhile. */
async function whenIdle({ deps, setting }: Run): Promise<RunnerSlot | null> {
  const model = setting?.lease.model.name ?? '';
  const until = deps.clock.monotonic() + idleLimitMs;
  const ended = AbortSignal.any([deps.closing, deps.hurry]);
  while (!ended.aborted && deps.clock.monotonic() < until) {
    const slots = await unlessEnded(deps.engine.slots(model), ended);
    if (slots === null) return null;
    if (slots.every(({ isProcessing }) => !isProcessing))
      return slots.length === 1 ? (slots[0] ?? null) : null;
  }
  return null;
}

function unlessEnded<T>(answer: Promise<T | null>, ended: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const onEnd = (): void => resolve(null);
    ended.addEventListener('abort', onEnd, { once: true });
    if (ended.aborted) onEnd();
    answer.then(resolve, reject).finally(() => ended.removeEventListener('abort', onEnd));
  });
}
