/**
 * After a host died: what it left unfinished is closed, in one transaction, so that the history is valid and the
 * person sees what is known. Nothing that may have happened is repeated (design 9).
 */
import type { NewId } from '../../platform/clock.ts';
import type { Item, Turn } from '../../protocol/model.ts';
import type { ContextStore } from './context.ts';
import { interruptedResult } from './context.ts';
import type { CallCounts, Journal } from './journal.ts';
import type { SessionStore } from './sessions.ts';
import type { Database } from './sqlite.ts';
import type { TranscriptStore } from './transcript.ts';

export interface InterruptedTurn extends CallCounts {
  sessionId: string;
  turnId: string;
}

export interface RecoverDeps {
  database: Database;
  sessions: SessionStore;
  transcript: TranscriptStore;
  context: ContextStore;
  journal: Journal;
}

/** Stands for the answer that never came: roles alternate, so that a user message may follow. */
const interruptedAnswer = 'I was interrupted before I could finish.';

/** Once, on start, before any turn runs. Queued turns stay queued: they did not begin. */
export function markInterrupted(deps: RecoverDeps, now: number, newId: NewId): InterruptedTurn[] {
  const { database, transcript } = deps;
  return database.transaction(() =>
    transcript.runningTurns().map(({ sessionId, turn }) => {
      const counts = interrupt(deps, sessionId, turn, now, newId('item_'));
      return { sessionId, turnId: turn.id, ...counts };
    }),
  );
}

function interrupt(
  deps: RecoverDeps,
  sessionId: string,
  turn: Turn,
  now: number,
  noticeId: string,
): CallCounts {
  const { sessions, transcript, context, journal } = deps;
  const open = transcript.openItems(turn.id);
  for (const item of open) transcript.saveItem(sessionId, cut(item, now));
  context.settlePlaceholders(sessionId);
  answerForTheModel(context, sessionId, open);

  const counts = journal.countCalls(turn.id);
  transcript.saveItem(sessionId, {
    kind: 'error',
    id: noticeId,
    turnId: turn.id,
    index: transcript.nextItemIndex(sessionId),
    startedAt: now,
    completedAt: now,
    cut: false,
    code: 'interrupted',
    ...describe(counts),
  });
  transcript.saveTurn(sessionId, {
    ...turn,
    status: 'interrupted',
    phase: null,
    phaseSince: null,
    endedAt: now,
    closed: true,
  });
  sessions.updateSession(sessionId, { status: 'idle' });
  return counts;
}

/** Unanswered calls already have their placeholders; what is missing is an assistant message at the end. */
function answerForTheModel(context: ContextStore, sessionId: string, open: Item[]): void {
  const role = context.lastRole(sessionId);
  if (role === null || role === 'assistant') return;
  const said = open.flatMap((item) => (item.kind === 'text' ? [item.text] : [])).join('');
  const content = said.trim() === '' ? interruptedAnswer : said;
  context.appendContext(sessionId, [{ role: 'assistant', content, thinking: '', calls: [] }]);
}

function cut(item: Item, now: number): Item {
  const closed = { ...item, completedAt: now, cut: true };
  return closed.kind === 'tool' ? { ...closed, state: 'interrupted', result: interruptedResult } : closed;
}

function describe({ ran, unknown }: CallCounts): { message: string; advice: string } {
  const message = 'Andiron ended while this turn was running.';
  if (ran + unknown === 0) return { message, advice: 'Send a message to go on.' };
  return {
    message: `${message} Of its tool calls ${String(ran)} ran, ${String(unknown)} unknown.`,
    advice:
      unknown === 0
        ? 'Nothing is repeated by itself. Send a message to go on.'
        : 'Look at what the unknown one did before you go on; nothing is repeated by itself.',
  };
}
