/** What must hold of a session whatever happened to it. Each check returns what is wrong, in words; empty = nothing. */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { openDatabase } from '../../src/host/store/sqlite.ts';
import { contextMessageSchema, type StoredMessage } from '../../src/host/store/context.ts';
import { sessionEventSchema, type SessionEvent } from '../../src/protocol/events.ts';
import type { Item, SessionSnapshot, Turn } from '../../src/protocol/model.ts';
import type { TruthRequest } from '../../src/sim/index.ts';

interface Spoken {
  role: string;
  /** Ids of an assistant's calls. */
  calls: string[];
  /** Of a result. */
  callId: string | undefined;
}

/** Roles alternate, and right behind every call stands its one result, in order: what every template accepts. */
function historyProblems(messages: readonly Spoken[], where: string): string[] {
  const problems: string[] = [];
  let open: string[] = [];
  let before = 'assistant';
  for (const [index, { role, calls, callId }] of messages.entries()) {
    const at = `${where}, message ${String(index)}`;
    if (role === 'tool') {
      if (open[0] !== callId)
        problems.push(`${at}: a result of ${String(callId)}, expected ${String(open[0])}`);
      open = open.filter((id) => id !== callId);
      before = 'tool';
      continue;
    }
    if (open.length > 0) problems.push(`${at}: ${open.join(', ')} have no result`);
    open = [...calls];
    const follows = role === 'user' ? before === 'assistant' : before === 'user' || before === 'tool';
    if (!follows) problems.push(`${at}: ${role} after ${before}`);
    if (new Set(calls).size < calls.length) problems.push(`${at}: a call id twice`);
    before = role;
  }
  if (open.length > 0) problems.push(`${where}: ${open.join(', ')} have no result at the end`);
  return problems;
}

/** @param atRest nothing runs, so the last word is the assistant's. */
export function contextProblems(messages: readonly StoredMessage[], atRest: boolean): string[] {
  const spoken = messages.map((message) => ({
    role: message.role,
    calls: message.role === 'assistant' ? message.calls.map((call) => call.id) : [],
    callId: message.role === 'tool' ? message.callId : undefined,
  }));
  const last = messages.at(-1)?.role;
  const ending = atRest && last !== undefined && last !== 'assistant' ? [`the log ends with ${last}`] : [];
  return [...historyProblems(spoken, 'log'), ...ending];
}

const sentSchema = z.object({
  messages: z.array(
    z.object({
      role: z.string(),
      tool_calls: z.array(z.object({ id: z.string() })).optional(),
      tool_call_id: z.string().optional(),
    }),
  ),
});

/** A request as the engine got it: the head first and never again, then a valid history that asks for an answer. */
export function requestProblems(request: TruthRequest): string[] {
  const where = `request ${String(request.id)}`;
  const [head, ...messages] = sentSchema.parse(request.body).messages;
  const spoken = messages.map(({ role, tool_calls = [], tool_call_id: callId }) => ({
    role,
    calls: tool_calls.map(({ id }) => id),
    callId,
  }));
  const last = messages.at(-1)?.role;
  return [
    ...(head?.role === 'system' ? [] : [`${where}: does not begin with the head`]),
    ...(messages.some(({ role }) => role === 'system') ? [`${where}: a second system message`] : []),
    ...(last === 'user' || last === 'tool' ? [] : [`${where}: ends with ${String(last)}`]),
    ...historyProblems(spoken, where),
  ];
}

/** One process's events of one session: numbered without gaps, one turn at a time, nothing after the close. */
export function eventProblems(events: readonly SessionEvent[], firstSeq: number): string[] {
  const problems: string[] = [];
  let running: string | undefined;
  const closed = new Set<string>();
  const ended = new Map<string, string>();
  const held = new Set<string>();
  for (const [index, event] of events.entries()) {
    const parsed = sessionEventSchema.safeParse(event);
    if (!parsed.success) problems.push(`event ${String(event.seq)}: ${z.prettifyError(parsed.error)}`);
    if (event.seq !== firstSeq + index)
      problems.push(`event ${String(event.seq)} at ${String(firstSeq + index)}`);
    const { turnId } = event;
    if (turnId === null) continue;
    const { type } = event.event;
    if (closed.has(turnId)) problems.push(`${type} after the close of ${turnId}`);
    if (type === 'turn/held') held.add(turnId);
    if (type === 'turn/queued' && event.event.turn.waitsFor === undefined) held.delete(turnId);
    if (type === 'turn/started') {
      if (held.has(turnId)) problems.push(`${turnId} started although it waits for the person`);
      if (running !== undefined) problems.push(`${turnId} started while ${running} runs`);
      running = turnId;
    }
    if (['turn/finished', 'turn/stopped', 'turn/failed', 'turn/capped', 'turn/interrupted'].includes(type)) {
      if (ended.has(turnId)) problems.push(`${turnId}: ${type} after ${String(ended.get(turnId))}`);
      ended.set(turnId, type);
    }
    if (type === 'turn/closed') {
      if (!ended.has(turnId)) problems.push(`${turnId} was closed without an end`);
      closed.add(turnId);
      running = undefined;
    }
  }
  return problems;
}

const liveTool = new Set(['streaming', 'awaiting_approval', 'running']);

/** A turn that is over looks like it: every item complete, no tool alive, the message there, a failure with its reason. */
export function endedTurnProblems(snapshot: SessionSnapshot): string[] {
  const problems: string[] = [];
  const { session, turns, items } = snapshot;
  for (const turn of turns) {
    if (turn.status === 'queued') continue;
    const own = items.filter((item) => item.turnId === turn.id);
    const where = `${turn.id} (${turn.status})`;
    if (turn.status === 'running' || !turn.closed) problems.push(`${where} is not closed`);
    if (turn.phase !== null) problems.push(`${where} has the phase ${turn.phase}`);
    if (turn.endedAt === null) problems.push(`${where} has no end`);
    const said = own.filter((item) => item.kind === 'user').map((item) => item.text);
    if (said.length !== 1 || said[0] !== turn.text)
      problems.push(`${where}: its message is ${JSON.stringify(said)}`);
    for (const item of own) {
      if (item.kind === 'tool' && item.state === 'failed' && item.result === '')
        problems.push(`${where}: ${item.tool} failed in silence`);
      if (item.completedAt === null) problems.push(`${where}: ${item.kind} ${item.id} is open`);
      if (item.kind === 'tool' && liveTool.has(item.state))
        problems.push(`${where}: ${item.tool} is ${item.state}`);
    }
    const told = own.findLast((item) => item.kind === 'error');
    const failed = turn.status === 'failed' || turn.status === 'interrupted';
    if (failed && !told) problems.push(`${where}: nobody is told why`);
    if (told && (told.message === '' || told.advice === ''))
      problems.push(`${where}: ${told.code} without advice`);
    if (told?.code === 'internal') problems.push(`${where}: ${told.message}`);
    if (turn.status === 'stopped' && !own.some((item) => item.kind === 'stopped'))
      problems.push(`${where}: no proof`);
  }
  const indexes = items.map((item) => item.index);
  if (indexes.some((index, at) => at > 0 && index <= (indexes[at - 1] ?? 0))) {
    problems.push(`items stand at ${indexes.join(' ')}`);
  }
  if (['queued', 'running', 'asking'].includes(session.status))
    problems.push(`the session is ${session.status}`);
  return problems;
}

/** What a window was told by a process that died is there after it, apart from the second of an open item. */
export function lossProblems(told: SessionSnapshot, kept: SessionSnapshot): string[] {
  const problems: string[] = [];
  if (facts(told.session) !== facts(kept.session)) {
    problems.push(`the session was ${facts(told.session)} and is ${facts(kept.session)}`);
  }
  const turns = new Map(kept.turns.map((turn) => [turn.id, turn]));
  for (const turn of told.turns) {
    const now = turns.get(turn.id);
    if (!now) problems.push(`${turn.id} is gone`);
    else if (!sameTurn(turn, now))
      problems.push(`${turn.id} was ${JSON.stringify(turn)} and is ${JSON.stringify(now)}`);
  }
  const items = new Map(kept.items.map((item) => [item.id, item]));
  for (const item of told.items) {
    const now = items.get(item.id);
    if (!now) problems.push(`${item.kind} ${item.id} is gone`);
    else if (!sameItem(item, now))
      problems.push(`${item.id} was ${JSON.stringify(item)} and is ${JSON.stringify(now)}`);
  }
  return problems;
}

/** What a person has chosen. */
function facts({ title, pinned, model, profileId }: SessionSnapshot['session']): string {
  return JSON.stringify({ title, pinned, model, profileId });
}

function sameTurn(told: Turn, kept: Turn): boolean {
  if (told.status === 'queued') return kept.text === told.text;
  const over = told.status !== 'running';
  return (
    kept.text === told.text &&
    kept.usage.length >= told.usage.length &&
    (!over || kept.status === told.status)
  );
}

function sameItem(told: Item, kept: Item): boolean {
  if (told.completedAt !== null) return isDeepStrictEqual(told, kept);
  return (
    told.kind === kept.kind && (!('text' in kept) || !('text' in told) || told.text.startsWith(kept.text))
  );
}

const text = z.string();
const callRow = z.object({
  session_id: text,
  call_id: text,
  tool: text,
  started_at: z.number(),
  ended_at: z.number().nullable(),
});
const approvalRow = z.object({
  session_id: text,
  call_id: text,
  tool: text,
  decision: text,
  scope: text,
  answered_at: z.number(),
});
const contextRow = z.object({ session_id: text, body: text });
const asksFirst = new Set(['write_file', 'edit_file', 'run_command']);

/** The file as it lies there: valid logs, and no tool that must ask ran without a recorded yes. */
export function storedProblems(dir: string, atRest: boolean): string[] {
  const database = openDatabase(join(dir, 'data', 'andiron.db'));
  try {
    const contexts = database.query(
      `SELECT session_id, body FROM context JOIN sessions ON sessions.id = session_id
         WHERE context.generation = sessions.generation ORDER BY session_id, position`,
      contextRow,
    );
    const calls = database.query(
      'SELECT session_id, call_id, tool, started_at, ended_at FROM tool_calls',
      callRow,
    );
    const answers = database.query(
      'SELECT session_id, call_id, tool, decision, scope, answered_at FROM approvals',
      approvalRow,
    );
    const logs = Map.groupBy(contexts.all(), (row) => row.session_id);
    const approvals = answers.all();
    const unasked = calls
      .all()
      .filter(({ tool }) => asksFirst.has(tool))
      .filter(
        (call) =>
          !approvals.some(
            (answer) =>
              answer.session_id === call.session_id &&
              answer.decision === 'allow' &&
              answer.answered_at <= call.started_at &&
              (answer.call_id === call.call_id || (answer.scope === 'session' && answer.tool === call.tool)),
          ),
      );
    return [
      ...[...logs.values()].flatMap((rows) =>
        contextProblems(
          rows.map(({ body }) => contextMessageSchema.parse(JSON.parse(body))),
          atRest,
        ),
      ),
      ...unasked.map((call) => `${call.tool} ${call.call_id} ran without a recorded decision`),
    ];
  } finally {
    database.close();
  }
}
