/** How a turn ends. Whatever happened, the log is a history that any model accepts: roles alternate, calls have results. */
import { AndironError, toWireError } from '../../protocol/errors.ts';
import type { TurnPhase } from '../../protocol/model.ts';
import type { ContextMessage } from '../providers/provider.ts';
import type { ContextLog, EngineAccess } from './deps.ts';
import type { Output } from './output.ts';
import type { Written } from './run.ts';

/** Stands where an answer should. */
export const unanswered = '(no answer: the request failed)';
export const stoppedByPerson = '(stopped by the user)';

/** Keeps what was written, or a word in its place: some templates refuse two user messages in a row. */
export function closeLog(log: ContextLog, out: Output, instead: string, partial?: Written): void {
  const text = partial?.text ?? '';
  const content = text.trim() === '' ? instead : text;
  try {
    log.append(closing(log, content, partial?.thinking));
  } catch (error) {
    // The turn ends in any case; the next one closes the log before it adds to it.
    out.reportBug(error);
  }
}

/** The answer that a message or a result still waits for; nothing where none does. */
export function closing(log: Pick<ContextLog, 'messages'>, content: string, thinking = ''): ContextMessage[] {
  const last = log.messages().at(-1)?.role;
  return last === 'user' || last === 'tool' ? [{ role: 'assistant', content, thinking, calls: [] }] : [];
}

/** The phases in which a reply is written that the person reads. */
export const writing: ReadonlySet<TurnPhase> = new Set(['thinking', 'text', 'call']);

/** Why a turn ends that nobody has stopped. */
export class AppClosed extends AndironError {
  constructor() {
    super('cancelled', 'Andiron was closed.');
  }
}

export interface StopFacts {
  model: string | null;
  during: TurnPhase;
  /** Click to closed connection; null when none was open. */
  closedMs: number | null;
  /** Of the signal: a stop by the app is called one. */
  reason: unknown;
}

/** Proof on the screen: what was closed, and that the model is still there. Returns the item's id. */
export async function endStopped(facts: StopFacts, engine: EngineAccess, out: Output): Promise<string> {
  const residency = facts.model === null ? null : await engine.residency(facts.model);
  const base = out.itemBase(true);
  out.emit({
    type: 'item/started',
    item: {
      ...base,
      kind: 'stopped',
      closedMs: facts.closedMs,
      ...(facts.reason instanceof AppClosed && { appClosed: true }),
      model: facts.model ?? '',
      stillLoaded: residency?.loaded ?? null,
      vramBytes: residency?.vramBytes ?? null,
      during: facts.during,
    },
  });
  out.emit({ type: 'turn/stopped' });
  return base.id;
}

/** For an error that names no next step: nobody is left with a failed turn and nothing to do. */
const adviceWithout = 'Send again. If it happens again, the log has the details.';

export function endFailed(error: unknown, out: Output): void {
  if (!(error instanceof AndironError)) out.reportBug(error);
  const { code, message, advice = adviceWithout } = toWireError(error);
  out.emit({ type: 'item/started', item: { ...out.itemBase(true), kind: 'error', code, message, advice } });
  out.emit({ type: 'turn/failed', error: { code, message, advice } });
}
