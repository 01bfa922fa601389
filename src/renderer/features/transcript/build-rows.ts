/** From the session's state to the rows of the transcript. Pure; rows that read the same keep their identity. */
import type { Source } from '../../../protocol/foreign-text.ts';
import type { Item, ItemOf, PlanStep, Turn, TurnScope } from '../../../protocol/model.ts';
import type { SessionState } from '../../../protocol/reducer.ts';
import { directLexer, type MarkdownLexer } from '../../components/markdown/reader.ts';
import type { PlanStage } from '../../components/plan-step.tsx';
import { answerText } from '../../stores/answer-text.ts';
import { isHeldToLooking } from '../../stores/derive.ts';
import { turnThatShows, type Sending } from '../../stores/session-store.ts';
import { earlierKey, earlierVersions } from './earlier-versions.ts';
import { foldCalls } from './fold-calls.ts';
import { foldWork, isForPerson } from './fold-work.ts';
import { changesKey, footOf } from './foot-row.ts';
import { joined } from './joined-rows.ts';
import { hasPlanOf, nestInPlan, placesInPlan } from './plan-rows.ts';
import { reuse } from './row-identity.ts';
import { countRan, isAgentItem, sendingRow, type AgentItem, type GroupEntry, type Row } from './rows.ts';
import { isBookkeeping } from './step-of-call.ts';
import { TextParts } from './text-parts.ts';
import { shownSources, sourcesOf } from './turn-sources.ts';

/** Rows that were opened or closed by hand, by id. */
export type Expanded = Readonly<Record<string, boolean>>;

/** What there is to show; `edge`: the place of the first of the newest items, where pages are cut. */
export interface TranscriptInput extends Pick<SessionState, 'turns' | 'items' | 'todo'> {
  /** Older or newer items exist and are not here. */
  hasOlder?: boolean;
  hasNewer?: boolean;
  edge?: number;
}

interface BuiltTurn {
  context: TurnContext;
  rows: Row[];
  /** Of the texts, when it was built. */
  version: number;
}

/** Builds rows again and again, keeping the identity of those that read the same as before. */
export class RowBuilder {
  #rows: Row[] = [];
  readonly #texts: TextParts;
  readonly #listeners = new Set<() => void>();
  #turns = new Map<string, BuiltTurn>();
  /** The version at which a text began to read differently, by item. */
  readonly #changedAt = new Map<string, number>();
  #version = 0;

  constructor(lexer: MarkdownLexer = directLexer) {
    this.#texts = new TextParts(lexer, (itemId) => {
      this.#version += 1;
      this.#changedAt.set(itemId, this.#version);
      for (const listener of this.#listeners) listener();
    });
  }

  /** Rows can change without the state: the Markdown of a long text is parsed in another thread. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly version = (): number => this.#version;

  build(
    state: TranscriptInput,
    sending: Sending | null,
    expanded: Expanded = {},
    version = this.#version,
  ): Row[] {
    const before = this.#turns;
    this.#turns = new Map();
    const rows = buildRows(state, sending, expanded, (turnId, context) => {
      const known = before.get(turnId);
      const isSame = known && sameContext(known.context, context) && !this.#hasChanged(known, version);
      const built = isSame ? known.rows : joined(turnRows(context, this.#texts));
      this.#turns.set(turnId, { context, rows: built, version });
      return built;
    });
    // What was read of turns that are no longer here is forgotten with them.
    if (this.#turns.size < before.size) this.#texts.keep(new Set(state.items.map(({ id }) => id)));
    this.#rows = reuse(rows, this.#rows);
    return this.#rows;
  }

  #hasChanged(turn: BuiltTurn, version: number): boolean {
    if (turn.version === version) return false;
    return turn.context.items.some(({ id }) => (this.#changedAt.get(id) ?? 0) > turn.version);
  }
}

function sameContext(a: TurnContext, b: TurnContext): boolean {
  const { items: mine, ...own } = a;
  const { items: theirs, ...others } = b;
  const fields = new Map<string, unknown>(Object.entries(others));
  return (
    mine.length === theirs.length &&
    mine.every((item, at) => item === theirs[at]) &&
    Object.entries(own).every(([key, value]) => Object.is(value, fields.get(key)))
  );
}

const silentPhases = new Set(['lease', 'loading', 'checking', 'compacting', 'prefill', 'stopping']);

function buildRows(
  state: TranscriptInput,
  sending: Sending | null,
  expanded: Expanded,
  rowsOf: (turnId: string, context: TurnContext) => Row[],
): Row[] {
  const rows: Row[] = [];
  const versions = earlierVersions(state.turns);
  const running = state.turns.some((turn) => turn.status === 'running');
  const lastTurnId = state.turns.findLast((turn) => turn.status !== 'queued' && !turn.replaced)?.id;
  const announced = new Set<string>();
  const keepsSteps = state.todo !== undefined && !hasPlanOf(state);
  const lastSummaryId = state.items.findLast((item) => item.kind === 'summary' && !item.undone)?.id;
  // Behind another turn it waits above the message box.
  const sent = sending && !state.hasNewer && !turnThatShows(state) ? sending : null;
  const leaving = new Set(sent?.replaces === undefined ? [] : turnsFrom(state.turns, sent.replaces));

  for (const [turn, turnId, items] of turnsWithItems(state)) {
    if (leaving.has(turnId)) continue;
    const version = versions.get(turnId);
    const isOpen = version && expanded[earlierKey(version.firstTurnId)];
    const begins = version !== undefined && !announced.has(version.firstTurnId);
    if (begins && (isOpen || !version.hidden)) {
      const { firstTurnId, messages } = version;
      announced.add(firstTurnId);
      rows.push({
        key: earlierKey(firstTurnId),
        newTurn: rows.length > 0,
        kind: 'earlier',
        firstTurnId,
        messages,
      });
    }
    if (version && !isOpen) continue;
    const context: TurnContext = {
      turn,
      items,
      last: turnId === lastTurnId,
      idle: !running && sending === null,
      stage: stageOf(turn),
      lastSummaryId,
      keepsSteps,
      todo: state.todo,
      expanded,
      edge: state.edge ?? 0,
      goesOn: state.hasNewer === true && items.at(-1) === state.items.at(-1),
    };
    const own = rowsOf(turnId, context);
    const [first, ...others] = version ? own.map((row): Row => ({ ...row, dim: true })) : own;
    // The line of an earlier version is the hairline of its first turn. What an older page will be put in front of has
    // its hairline already: it must not grow then.
    const below = (rows.length > 0 || (state.hasOlder === true && first?.kind === 'user')) && !begins;
    const begun = sent !== null && turn?.status === 'running' && items.length === 0;
    if (begun) rows.push(sendingRow(sent, below, true));
    const newTurn = below && !begun;
    if (first) rows.push({ ...first, newTurn }, ...others);
  }
  if (sent && !rows.some(({ kind }) => kind === 'sending'))
    rows.push(sendingRow(sent, rows.length > 0, false));
  return rows;
}

function turnsFrom(turns: readonly Turn[], turnId: string): string[] {
  const at = turns.findIndex(({ id }) => id === turnId);
  return at === -1 ? [] : turns.slice(at).flatMap(({ id, replaced }) => (replaced ? [] : [id]));
}

/** Turns in the order of their items; of a turn on an older page only the items are known. */
function* turnsWithItems(state: TranscriptInput): Iterable<[Turn | undefined, string, Item[]]> {
  const turns = new Map(state.turns.map((turn) => [turn.id, turn]));
  const byTurn = Map.groupBy(state.items, (item) => item.turnId);
  // A running turn may have no item yet, and still has something to show.
  for (const turn of state.hasNewer ? [] : state.turns) {
    if (turn.status === 'running' && !byTurn.has(turn.id)) byTurn.set(turn.id, []);
  }
  for (const [turnId, items] of byTurn) yield [turns.get(turnId), turnId, items];
}

interface TurnContext {
  turn: Turn | undefined;
  items: Item[];
  last: boolean;
  /** No turn runs and none is on its way. */
  idle: boolean;
  stage: PlanStage;
  lastSummaryId: string | undefined;
  /** The model keeps a list of steps, and no plan shows it. */
  keepsSteps: boolean;
  todo: SessionState['todo'];
  expanded: Expanded;
  edge: number;
  /** Its end is on a newer page. */
  goesOn: boolean;
}

/** A turn, and what its rows are made with. */
interface TurnParts extends TurnContext {
  steps: ReadonlyMap<string, PlanStep>;
  children: ReadonlyMap<string | undefined, Item[]>;
  sources: readonly Source[];
  /** Of items that are work on a step. */
  places: ReadonlyMap<string, number>;
  texts: TextParts;
}

/** Without hairlines between turns and without joins: those depend on the neighbours. */
function turnRows(context: TurnContext, texts: TextParts): Row[] {
  const { turn, items, last, todo, edge, expanded } = context;
  const children = Map.groupBy(items, (item) => item.parentCallId);
  const steps = new Map(todo?.steps.map((step) => [step.id, step]));
  const sources = sourcesOf(items);
  const keeps = last && context.keepsSteps;
  const places = turn?.endedAt === null ? placesInPlan(items, todo, keeps) : nowhere;
  const logged = foldCalls(logRows({ ...context, children, steps, sources, places, texts }), edge, expanded);
  if (!turn) return logged;
  if (keeps) placeSteps(logged, context);
  const rows = nestInPlan(logged, turn, expanded) ?? foldWork(logged, turn, expanded);
  // What it would do stands in its plan.
  const isPlanned = items.some((item) => item.kind === 'plan' && item.proposed === true);
  if (turn.scope && !isPlanned) placeScope(rows, turn, turn.scope, last);
  const silent = turn.phase !== null && silentPhases.has(turn.phase);
  // What is summarised behind the answer holds the next turn up.
  const works = turn.status === 'running' || turn.phase === 'compacting';
  if (works && (silent || turn.planning !== undefined)) {
    rows.push({ ...plain(`progress:${turn.id}`), kind: 'progress', turn, begun: items.length > 1 });
  }
  if (hasOutcome(turn, items)) rows.push({ ...plain(`outcome:${turn.id}`), kind: 'outcome', turn, last });
  if (turn.endedAt !== null && sources.length > 0) {
    const shown = shownSources(sources, answerText(items));
    rows.push({ ...plain(`sources:${turn.id}`), kind: 'sources', sources: shown });
  }
  if (turn.endedAt !== null && turn.files)
    rows.push({ ...plain(`files:${turn.id}`), kind: 'files', turnId: turn.id, files: turn.files });
  if (turn.endedAt === null || context.goesOn) return rows;
  const work = rows.find(({ kind }) => kind === 'work');
  const foot = footOf(turn, { ...context, workOpen: work?.kind === 'work' ? work.open : null });
  if (!foot) return rows;
  rows.push(foot);
  const isStopped = items.some((item) => item.kind === 'stopped' && item.parentCallId === undefined);
  if (foot.edits.length > 0 && expanded[changesKey(turn.id)]) {
    rows.push({
      ...plain(changesKey(turn.id)),
      kind: 'changes',
      turnId: turn.id,
      edits: foot.edits,
      offered: last && isStopped,
    });
  }
  return rows;
}

const nowhere: ReadonlyMap<string, number> = new Map();

/** In the place of a plan: below the message. */
function placeSteps(rows: Row[], { turn, todo, stage }: TurnContext): void {
  const all = todo?.steps ?? [];
  const steps = all.filter(({ parentId }) => parentId === null);
  if (!turn || steps.length === 0) return;
  const message = rows.findIndex(({ kind }) => kind === 'user');
  const inner = all.filter(({ parentId }) => parentId !== null);
  rows.splice(message + 1, 0, { ...plain(`steps:${turn.id}`), kind: 'steps', steps, inner, stage });
}

/** Below the message; where that is on an older page, the line is there too. */
function placeScope(rows: Row[], turn: Turn, scope: TurnScope, last: boolean): void {
  const message = rows.findIndex(({ kind }) => kind === 'user');
  if (message === -1) return;
  const offered = last && isHeldToLooking(turn);
  rows.splice(message + 1, 0, {
    ...plain(`scope:${turn.id}`),
    kind: 'scope',
    turnId: turn.id,
    scope,
    offered,
  });
}

function plain(key: string) {
  return { key, newTurn: false };
}

/** The items of a turn; what a subagent did stands below the call that spawned it. */
function logRows(context: TurnParts): Row[] {
  const cards = new Set(context.items.flatMap((item) => (item.kind === 'tool' ? [item.callId] : [])));
  const main: Row[] = [];
  const log = new Log(context, null, main);
  for (const item of context.items) {
    const { parentCallId } = item;
    // A turn that only summarises has no words of the person.
    if (item.kind === 'user' && item.text === '' && !item.attachments?.length) continue;
    if (parentCallId !== undefined) {
      // Its card is on an older page: it still belongs to a subagent.
      if (!cards.has(parentCallId)) main.push(...subagentRows(context, parentCallId, [item], null));
      continue;
    }
    if (item.kind === 'tool' && isAgentItem(item) && item.state !== 'awaiting_approval') {
      log.endGroup();
      main.push(...agentRows(context, item).map((row) => ({ ...row, ...placed(context, item) })));
      log.goOn();
    } else log.add(item);
  }
  return main;
}

function agentRows(context: TurnParts, item: AgentItem): Row[] {
  const ended = item.agent.state === 'ended';
  const open = context.expanded[item.id] ?? !ended;
  const inner = context.children.get(item.callId) ?? [];
  const rows = subagentRows(context, item.callId, inner, item.agent.profileId);
  // A question is never folded away.
  const shown = open ? rows : rows.filter((row) => row.kind === 'approval');
  return [{ ...plain(`agent:${item.id}`), kind: 'agent', item, open }, ...shown];
}

function subagentRows(context: TurnParts, callId: string, items: Item[], asker: string | null): Row[] {
  const rows: Row[] = [];
  const log = new Log({ ...context, items, last: false, idle: false }, { callId, asker }, rows);
  for (const item of items) if (item.kind !== 'user') log.add(item);
  return rows;
}

/** Turns items into rows, one after the other; runs of calls become one list. */
class Log {
  readonly #context: TurnParts;
  readonly #agent: { callId: string; asker: string | null } | null;
  readonly #rows: Row[];
  #group: GroupEntry[] | null = null;
  /** Notes and thoughts belong to the run of calls that goes on; a subagent's log is one from its beginning. */
  #inRun: boolean;
  #step: number | undefined;

  constructor(context: TurnParts, agent: { callId: string; asker: string | null } | null, rows: Row[]) {
    this.#context = context;
    this.#agent = agent;
    this.#rows = rows;
    this.#inRun = agent !== null;
  }

  endGroup(): void {
    this.#group = null;
    this.#inRun = this.#agent !== null;
  }

  /** A call stood in rows of its own; the run goes on after it. */
  goOn(): void {
    this.#inRun = true;
  }

  add(item: Item): void {
    if (isBookkeeping(item)) return;
    const place = placed(this.#context, item);
    // A run of calls ends with its step.
    if (place.step !== this.#step) this.endGroup();
    this.#step = place.step;
    const base = this.#agent ? { newTurn: false, inside: this.#agent.callId } : { newTurn: false, ...place };
    if (item.kind === 'tool' && item.state === 'awaiting_approval') {
      this.endGroup();
      // A question stands alone, whoever asks.
      this.#rows.push({
        ...plain(item.id),
        ...place,
        kind: 'approval',
        item,
        asker: this.#agent?.asker ?? null,
      });
    } else if (item.kind === 'tool' || (this.#inRun && isBetween(item))) {
      this.#inRun = true;
      if (this.#group) this.#group.push(item);
      else {
        this.#group = [item];
        this.#rows.push({ ...base, key: `tools:${item.id}`, kind: 'tools', entries: this.#group });
      }
    } else if (item.kind === 'text') {
      this.endGroup();
      for (const row of textRows(item, this.#context)) this.#rows.push({ ...base, ...row });
    } else {
      this.endGroup();
      this.#rows.push({ ...base, key: item.id, ...single(item, this.#context) });
    }
  }
}

function placed({ places }: TurnParts, { id }: Item): { step?: number } {
  const step = places.get(id);
  return step === undefined ? {} : { step };
}

function isBetween(item: Item): item is ItemOf<'note'> | ItemOf<'thinking'> {
  return item.kind === 'thinking' || (item.kind === 'note' && !isForPerson(item));
}

type Single = Exclude<Item, { kind: 'text' | 'tool' }>;
type Unplaced = Row extends infer R ? (R extends Row ? Omit<R, 'key' | 'newTurn' | 'inside'> : never) : never;

function single(item: Single, context: TurnParts): Unplaced {
  const { turn, items, last, idle, stage, steps, lastSummaryId } = context;
  switch (item.kind) {
    case 'user':
      return {
        kind: 'user',
        item,
        editable: idle && turn !== undefined && !turn.replaced,
        ...(turn?.sender && { sender: turn.sender }),
      };
    case 'thinking':
      return { kind: 'thinking', item };
    case 'note':
      return { kind: 'note', item };
    case 'plan':
      return { kind: 'plan', item, ...planNow(item, steps), stage };
    case 'summary':
      return { kind: 'summary', item, undoable: item.id === lastSummaryId };
    case 'switch':
      return { kind: 'switch', item };
    case 'stopped':
      return { kind: 'stopped', item, ran: countRan(items), last };
    case 'error':
      return { kind: 'error', item, last };
  }
}

function planNow(item: ItemOf<'plan'>, steps: TurnParts['steps']) {
  const ids = new Set(item.steps.map(({ id }) => id));
  return {
    now: item.steps.map(({ id }) => steps.get(id) ?? null),
    inner: [...steps.values()].filter(({ parentId }) => parentId !== null && ids.has(parentId)),
  };
}

function textRows(item: ItemOf<'text'>, { turn, items, sources, texts }: TurnParts) {
  const parts = texts.of(item);
  const open = item.completedAt === null;
  const endsCut = turn?.cut === true && item.parentCallId === undefined;
  const cut = item.cut && !endsCut && !isExplained(items, item.parentCallId);
  return parts.map((part, at) => {
    const end = at === parts.length - 1;
    return {
      key: `${item.id}:${at}`,
      kind: 'text' as const,
      part,
      sources,
      continued: at > 0,
      writing: open && end,
      plain: end && texts.isPlain(item.id),
      cutOff: cut && !open && end,
    };
  });
}

/** By an item of the same log: what ended a subagent does not explain the agent's own end. */
function isExplained(items: Item[], parentCallId: string | undefined): boolean {
  return items.some(
    (item) => item.parentCallId === parentCallId && (item.kind === 'stopped' || item.kind === 'error'),
  );
}

/** The turn ended in a way that no item of it tells. */
function hasOutcome(turn: Turn, items: Item[]): boolean {
  const unfinished = turn.status === 'failed' || turn.status === 'interrupted';
  return (
    turn.status === 'max_iterations' || turn.cut === true || (unfinished && !isExplained(items, undefined))
  );
}

function stageOf(turn: Turn | undefined): PlanStage {
  if (turn?.status !== 'running') return 'over';
  return turn.phase === 'approval' ? 'asks' : 'works';
}
