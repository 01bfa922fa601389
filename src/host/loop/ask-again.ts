/** What is asked once more instead of failing the turn, and what has to be so before that. */
import type { AndironError, ErrorCode } from '../../protocol/errors.ts';
import type { Reacquired } from './deps.ts';
import { emitNote } from './note-item.ts';
import { settingOf, type Run } from './run.ts';

/** The answer broke off, or nobody was there to give one: the engine may be restarting. */
const brokenOff: ReadonlySet<ErrorCode> = new Set(['stream_cut', 'engine_unavailable']);

export function isWorthAsking(error: AndironError, run: Run): boolean {
  return brokenOff.has(error.code) || isLostSlot(error, run);
}

/** Silence after a stop that closed against lines; nothing in the engine's answers says so. */
function isLostSlot(error: AndironError, { deps, setting }: Run): boolean {
  const silent = error.code === 'stream_first_token_timeout';
  return silent && setting !== undefined && deps.slots.suspect(setting.lease.model.name);
}

/** Waits for what is missing and tells why it is asked again. Throws when the engine stays away, or when stopped. */
export async function askAgain(error: AndironError, run: Run): Promise<void> {
  const { emit, signal } = run;
  const setting = settingOf(run);
  if (isLostSlot(error, run)) {
    await cureSlot(run);
    return;
  }
  emit({ type: 'turn/phase', phase: 'lease' });
  const reacquired = await setting.lease.reacquire((phase) => emit({ type: 'turn/phase', phase }), signal);
  run.setting = { ...setting, lease: reacquired.lease };
  emitNote('reask', describe(reacquired), run);
}

/** Tells the person in one line that the slot was lost, and what that took. */
async function cureSlot(run: Run): Promise<void> {
  const { deps, emit, signal } = run;
  const { lease } = settingOf(run);
  emit({ type: 'turn/phase', phase: 'loading' });
  const { tookMs } = await lease.recoverSlot(signal);
  deps.slots.answered(lease.model.name);
  const seconds = String(Math.max(1, Math.round(tookMs / 1000)));
  const text = `Ollama lost its slot when an answer was stopped; ${lease.model.name} was reloaded in ${seconds} s.`;
  emitNote('reload', text, run);
}

function describe({ lease, loaded, versions }: Reacquired): string {
  const { before, now } = versions;
  const upgraded = before === now ? '' : ` Ollama ${before} was replaced by ${now}.`;
  const reloaded = loaded ? ` ${lease.model.name} was loaded again.` : '';
  return `The answer was cut off.${upgraded}${reloaded} Asked again.`;
}
