/**
 * Learns facts about the person from sessions that have been idle: on the session's live prompt, only
 * while nothing else runs and only on a model that is in memory anyway. Whatever a person starts comes first.
 */
import type { Clock, Timer } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { SessionSummary } from '../../protocol/model.ts';
import { askSide } from '../loop/request/ask-side.ts';
import type { EngineAccess } from '../loop/deps.ts';
import type { RequestScope } from '../loop/ports.ts';
import { takeSetting } from '../loop/setting.ts';
import { extractionDue, extractMemory, idleMs, type ReadableSession } from '../memory/extraction.ts';
import type { Memories } from '../memory/memories.ts';
import { escapeNotes } from '../prompt/notes.ts';
import type { StoredMessage } from '../store/context.ts';
import type { Store } from '../store/store.ts';
import type { Session } from './session.ts';
import { importedTurns, sessionTaint } from '../approvals/taint.ts';

const lookEveryMs = 5 * 60_000;
/** A session whose profile or model does not allow it now is passed over for so long: those behind it get their turn. */
const refusedMs = 60 * 60_000;
const answerTokens = 800;
const temperature = 0.3;
const notExtracted = 'Memory could not be extracted';

export interface MemoryWorkDeps {
  store: Store;
  memories: Memories;
  engine: EngineAccess;
  clock: Clock;
  log: Log;
  open: (sessionId: string) => Session;
  /** The engine holds what was asked beside this conversation. */
  onAsked: (session: Session) => void;
}

export function createMemoryWork(deps: MemoryWorkDeps) {
  const { store, clock, log } = deps;
  let running = 0;
  let controller: AbortController | undefined;
  /** By session, until when. */
  const refused = new Map<string, number>();
  let work: Promise<void> = Promise.resolve();
  let timer: Timer = clock.after(lookEveryMs, () => look());

  function look(): void {
    timer = clock.after(lookEveryMs, () => look());
    const session = running === 0 && !controller ? firstDue() : undefined;
    if (!session) return;
    const calledOff = new AbortController();
    controller = calledOff;
    work = learnFirst(session, calledOff.signal).finally(() => (controller = undefined));
  }

  /** Never rejects. */
  async function learnFirst(due: Session, signal: AbortSignal): Promise<void> {
    for (let session: Session | undefined = due; session && !signal.aborted; session = firstDue()) {
      try {
        if (await learn(session, signal, deps)) return;
      } catch (error) {
        log.error(notExtracted, error, { sessionId: session.id });
      }
      if (!signal.aborted) refused.set(session.id, clock.now() + refusedMs);
    }
  }

  /** Runs in a timer, where nobody catches: a session that cannot be read is logged, and the next one gets its turn. */
  function firstDue(): Session | undefined {
    for (const summary of listed()) {
      try {
        if (!isRefused(summary.id) && isDue(summary)) return deps.open(summary.id);
      } catch (error) {
        log.error(notExtracted, error, { sessionId: summary.id });
      }
    }
    return undefined;
  }

  function isRefused(id: string): boolean {
    const until = refused.get(id);
    if (until !== undefined && until <= clock.now()) refused.delete(id);
    return refused.has(id);
  }

  function listed(): readonly SessionSummary[] {
    try {
      return store.listSessions();
    } catch (error) {
      log.error(notExtracted, error, {});
      return [];
    }
  }

  /** Asked of every idle session every few minutes, so no message is read for it. */
  function isDue({ id, updatedAt }: SessionSummary): boolean {
    const now = clock.now();
    if (now - updatedAt < idleMs) return false;
    const session = {
      generation: store.generation(id),
      messages: store.contextLength(id),
      idleSince: updatedAt,
    };
    return extractionDue(store.readExtraction(id), session, now);
  }

  const callOff = (): void =>
    controller?.abort(new AndironError('cancelled', 'Something more urgent needs the GPU.'));

  return {
    /** So many turns run now: any of them calls the work off. */
    turns(count: number): void {
      running = count;
      if (count > 0) callOff();
    },
    async close(): Promise<void> {
      timer.cancel();
      callOff();
      await work;
    },
  };
}

/** False = its profile or its model does not allow it now. */
async function learn(session: Session, signal: AbortSignal, deps: MemoryWorkDeps): Promise<boolean> {
  const waiting = session.sideRun(signal);
  const active = waiting.model.active();
  if (!active.profile.memoryEnabled) return false;
  const model = await deps.engine.chooseModel(active.profile, active.pinnedModel, signal);
  // Nobody waits for this: no model is loaded for it.
  if (!(await deps.engine.residency(model.name))?.loaded) return false;
  const scope = { ...waiting, setting: await takeSetting(active, 'Memory', waiting, signal) };
  try {
    const { memories, store, clock, log } = deps;
    const memory = memories.ofSession(session.id);
    const ask = (instruction: string): Promise<string> => askAside(instruction, scope, signal);
    await extractMemory({ memory, store, ask, escape: escapeNotes, clock, log }, readable(session, store));
    return true;
  } finally {
    scope.setting.lease.release(false);
    deps.onAsked(session);
  }
}

async function askAside(instruction: string, scope: RequestScope, signal: AbortSignal): Promise<string> {
  const messages = [...scope.history.log.messages(), { role: 'user' as const, content: instruction }];
  const question = { purpose: 'memory', messages, maxTextTokens: answerTokens, temperature } as const;
  const reply = await askSide(question, scope, signal);
  return reply.text;
}

/**
 * Of the user messages only what the person wrote: openings, notes, instructions and summaries are Andiron's words, and
 * those of an imported conversation, or of a prompt of a server, may be anybody's.
 */
function readable(session: Session, store: Store): ReadableSession {
  const imported = importedTurns(store, session.id);
  const turns = session.state.turns.filter(({ id, from }) => !imported.has(id) && !from);
  const said = new Map(turns.map(({ id, text }) => [id, text]));
  const messages = session.log.owned().map(({ message, turnId }): StoredMessage => {
    // Who wrote an imported answer is as unknown as who wrote the question.
    if (message.role === 'assistant' && turnId !== null && imported.has(turnId))
      return { ...message, content: '', thinking: '' };
    if (message.role !== 'user') return message;
    const content = turnId === null ? '' : (said.get(turnId) ?? '');
    // The first message of a turn is the person's, what follows in it is an instruction.
    if (turnId !== null) said.delete(turnId);
    return { role: 'user', content };
  });
  const hasForeignText = sessionTaint(store, session.id, session.log.messages()) !== null;
  return { id: session.id, generation: store.generation(session.id), messages, hasForeignText };
}
