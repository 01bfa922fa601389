/** What is asked once more instead of failing the turn, and what has to be so before that (design 4). */
import { AndironError, type ErrorCode } from '../../protocol/errors.ts';
import type { Regained } from './deps.ts';
import { emitNote } from './note-item.ts';
import { settingOf, type Run } from './run.ts';

/** The answer broke off, or nobody was there to give one: the engine may be restarting. */
const brokenOff: ReadonlySet<ErrorCode> = new Set(['stream_cut', 'engine_unavailable']);

export function isWorthAsking(error: unknown): error is AndironError {
  return error instanceof AndironError && brokenOff.has(error.code);
}

/** Waits for what is missing and tells why it is asked again. Throws when the engine stays away, or when stopped. */
export async function askAgain(run: Run): Promise<void> {
  const { emit, signal } = run;
  const setting = settingOf(run);
  emit({ type: 'turn/phase', phase: 'lease' });
  const regained = await setting.lease.regain((phase) => emit({ type: 'turn/phase', phase }), signal);
  run.setting = { ...setting, lease: regained.lease };
  emitNote('reask', describe(regained), run);
}

function describe({ lease, loaded, versions }: Regained): string {
  const { before, now } = versions;
  const upgraded = before === now ? '' : ` Ollama ${before} was replaced by ${now}.`;
  const reloaded = loaded ? ` ${lease.model.name} was loaded again.` : '';
  return `The answer was cut off.${upgraded}${reloaded} Asked again.`;
}
