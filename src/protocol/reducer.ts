/**
 * The one reducer: host and renderer apply it to the same events and hold the same state.
 * Pure: ids, times and seq come with the event. Unknown ids are ignored, so an event can never throw.
 */
import type { HostEvent, SessionEvent, TurnEvent } from './events.ts';
import type { ExamProgress, ExamResult } from './exam.ts';
import { ItemList } from './item-list.ts';
import { withFiles } from './added-files.ts';
import { addRequest, withContext } from './session-tokens.ts';
import type {
  Item,
  ProfileProblem,
  Profile,
  RequestUsage,
  SessionSnapshot,
  SessionSummary,
  ToolItem,
  Turn,
  TurnStatus,
} from './model.ts';

export type SessionState = SessionSnapshot;

/** Where a state that came out of the reducer keeps its items as a list. A copy made by `{...state}` has it no more. */
const listKey = Symbol('items as a list');

type Fields = Omit<SessionState, 'items'>;
type Reduced = SessionState & { readonly [listKey]?: Parts };

/** A state as the reducer works on it. */
interface Parts {
  fields: Fields;
  items: ItemList;
}

/** Pure. Costs the same however many items the state has; its `items` are put into an array when they are first read. */
export function reduceSession(state: SessionState, event: SessionEvent): SessionState {
  const parts = partsOf(state);
  const next =
    event.turnId === null
      ? withChange(parts, event.event)
      : reduceTurn(parts, event.event, event.turnId, event.at);
  return next === parts ? state : stateOf(next);
}

/** Its items, to be compared with those of a later state. */
export function itemList(state: SessionState): ItemList {
  return partsOf(state).items;
}

function partsOf(state: Reduced): Parts {
  const known = state[listKey];
  if (known) return known;
  const { items, ...fields } = state;
  return { fields, items: ItemList.from(items) };
}

function stateOf(parts: Parts): SessionState {
  const items = { enumerable: true, configurable: true, get: () => parts.items.toArray() };
  const state: object = Object.defineProperties({ ...parts.fields }, { items, [listKey]: { value: parts } });
  return state as SessionState;
}

function withChange(parts: Parts, change: Extract<SessionEvent, { turnId: null }>['event']): Parts {
  switch (change.type) {
    case 'session/warmed':
      return withFields(parts, { warmth: change.warmth });
    case 'files/changed':
      return withFields(parts, { files: change.files });
    case 'session/changed':
      return withFields(parts, { session: change.session });
  }
}

/** The event of a turn with this type, or one of them where `Type` is a union or a template. */
type EventOf<Type extends string> = Extract<TurnEvent, { type: Type }>;
type ListEvent = EventOf<
  'turn/queued' | 'turn/withdrawn' | 'turn/held' | 'turn/edited' | 'turn/replaced' | 'turn/chosen'
>;
type ProgressEvent = EventOf<
  | 'turn/started'
  | 'turn/model'
  | 'turn/scoped'
  | 'turn/phase'
  | 'turn/closed'
  | 'prefill/progressed'
  | 'planning/status'
>;
type EndEvent = EventOf<keyof typeof endStatuses>;
type ItemEvent = EventOf<`item/${string}` | 'compaction/undone' | 'stop/proved'>;
type ToolEvent = EventOf<`tool/${string}` | `approval/${string}` | 'agent/changed'>;

/** Every event has its one place here: a type that has none does not compile. */
function reduceTurn(state: Parts, event: TurnEvent, turnId: string, at: number): Parts {
  switch (event.type) {
    case 'turn/queued':
    case 'turn/withdrawn':
    case 'turn/held':
    case 'turn/edited':
    case 'turn/replaced':
    case 'turn/chosen':
      return withListed(state, event, turnId);
    case 'turn/started':
    case 'turn/model':
    case 'turn/scoped':
    case 'turn/phase':
    case 'turn/closed':
    case 'prefill/progressed':
    case 'planning/status':
      return withTurn(state, turnId, (turn) => progressed(turn, event, at));
    case 'turn/finished':
    case 'turn/stopped':
    case 'turn/failed':
    case 'turn/capped':
    case 'turn/interrupted':
      return withEnd(state, event, turnId, at);
    case 'item/started':
      return { ...state, items: state.items.append(event.item) };
    case 'item/delta':
    case 'item/rewritten':
    case 'item/completed':
    case 'compaction/undone':
    case 'stop/proved':
      return withItem(state, event.itemId, (item) => changedItem(item, event, at));
    case 'tool/repaired':
    case 'tool/started':
    case 'tool/output':
    case 'tool/finished':
    case 'approval/requested':
    case 'approval/resolved':
    case 'agent/changed':
      return withTool(state, event.itemId, (item) => changedTool(item, event, at));
    case 'todo/changed':
      return withFields(state, { todo: event.todo });
    case 'files/added':
      return withTurn(state, turnId, (turn) => ({
        ...turn,
        files: withFiles(turn.files ?? [], event.files),
      }));
    case 'usage/measured':
      return withUsage(state, event.usage, turnId);
    case 'context/measured':
      return withMeasuredContext(state, event.context);
  }
}

/** The list of turns: which there are, what they say, and which of them still count. */
function withListed(state: Parts, event: ListEvent, turnId: string): Parts {
  const { turns } = state.fields;
  switch (event.type) {
    case 'turn/queued':
      return withFields(state, { turns: [...turns, event.turn] });
    case 'turn/withdrawn':
      return withFields(state, { turns: turns.filter((turn) => turn.id !== turnId) });
    case 'turn/held':
      return withTurn(state, turnId, (turn) => ({ ...turn, waitsFor: event.waitsFor }));
    case 'turn/edited':
      return withTurn(state, turnId, (turn) => ({ ...turn, text: event.text }));
    case 'turn/replaced':
      return withFields(state, { turns: replacedFrom(turns, turnId, event.switchable) });
    case 'turn/chosen': {
      const chosen = new Set(event.turns.map(({ id }) => id));
      const others = replacedFrom(turns, turnId, true).filter(({ id }) => !chosen.has(id));
      return withFields(state, { turns: [...others, ...event.turns] });
    }
  }
}

function replacedFrom(turns: readonly Turn[], turnId: string, switchable: true | undefined): Turn[] {
  const from = turns.findIndex((turn) => turn.id === turnId);
  return turns.map((turn, index) => (from === -1 || index < from ? turn : replacedTurn(turn, switchable)));
}

/** What was replaced before stays as it was, unless nothing leads back any more. */
function replacedTurn({ switchable: was, ...turn }: Turn, switchable: true | undefined): Turn {
  if (!switchable) return { ...turn, replaced: true };
  const leadsBack = turn.replaced ? was : switchable;
  return { ...turn, replaced: true, ...(leadsBack && { switchable: leadsBack }) };
}

/** How far a turn has come. */
function progressed(turn: Turn, event: ProgressEvent, at: number): Turn {
  switch (event.type) {
    case 'turn/started': {
      const { profileId } = event;
      return { ...turn, status: 'running', profileId, startedAt: at, phase: 'lease', phaseSince: at };
    }
    case 'turn/model':
      return { ...turn, model: event.model, profileId: event.profileId };
    case 'turn/scoped':
      return turn.scope ? turn : { ...turn, scope: event.scope };
    case 'turn/phase': {
      const { prefill: _read, ahead: before, ...rest } = turn;
      const { phase, ahead } = event;
      // Others who move in the line do not begin the wait anew.
      const moved = phase === 'lease' && turn.phase === 'lease' && ahead !== before;
      const phaseSince = moved ? turn.phaseSince : at;
      return { ...rest, ...asked(turn, at), phase, phaseSince, ...(ahead !== undefined && { ahead }) };
    }
    case 'prefill/progressed':
      return { ...turn, prefill: event.prefill };
    case 'planning/status': {
      const { planning: _before, ...rest } = turn;
      return event.phase === null ? rest : { ...rest, planning: event.phase };
    }
    case 'turn/closed':
      return { ...turn, closed: true, phase: null, phaseSince: null };
  }
}

const endStatuses = {
  'turn/finished': 'finished',
  'turn/stopped': 'stopped',
  'turn/failed': 'failed',
  'turn/capped': 'max_iterations',
  'turn/interrupted': 'interrupted',
} as const satisfies Partial<Record<TurnEvent['type'], TurnStatus>>;

/** Ends the turn and whatever it left open: nothing may look alive in a turn that is over. */
function withEnd(state: Parts, event: EndEvent, turnId: string, at: number): Parts {
  const isCut = event.type === 'turn/finished' && event.cut === true;
  const ended = withTurn(state, turnId, ({ prefill: _before, ...turn }) => ({
    ...turn,
    ...asked(turn, at),
    status: endStatuses[event.type],
    phase: null,
    phaseSince: null,
    endedAt: at,
    ...(isCut && { cut: true }),
  }));
  return withEach(ended, ended.items.open(), (item) =>
    item.turnId === turnId && item.completedAt === null ? cut(item, at) : item,
  );
}

/** An item that is there already; events about another kind of item change nothing. */
function changedItem(item: Item, event: Exclude<ItemEvent, EventOf<'item/started'>>, at: number): Item {
  switch (event.type) {
    case 'item/delta':
      return 'text' in item ? { ...item, text: item.text + event.text } : item;
    case 'item/rewritten':
      return rewritten(item, event);
    case 'item/completed':
      return { ...item, completedAt: at, cut: event.cut };
    case 'compaction/undone':
      return item.kind === 'summary' ? { ...item, undone: true } : item;
    case 'stop/proved': {
      const { type: _type, itemId: _itemId, ...proof } = event;
      return item.kind === 'stopped' ? { ...item, ...proof } : item;
    }
  }
}

/** A tool call from its first line to its result, with what it asked and what its subagent does. */
function changedTool(item: ToolItem, event: ToolEvent, at: number): ToolItem {
  switch (event.type) {
    case 'tool/repaired':
      return { ...item, repairs: event.repairs };
    case 'tool/started':
      return { ...item, state: 'running', sandboxed: event.sandboxed };
    case 'tool/output':
      return { ...item, output: item.output + event.text };
    case 'tool/finished': {
      const { state, result, wholeLength, display, runMs, attachments } = event;
      const whole = wholeLength !== undefined && { wholeLength };
      const pictures = attachments && { attachments };
      return { ...item, state, result, ...whole, display, runMs, ...pictures, completedAt: at };
    }
    case 'approval/requested':
      // A command that its sandbox refused something is asked about twice.
      return {
        ...item,
        state: 'awaiting_approval',
        decision: null,
        approval: event.approval,
        display: event.preview,
      };
    case 'approval/resolved':
      return { ...withAnswer(item, event), answeredAt: at };
    case 'agent/changed':
      return { ...item, agent: event.agent };
  }
}

function rewritten(item: Item, event: EventOf<'item/rewritten'>): Item {
  if (!('text' in item)) return item;
  const { text, steps, problem } = event;
  if (item.kind !== 'plan') return { ...item, text };
  return { ...item, text, ...(steps && { steps }), ...(problem !== undefined && { problem }) };
}

function withAnswer(item: ToolItem, answer: EventOf<'approval/resolved'>): ToolItem {
  const { decision, edited, reply, timedOut } = answer;
  if (!edited)
    return { ...item, decision, ...(reply !== undefined && { reply }), ...(timedOut && { timedOut }) };
  const { argument, text, subject, approval } = edited;
  return { ...item, decision, subject, approval, edited: { argument, text } };
}

function withUsage(state: Parts, usage: RequestUsage, turnId: string): Parts {
  const counted = withTurn(state, turnId, (turn) => ({
    ...turn,
    iterations: Math.max(turn.iterations, usage.iteration),
    usage: [...turn.usage, usage],
  }));
  const totalled = withFields(counted, { tokens: addRequest(counted.fields.tokens, usage) });
  const { promptTokens, evaluatedTokens, profileId } = usage;
  return withEach(totalled, totalled.items.uncounted(), (item) =>
    item.kind === 'switch' && item.usage === null && item.turnId === turnId && item.to.profileId === profileId
      ? { ...item, usage: { promptTokens, evaluatedTokens } }
      : item,
  );
}

function withMeasuredContext(state: Parts, context: EventOf<'context/measured'>['context']): Parts {
  const parts = state.fields.context?.parts;
  return withFields(state, {
    // An estimate has no parts of its own; what was counted of these texts is still true of them.
    context: { ...(parts && { parts }), ...context },
    tokens: withContext(state.fields.tokens, context.windowTokens),
  });
}

/** What the phase that ends here adds to the time in which the person was asked. */
function asked({ phase, phaseSince, askedMs = 0 }: Turn, at: number): Pick<Turn, 'askedMs'> {
  if (phase !== 'approval' || phaseSince === null) return {};
  return { askedMs: askedMs + Math.max(0, at - phaseSince) };
}

function cut(item: Item, at: number): Item {
  const closed = { ...item, completedAt: at, cut: true };
  return closed.kind === 'tool' ? { ...closed, state: 'interrupted' } : closed;
}

const withFields = (state: Parts, fields: Partial<Fields>): Parts => ({
  ...state,
  fields: { ...state.fields, ...fields },
});

function withTurn(state: Parts, turnId: string, change: (turn: Turn) => Turn): Parts {
  const { turns } = state.fields;
  const index = turns.findLastIndex((turn) => turn.id === turnId);
  const turn = turns[index];
  return turn ? withFields(state, { turns: turns.with(index, change(turn)) }) : state;
}

function withItem(state: Parts, itemId: string, change: (item: Item) => Item): Parts {
  const items = state.items.change(itemId, change);
  return items === state.items ? state : { ...state, items };
}

function withEach(state: Parts, about: readonly Item[], change: (item: Item) => Item): Parts {
  const items = about.reduce((list, { id }) => list.change(id, change), state.items);
  return items === state.items ? state : { ...state, items };
}

function withTool(state: Parts, itemId: string, change: (item: ToolItem) => ToolItem): Parts {
  return withItem(state, itemId, (item) => (item.kind === 'tool' ? change(item) : item));
}

/** What every window shows beside the open session. */
export interface HostState {
  sessions: SessionSummary[];
  profiles: Profile[];
  problems: ProfileProblem[];
  /** Grows with every change of what is remembered about the person; absent = none since the start. */
  memoryChanges?: number;
  /** Likewise of the people who write here. */
  peopleChanges?: number;
  bindingChanges?: number;
  /** Likewise of jobs and their runs. */
  jobChanges?: number;
  /** Likewise of servers of tools. */
  mcpChanges?: number;
  /** Likewise of skills and trusted folders. */
  skillChanges?: number;
  /** Likewise of the ways in. */
  wayChanges?: number;
  /** Likewise of what was allowed for the rest of a session. */
  grantChanges?: number;
  /** Likewise of the evidence of what any model can do. */
  abilityChanges?: number;
  /** Ids of the model servers besides the engine's Ollama; absent = none. */
  hosts?: ReadonlySet<string>;
  /** The exam that runs now; null or absent = none. */
  exam?: ExamProgress | null;
  /** What exams found, one for each model. */
  exams?: ExamResult[];
}

export function reduceHost(state: HostState, event: HostEvent): HostState {
  switch (event.type) {
    case 'session/upserted': {
      const others = state.sessions.filter((session) => session.id !== event.session.id);
      return { ...state, sessions: [event.session, ...others] };
    }
    case 'session/removed':
      return { ...state, sessions: state.sessions.filter((session) => session.id !== event.sessionId) };
    case 'profiles/changed':
      return { ...state, profiles: event.profiles, problems: event.problems };
    case 'people/changed':
      return { ...state, peopleChanges: (state.peopleChanges ?? 0) + 1 };
    case 'bindings/changed':
      return { ...state, bindingChanges: (state.bindingChanges ?? 0) + 1 };
    case 'ways/changed':
      return { ...state, wayChanges: (state.wayChanges ?? 0) + 1 };
    case 'mcp/changed':
      return { ...state, mcpChanges: (state.mcpChanges ?? 0) + 1 };
    case 'skills/changed':
    case 'collections/changed':
      return { ...state, skillChanges: (state.skillChanges ?? 0) + 1 };
    case 'memory/changed':
      return { ...state, memoryChanges: (state.memoryChanges ?? 0) + 1 };
    case 'schedule/changed':
      return { ...state, jobChanges: (state.jobChanges ?? 0) + 1 };
    // It is told once, to those who look.
    case 'schedule/ended':
      return state;
    case 'grants/changed':
      return { ...state, grantChanges: (state.grantChanges ?? 0) + 1 };
    case 'hosts/changed':
      return { ...state, hosts: new Set(event.hosts) };
    case 'abilities/changed':
      return { ...state, abilityChanges: (state.abilityChanges ?? 0) + 1 };
    case 'exam/changed':
      return { ...state, exam: event.exam, exams: withExam(state.exams ?? [], event.result) };
  }
}

function withExam(exams: ExamResult[], result: ExamResult | undefined): ExamResult[] {
  return result ? [...exams.filter(({ digest }) => digest !== result.digest), result] : exams;
}
