/**
 * What became of the engine after a stop (design 6): closed is not idle, and a close against a waiting line can cost the
 * model its only slot. The slot is proved by an answer; a lost one is cured by loading the model anew. Tells what it found
 * on the stop's own line, and never fails: whatever cannot be found out stays unknown.
 */
import type { TurnEvent } from '../../protocol/events.ts';
import type { RunnerSlot, TurnPhase } from '../../protocol/model.ts';
import { linesCame } from './endings.ts';
import { promptTokens } from './model-request.ts';
import { settingOf, type Run } from './run.ts';

/** The runner looks for a dead peer once a second, and a batch is never aborted: this is generous for both (contract 3). */
const idleLimitMs = 20_000;
const lookEveryMs = 250;
/** A slot that is alive has answered by then, unless its runner is seen to work. */
const silenceMs = 8_000;

type Proof = Omit<Extract<TurnEvent, { type: 'stop/proved' }>, 'type' | 'itemId'>;

/** @param itemId of the stop's line. @param during the phase in which it was stopped. */
export async function proveStop(itemId: string, during: TurnPhase, run: Run): Promise<void> {
  const { deps, emit } = run;
  const began = deps.clock.monotonic();
  const proof: Proof = {
    slot: linesCame.has(during) ? 'unproved' : 'sound',
    promptTokens: promptTokens(deps.log.messages(), run),
    keptTokens: null,
    idleMs: null,
    reloadMs: null,
  };
  try {
    const idle = await whenIdle(run);
    if (idle) {
      proof.idleMs = deps.clock.monotonic() - began;
      proof.keptTokens = idle.promptTokens;
    }
    if (proof.slot === 'unproved') await proveSlot(proof, run);
  } catch (error) {
    if (!deps.closing.aborted) deps.onInternalError(error);
  }
  emit({ type: 'stop/proved', itemId, ...proof });
}

/** The slot once it is at rest; null = the runner cannot be asked, or is at work on something else by now. */
async function whenIdle({ deps, setting }: Run): Promise<RunnerSlot | null> {
  const model = setting?.lease.model.name ?? '';
  const until = deps.clock.monotonic() + idleLimitMs;
  while (!deps.closing.aborted && deps.clock.monotonic() < until) {
    const slots = await deps.engine.slots(model);
    if (slots === null) return null;
    if (slots.every(({ isProcessing }) => !isProcessing))
      return slots.length === 1 ? (slots[0] ?? null) : null;
    await pause(lookEveryMs, deps);
  }
  return null;
}

async function proveSlot(proof: Proof, run: Run): Promise<void> {
  const { deps } = run;
  const { lease } = settingOf(run);
  const found = await deps.proveSlot(lease, silenceMs);
  if (found === 'answered') {
    deps.slots.answered(lease.model.name);
    proof.slot = 'sound';
  }
  if (found !== 'silent') return;
  proof.slot = 'lost';
  const { tookMs } = await lease.cure(deps.closing);
  proof.reloadMs = tookMs;
  if ((await deps.proveSlot(lease, silenceMs)) !== 'answered') return;
  deps.slots.answered(lease.model.name);
  proof.slot = 'cured';
}

function pause(ms: number, { clock, closing }: Run['deps']): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      timer.cancel();
      closing.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.after(ms, end);
    closing.addEventListener('abort', end, { once: true });
  });
}
