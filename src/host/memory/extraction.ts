/**
 * Gathers facts from a session that has been idle for a while: one side call for facts, one for the summary, both
 * on the session's own prompt. It never fails the caller: whatever goes wrong, memory stays as it was.
 */
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { StoredMessage } from '../store/context.ts';
import type { ExtractionState, ExtractionStore } from '../store/memory-store.ts';
import {
  factsInstruction,
  maxFacts,
  parseFacts,
  parseSummary,
  summaryInstruction,
} from './extraction-text.ts';
import { factLine, hasShortNames, type PlainFact } from './facts.ts';
import { isWithin, stems, whatWasSaid } from './grounding.ts';
import type { Memory } from './memory.ts';
import type { Escape } from './memory-block.ts';
import { isToldBy, ownWords } from './own-words.ts';

export interface ExtractionDeps {
  memory: Memory;
  store: ExtractionStore & { transaction: <T>(run: () => T) => T };
  /**
   * One side call on the session's live prompt: the instruction appended, temperature 0.3, no tool executed. Rejects
   * with AndironError `cancelled` when something more urgent needs the GPU; that is no failure.
   */
  ask: (instruction: string) => Promise<string>;
  escape: Escape;
  clock: Clock;
  log: Log;
}

export interface ReadableSession {
  id: string;
  generation: number;
  /**
   * The whole context of this generation, but of the user messages only what the person wrote: opening, notes,
   * Andiron's instructions and summaries taken out, '' where nothing is left.
   */
  messages: readonly StoredMessage[];
  /** The model has read what the person did not write, in whatever context of this session: it may say what that said. */
  hasForeignText: boolean;
}

export type ExtractionOutcome =
  /** `refused`: what was not taken, and why, one line each. */
  | { status: 'extracted'; saved: number; refused: string[]; summary: 'renewed' | 'kept' }
  /** The person said nothing new. */
  | { status: 'nothing' }
  /** Called off, or the person changed memory or deleted the session meanwhile: as if it had not begun. */
  | { status: 'interrupted' }
  | { status: 'failed'; problem: string };

/** 2.1: a session is read when nothing happened in it for so long. */
export const idleMs = 30 * 60_000;
/** Then this part of the session is left unread. */
const maxAttempts = 3;
const maxInSummary = 100;

/** Whether there is something unread in a session that has been idle long enough. */
export function extractionDue(
  state: ExtractionState | null,
  session: { generation: number; messages: number; idleSince: number },
  now: number,
): boolean {
  if (now - session.idleSince < idleMs) return false;
  if (state === null) return session.messages > 0;
  if (state.status === 'failed' && now - state.at < idleMs) return false;
  return unreadFrom(state, session.generation) < session.messages;
}

/** Resolves, whatever happens. */
export async function extractMemory(
  deps: ExtractionDeps,
  session: ReadableSession,
): Promise<ExtractionOutcome> {
  // The session may go on while the model is asked.
  const read = { ...session, messages: [...session.messages] };
  try {
    return await extract(deps, read);
  } catch (error) {
    if (error instanceof AndironError && error.code === 'cancelled') return { status: 'interrupted' };
    const problem = reasonOf(error);
    deps.log.warn('Nothing could be learnt from a session', { sessionId: read.id, problem });
    recordFailure(deps, read, problem);
    return { status: 'failed', problem };
  }
}

async function extract(deps: ExtractionDeps, session: ReadableSession): Promise<ExtractionOutcome> {
  const { memory, store } = deps;
  const unread = session.messages.slice(unreadFrom(store.readExtraction(session.id), session.generation));
  const spoken = unread.filter(({ role }) => role === 'user').map(({ content }) => content.trim());
  if (spoken.every((text) => text === '')) {
    return record(deps, session, 'nothing', null) ? { status: 'nothing' } : { status: 'interrupted' };
  }
  const edits = memory.personEdits();
  const isStale = (): boolean => memory.personEdits() !== edits;

  // By the words of what was said last, what is known of it already is found.
  const known = memory.search(spoken.toReversed().join('\n'));
  const facts = parseFacts(await deps.ask(deps.escape(factsInstruction(known))));
  if (isStale()) return { status: 'interrupted' };
  if (facts === null) throw new Error('The model named no facts in the form that was asked for.');
  const taken = takeFacts(deps, session, facts, groundsFor(session));
  if (taken === null) return { status: 'interrupted' };

  const { summary, problem } = await renewSummary(deps, session.hasForeignText, isStale);
  if (problem !== null) record(deps, session, 'extracted', problem);
  return { status: 'extracted', ...taken, summary };
}

/** All facts of one answer together with how far the session was read; null = the session is gone. */
function takeFacts(
  deps: ExtractionDeps,
  session: ReadableSession,
  facts: readonly PlainFact[],
  grounds: Grounds,
): { saved: number; refused: string[] } | null {
  const refused: string[] = [];
  let saved = 0;
  return deps.store.transaction(() => {
    // First, so that nothing is saved from a session that is gone.
    if (!record(deps, session, 'extracted', null)) return null;
    for (const fact of facts.slice(0, maxFacts)) {
      const outcome = takeFact(deps.memory, session.id, fact, grounds);
      if (outcome === 'saved') saved += 1;
      else if (outcome !== null) refused.push(outcome);
    }
    return { saved, refused };
  });
}

type Grounds = (fact: PlainFact) => boolean;

/** What a fact must have to be kept without a question. */
function groundsFor({ messages, hasForeignText }: ReadableSession): Grounds {
  if (hasForeignText) {
    const own = ownWords(messages.filter(({ role }) => role === 'user').map(({ content }) => content));
    return (fact) => hasShortNames(fact) && own.bearOut(fact);
  }
  const said = whatWasSaid(messages);
  return (fact) => hasShortNames(fact) && said.bearsOut(fact.value);
}

/** Why it was refused; null = nothing to do. A refusal never repeats a value that may be a secret. */
function takeFact(memory: Memory, sessionId: string, fact: PlainFact, grounds: Grounds): string | null {
  if (!grounds(fact)) return `${fact.key}: the conversation does not say so`;
  try {
    const { change } = memory.save(fact, sessionId, 'noticed');
    return change === 'added' || change === 'changed' ? 'saved' : null;
  } catch (error) {
    if (error instanceof AndironError && error.code === 'invalid_params')
      return `${fact.key}: ${error.message}`;
    throw error;
  }
}

interface SummaryOutcome {
  summary: 'renewed' | 'kept';
  /** Why it could not be renewed. */
  problem: string | null;
}

const kept = (problem: string): SummaryOutcome => ({ summary: 'kept', problem });

/** Never loses the facts that were just taken: what the summary does not tell, the block adds. */
async function renewSummary(
  deps: ExtractionDeps,
  hasForeignText: boolean,
  isStale: () => boolean,
): Promise<SummaryOutcome> {
  const { memory } = deps;
  const before = memory.summary();
  if (before?.byPerson || memory.newerThanSummary(1).length === 0) return { summary: 'kept', problem: null };
  const asOf = memory.asOf();
  const facts = memory
    .list()
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
    .slice(0, maxInSummary);
  try {
    const answer = await deps.ask(deps.escape(summaryInstruction(facts, before?.text ?? '')));
    if (isStale()) return kept('Memory was changed while the summary was written.');
    const basis = [before?.text ?? '', ...facts.map(factLine)];
    const text = bornOutBy(parseSummary(answer) ?? '', basis, hasForeignText);
    if (text === '') return kept('The model wrote no usable summary.');
    memory.setSummary(text, 'model', asOf);
    return { summary: 'renewed', problem: null };
  } catch (error) {
    return kept(reasonOf(error));
  }
}

/** Sentences that tell something else than the facts are left out: the model saw more than the facts. */
function bornOutBy(paragraph: string, basis: readonly string[], hasForeignText: boolean): string {
  const known = stems(basis);
  return paragraph
    .split(/(?<=[.!?。])\s+/u)
    .filter((sentence) => (hasForeignText ? isToldBy(sentence, basis) : isWithin(sentence, known, 1 / 3)))
    .join(' ');
}

function unreadFrom(state: ExtractionState | null, generation: number): number {
  return state?.generation === generation ? state.position : 0;
}

/** False = the session is gone. */
function record(
  { store, clock }: ExtractionDeps,
  session: ReadableSession,
  status: 'extracted' | 'nothing',
  problem: string | null,
): boolean {
  return store.writeExtraction(session.id, {
    generation: session.generation,
    position: session.messages.length,
    status,
    problem,
    attempts: 0,
    at: clock.now(),
  });
}

function recordFailure(
  { store, clock, log }: ExtractionDeps,
  session: ReadableSession,
  problem: string,
): void {
  try {
    const before = store.readExtraction(session.id);
    const attempts = (before?.attempts ?? 0) + 1;
    const givenUp = attempts >= maxAttempts;
    store.writeExtraction(session.id, {
      generation: session.generation,
      position: givenUp ? session.messages.length : unreadFrom(before, session.generation),
      status: 'failed',
      problem,
      attempts: givenUp ? 0 : attempts,
      at: clock.now(),
    });
  } catch (error) {
    log.error('How far a session was read could not be saved', error, { sessionId: session.id });
  }
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
