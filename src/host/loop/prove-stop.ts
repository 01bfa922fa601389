/**
 * What became of the engine after a stop: closed is not idle, and a close against a waiting line can cost the
 * model its only slot. The slot is proved by an answer; a lost one is cured by loading the model anew. Tells what it found
 * on the stop's own line, and never fails: whatever cannot be found out stays unknown.
 */
import type { RunnerSlot, TurnPhase } from '../../protocol/model.ts';
import type { Found, SlotProof } from './deps.ts';
import { endStopped } from './endings.ts';
import { usedTokens } from './request/model-request.ts';
import type { RequestScope } from './ports.ts';

/** The runner looks for a dead peer once a second, and a batch is never aborted: this is generous for both. */
const idleLimitMs = 20_000;
/** A slot that is alive has answered by then, unless its runner is seen to work. */
const silenceMs = 8_000;

/** What was stopped; without a setting, before the GPU was granted. */
export type StoppedRun = Omit<RequestScope, 'setting'> & Partial<Pick<RequestScope, 'setting'>>;

/** Shows that it was stopped, and what it did then. Returns the id of its card. */
export function reportStopped(
  during: TurnPhase,
  { setting, stop, model: { engine }, out }: StoppedRun,
  signal: AbortSignal,
): Promise<string> {
  const model = setting?.lease.model.name ?? null;
  const closedMs = stop.closed ? stop.closed.at - stop.stoppedAt : null;
  return endStopped({ model, during, closedMs, reason: signal.reason }, engine, out);
}

/** Tells the stop at once, then what it left of the slot. The GPU is kept while a lost slot may have to be cured. */
export async function endAsStopped(
  stopped: StoppedRun,
  leaveGpu: () => void,
  signal: AbortSignal,
): Promise<void> {
  const { setting, stop, out } = stopped;
  const { closed, proof } = stop;
  const during = out.phase;
  out.emit({ type: 'turn/phase', phase: 'stopping' });
  const itemId = await reportStopped(during, stopped, signal);
  if (!proof && !closed?.linesCame) leaveGpu();
  if (!setting || (!proof && !closed)) return;
  const scope = { ...stopped, setting };
  const began = out.clock.monotonic();
  const estimated = usedTokens(scope);
  const found = await (proof ?? (closed?.linesCame ? slotProof(scope) : idleProof(scope)));
  out.emit({
    type: 'stop/proved',
    itemId,
    slot: found.slot,
    // What the slot holds of the prompt belongs to it: then the estimate was too small.
    promptTokens: Math.max(found.promptTokens ?? estimated, found.keptTokens ?? 0),
    keptTokens: found.keptTokens,
    ...(found.counted && { counted: found.counted }),
    idleMs: found.idle ? out.clock.monotonic() - began : null,
    reloadMs: found.reloadMs,
  });
}

/**
 * After a reply that was cut: its connection was closed while lines came, as by Stop, so the slot is proved before anything
 * else is asked of it. Throws only for a stop, and at once: its card then waits for this proof.
 */
export async function proveCut(scope: RequestScope, signal: AbortSignal): Promise<void> {
  const { stop } = scope;
  stop.proof = slotProof(scope);
  const found = await unlessEnded(stop.proof, signal);
  signal.throwIfAborted();
  stop.proof = undefined;
  if (found) reportReload(found, scope);
}

/** After a stop that comes too late to be told: the answer was there. Never rejects. */
export async function proveQuietly(scope: RequestScope): Promise<void> {
  const { proof, closed } = scope.stop;
  if (proof || closed?.linesCame) reportReload(await (proof ?? slotProof(scope)), scope);
}

function reportReload({ reloadMs }: Found, { setting, out }: RequestScope): void {
  if (reloadMs === null) return;
  const seconds = String(Math.max(1, Math.round(reloadMs / 1000)));
  const { name } = setting.lease.model;
  out.note('reload', `Ollama lost its slot when the reply was cut; ${name} was reloaded in ${seconds} s.`);
}

/** A stop while queued or in prefill cannot lose the slot, and starts nothing. */
async function idleProof(scope: RequestScope): Promise<Found> {
  const slot = await whenIdle(scope);
  const found: Found = { slot: 'sound', keptTokens: null, reloadMs: null, idle: slot !== null };
  return slot ? { ...found, keptTokens: slot.promptTokens, counted: 'kept' } : found;
}

/**
 * All of the prompt was read before the first line; an answer comes from a slot at rest, and proves and counts it. Never
 * rejects.
 */
async function slotProof(scope: RequestScope): Promise<Found> {
  const { proof: prover, slots } = scope.model;
  const estimated = usedTokens(scope);
  const { lease } = scope.setting;
  const unproved: Found = { slot: 'unproved', keptTokens: null, reloadMs: null, idle: false };
  const ask = async (): Promise<SlotProof> => {
    const proof = await prover.prove(lease, silenceMs);
    if (proof.found === 'answered') slots.answered(lease.model.name);
    return proof;
  };
  try {
    const proof = await ask();
    if (proof.found === 'answered')
      return { ...unproved, slot: 'sound', idle: true, ...allKept(proof, estimated) };
    if (proof.found === 'failed') return unproved;
    const { tookMs: reloadMs } = await lease.recoverSlot(prover.closing);
    const isCured = (await ask()).found === 'answered';
    return { ...unproved, slot: isCured ? 'cured' : 'lost', reloadMs, idle: isCured };
  } catch (error) {
    if (!prover.closing.aborted) scope.out.reportBug(error);
    return unproved;
  }
}

function allKept({ promptTokens: counted }: { promptTokens: number | null }, estimated: number) {
  if (counted === null) return { keptTokens: estimated };
  return { promptTokens: counted, keptTokens: counted, counted: 'both' as const };
}

/** The slot once it is at rest; null = the runner cannot be asked, or somebody else wants to go on meanwhile. */
async function whenIdle({ model, setting, out }: RequestScope): Promise<RunnerSlot | null> {
  const { closing, preempted } = model.proof;
  const until = out.clock.monotonic() + idleLimitMs;
  const ended = AbortSignal.any([closing, preempted]);
  while (!ended.aborted && out.clock.monotonic() < until) {
    const slots = await unlessEnded(model.engine.slots(setting.lease.model.name), ended);
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
