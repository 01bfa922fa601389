/** What is asked once more instead of failing the turn, and what has to be so before that. */
import type { AndironError, ErrorCode } from '../../protocol/errors.ts';
import type { Reacquired, Setting, SlotWatch } from './deps.ts';
import type { Output } from './output.ts';
import type { RequestScope } from './ports.ts';

/** The answer broke off, or nobody was there to give one: the engine may be restarting. */
const brokenOff: ReadonlySet<ErrorCode> = new Set(['stream_cut', 'engine_unavailable']);

export function isWorthAsking(error: AndironError, model: string, slots: SlotWatch): boolean {
  return brokenOff.has(error.code) || isLostSlot(error, model, slots);
}

/** Silence after a stop that closed against lines; nothing in the engine's answers says so. */
export function isLostSlot(error: AndironError, model: string, slots: SlotWatch): boolean {
  return error.code === 'stream_first_token_timeout' && slots.suspect(model);
}

/**
 * Waits for what is missing, tells why it is asked again, and returns what it is asked with. Throws when the engine stays
 * away, or when stopped.
 */
export async function askAgain(
  error: AndironError,
  { setting, model: { slots }, out }: RequestScope,
  signal: AbortSignal,
): Promise<Setting> {
  const { lease } = setting;
  if (isLostSlot(error, lease.model.name, slots)) {
    await cureSlot(setting, slots, out, signal);
    return setting;
  }
  out.emit({ type: 'turn/phase', phase: 'lease' });
  const reacquired = await lease.reacquire((phase) => out.emit({ type: 'turn/phase', phase }), signal);
  out.note('reask', describe(reacquired));
  return { ...setting, lease: reacquired.lease };
}

/** Tells the person in one line that the slot was lost, and what that took. */
async function cureSlot(
  { lease }: Setting,
  slots: SlotWatch,
  out: Output,
  signal: AbortSignal,
): Promise<void> {
  out.emit({ type: 'turn/phase', phase: 'loading' });
  const { tookMs } = await lease.recoverSlot(signal);
  slots.answered(lease.model.name);
  const seconds = String(Math.max(1, Math.round(tookMs / 1000)));
  const text = `Ollama lost its slot when an answer was stopped; ${lease.model.name} was reloaded in ${seconds} s.`;
  out.note('reload', text);
}

function describe({ lease, loaded, versions }: Reacquired): string {
  const { before, now } = versions;
  const upgraded = before === now ? '' : ` Ollama ${before} was replaced by ${now}.`;
  const reloaded = loaded ? ` ${lease.model.name} was loaded again.` : '';
  return `The answer was cut off.${upgraded}${reloaded} Asked again.`;
}
