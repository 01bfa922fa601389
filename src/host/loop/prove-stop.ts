/**
 * What became of the engine after a stop (design 6): closed is not idle, and a close against a waiting line can cost the
 * model its only slot. The slot is proved by an answer; a lost one is cured by loading the model anew. Tells what it found
 * on the stop's own line, and never fails: whatever cannot be found out stays unknown.
 */
import type { TurnEvent } from '../../protocol/events.ts';
import type { RunnerSlot, TurnPhase } from '../../protocol/model.ts';
import type { SlotProof } from './deps.ts';
import { linesCame } from './endings.ts';
import { promptTokens } from './model-request.ts';
import { emitNote } from './note-item.ts';
import { settingOf, type Run } from './run.ts';

/** The runner looks for a dead peer once a second, and a batch is never aborted: this is generous for both (contract 3). */
const idleLimitMs = 20_000;
/** A slot that is alive has answered by then, unless its runner is seen to work. */
const silenceMs = 8_000;

type Proof = Omit<Extract<TurnEvent, { type: 'stop/proved' }>, 'type' | 'itemId'>;
type Found = Pick<Proof, 'slot' | 'keptTokens' | 'reloadMs' | 'counted'> & {
  /** Where they were counted. */
  promptTokens?: number;
  idle: boolean;
};

/** @param itemId of the stop's line. @param during the phase in which it was stopped. */
export async function proveStop(itemId: string, during: TurnPhase, run: Run): Promise<void> {
  const { deps, emit } = run;
  const began = deps.clock.monotonic();
  const estimated = promptTokens(deps.log.messages(), run);
  const found = await (linesCame.has(during) ? slotProof(estimated, run) : idleProof(run));
  emit({
    type: 'stop/proved',
    itemId,
    slot: found.slot,
    // What the slot holds of the prompt belongs to it: then the estimate was too small.
    promptTokens: Math.max(found.promptTokens ?? estimated, found.keptTokens ?? 0),
    keptTokens: found.keptTokens,
    ...(found.counted && { counted: found.counted }),
    idleMs: found.idle ? deps.clock.monotonic() - began : null,
    reloadMs: found.reloadMs,
  });
}

/**
 * After a reply that was cut: its connection was closed while lines came, as by Stop, so the slot is proved before anything
 * else is asked of it. Never rejects.
 */
export async function proveCut(run: Run): Promise<void> {
  const { model } = settingOf(run).lease;
  run.deps.slots.closedWhileLinesCame(model.name);
  const { reloadMs } = await slotProof(promptTokens(run.deps.log.messages(), run), run);
  if (reloadMs === null) return;
  const seconds = String(Math.max(1, Math.round(reloadMs / 1000)));
  const text = `Ollama lost its slot when the reply was cut; ${model.name} was reloaded in ${seconds} s.`;
  emitNote('reload', text, run);
}

/** A stop while queued or in prefill cannot lose the slot, and starts nothing. */
async function idleProof(run: Run): Promise<Found> {
  const slot = await whenIdle(run);
  const found: Found = { slot: 'sound', keptTokens: null, reloadMs: null, idle: slot !== null };
  return slot ? { ...found, keptTokens: slot.promptTokens, counted: 'kept' } : found;
}

/** All of the prompt was read before the first line; an answer comes from a slot at rest, and proves and counts it. */
async function slotProof(estimated: number, run: Run): Promise<Found> {
  const { deps } = run;
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
    const { tookMs: reloadMs } = await lease.cure(deps.closing);
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
