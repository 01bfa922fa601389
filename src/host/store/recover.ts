/**
 * After a host died: what it left unfinished is closed, in one transaction, so that the history is valid and the
 * person sees what is known. Nothing that may have happened is repeated.
 */
import type { NewId } from '../../platform/clock.ts';
import type { Item, Turn } from '../../protocol/model.ts';
import { interruptedResult, type ContextStore } from './context.ts';
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
  const { database, sessions, transcript } = deps;
  return database.transaction(() => {
    sessions.nobodyWorks();
    return transcript.unclosedTurns().flatMap(({ sessionId, turn }) => {
      if (turn.status === 'running') {
        const counts = interrupt(deps, sessionId, turn, now, newId);
        return [{ sessionId, turnId: turn.id, ...counts }];
      }
      // It had ended, and died before it said so.
      transcript.saveTurn(sessionId, { ...turn, closed: true });
      return [];
    });
  });
}

function interrupt(deps: RecoverDeps, sessionId: string, turn: Turn, now: number, newId: NewId): CallCounts {
  const { transcript, context, journal } = deps;
  const shown = () => ({
    id: newId('item_'),
    turnId: turn.id,
    index: transcript.nextItemIndex(sessionId),
    startedAt: now,
    completedAt: now,
    cut: false,
  });
  const open = transcript.openItems(turn.id);
  for (const item of open) transcript.saveItem(sessionId, cut(item, now));
  // A compaction that the person asked for is a turn without a message.
  const { text, attachments } = turn;
  const hasMessage = text !== '' || attachments !== undefined;
  if (hasMessage && transcript.newestItem(sessionId)?.turnId !== turn.id)
    transcript.saveItem(sessionId, { ...shown(), kind: 'user', text, ...(attachments && { attachments }) });
  const messageRead =
    !hasMessage ||
    context.contextWithTurn(sessionId, turn.id) !== null ||
    context.lastRole(sessionId) === 'user';
  context.settlePlaceholders(sessionId);
  answerForTheModel(context, sessionId, turn.id, open);

  const counts = journal.countCalls(turn.id);
  transcript.saveItem(sessionId, {
    ...shown(),
    kind: 'error',
    code: 'interrupted',
    ...(messageRead ? describe(counts) : unread),
  });
  transcript.saveTurn(sessionId, {
    ...turn,
    status: 'interrupted',
    phase: null,
    phaseSince: null,
    endedAt: now,
    closed: true,
  });
  return counts;
}

/** Unanswered calls already have their placeholders; what is missing is an assistant message at the end. */
function answerForTheModel(context: ContextStore, sessionId: string, turnId: string, open: Item[]): void {
  const role = context.lastRole(sessionId);
  if (role === null || role === 'assistant') return;
  const said = open
    .flatMap((item) => (item.kind === 'text' && item.parentCallId === undefined ? [item.text] : []))
    .join('');
  const content = said.trim() === '' ? interruptedAnswer : said;
  context.appendContext(sessionId, [{ role: 'assistant', content, thinking: '', calls: [] }], turnId);
}

function cut(item: Item, now: number): Item {
  const closed = { ...item, completedAt: now, cut: true };
  if (closed.kind !== 'tool') return closed;
  const { agent } = closed;
  return {
    ...closed,
    state: 'interrupted',
    result: interruptedResult,
    ...(agent && { agent: { ...agent, state: 'ended', stopReason: 'failed', endedAt: now } }),
  };
}

/** Of a message that no log has: an answer to "go on" would not know of it. */
const unread = {
  message: 'Andiron ended before this message reached the model.',
  advice: 'Send it again.',
};

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
