/** From the session's state to the rows of the transcript. Pure; rows that read the same keep their identity. */
import type { ItemOf, ToolItem, Turn } from '../../../protocol/model.ts';
import type { SessionState } from '../../../protocol/reducer.ts';
import { MarkdownReader, type Block } from '../../components/markdown/reader.ts';
import type { Sending } from '../../stores/session-store.ts';

/** What shares one bordered list: calls, and the notes and thoughts between them. */
export type GroupEntry = ToolItem | ItemOf<'note'> | ItemOf<'thinking'>;

interface RowBase {
  key: string;
  /** The first row of a turn that is not the first turn: a hairline stands above it. */
  newTurn: boolean;
}
type Variant =
  | { kind: 'user'; item: ItemOf<'user'> }
  | { kind: 'sending'; text: string }
  | { kind: 'thinking'; item: ItemOf<'thinking'> }
  /** One part of an answer. `cutOff`: it ends in the middle and nothing below says why. */
  | { kind: 'text'; blocks: Block[]; continued: boolean; writing: boolean; cutOff: boolean }
  | { kind: 'note'; item: ItemOf<'note'> }
  | { kind: 'tools'; entries: GroupEntry[] }
  | { kind: 'approval'; item: ToolItem }
  | { kind: 'switch'; item: ItemOf<'switch'> }
  /** `last`: of the newest turn, so it offers what to do next. */
  | { kind: 'stopped'; item: ItemOf<'stopped'>; ran: Ran; last: boolean }
  | { kind: 'error'; item: ItemOf<'error'>; last: boolean }
  | { kind: 'outcome'; turn: Turn; last: boolean }
  /** `begun`: something of the turn is already on screen. */
  | { kind: 'progress'; turn: Turn; begun: boolean }
  | { kind: 'receipt'; turn: Turn };
export type Row = RowBase & Variant;
export type RowOf<K extends Row['kind']> = Extract<Row, { kind: K }>;

/** What a turn did to the world. */
export interface Ran {
  files: number;
  commands: number;
}

/** Markdown of an answer in parts, the last of which may still grow. */
export type ReadParts = (item: ItemOf<'text'>) => Block[][];

interface ReadText {
  item: ItemOf<'text'> | null;
  reader: MarkdownReader;
  parts: Block[][];
}

/** Builds rows again and again, keeping the identity of those that read the same as before. */
export class RowBuilder {
  #rows: Row[] = [];
  #texts = new Map<string, ReadText>();

  build(state: Pick<SessionState, 'turns' | 'items'>, sending: Sending | null): Row[] {
    this.#rows = reuse(buildRows(state, sending, this.#read), this.#rows);
    return this.#rows;
  }

  /** A text that did not change is not even looked at again. */
  readonly #read: ReadParts = (item) => {
    const known = this.#texts.get(item.id) ?? { item: null, reader: new MarkdownReader(), parts: [] };
    if (known.item !== item) {
      known.item = item;
      known.parts = known.reader.readParts(item.text, item.completedAt !== null);
      this.#texts.set(item.id, known);
    }
    return known.parts;
  };
}

const silentPhases = new Set(['lease', 'loading', 'prefill', 'stopping']);

export function buildRows(
  state: Pick<SessionState, 'turns' | 'items'>,
  sending: Sending | null,
  read: ReadParts,
): Row[] {
  const turns = new Map(state.turns.map((turn) => [turn.id, turn]));
  const lastTurnId = state.turns.findLast((turn) => turn.status !== 'queued')?.id;
  const rows: Row[] = [];
  const push = (key: string, variant: Variant, newTurn = false): void => {
    rows.push({ key, newTurn, ...variant });
  };

  const byTurn = Map.groupBy(state.items, (item) => item.turnId);
  // A running turn may have no item yet, and still has something to show.
  for (const turn of state.turns) {
    if (turn.status === 'running' && !byTurn.has(turn.id)) byTurn.set(turn.id, []);
  }

  for (const [turnId, items] of byTurn) {
    const turn = turns.get(turnId);
    const last = turnId === lastTurnId;
    let fresh = rows.length > 0;
    let group: GroupEntry[] | null = null;
    for (const item of items) {
      if (item.kind === 'plan' || item.kind === 'summary') continue;
      const joins = group !== null && (item.kind === 'note' || item.kind === 'thinking');
      if (item.kind === 'tool' && item.state !== 'awaiting_approval') {
        if (group) group.push(item);
        else {
          group = [item];
          push(`tools:${item.id}`, { kind: 'tools', entries: group }, fresh);
        }
      } else if (joins) group?.push(item);
      else if (item.kind === 'text') {
        group = null;
        pushText(item, read(item), item.cut && !isExplained(items), fresh, push);
      } else {
        group = null;
        push(item.id, single(item, items, last), fresh);
      }
      fresh = false;
    }
    if (!turn) continue;
    if (turn.status === 'running' && turn.phase !== null && silentPhases.has(turn.phase)) {
      push(`progress:${turn.id}`, { kind: 'progress', turn, begun: items.length > 1 }, fresh);
    }
    if (hasOutcome(turn, items)) push(`outcome:${turn.id}`, { kind: 'outcome', turn, last }, fresh);
    if (turn.usage.length > 0) push(`receipt:${turn.id}`, { kind: 'receipt', turn });
  }
  if (sending && !state.turns.some((turn) => turn.status === 'running')) {
    push('sending', { kind: 'sending', text: sending.text }, rows.length > 0);
  }
  return rows;
}

type Single = Exclude<SessionState['items'][number], { kind: 'text' | 'plan' | 'summary' }>;

function single(item: Single, items: SessionState['items'], last: boolean): Variant {
  switch (item.kind) {
    case 'user':
      return { kind: 'user', item };
    case 'thinking':
      return { kind: 'thinking', item };
    case 'note':
      return { kind: 'note', item };
    case 'tool':
      return { kind: 'approval', item };
    case 'switch':
      return { kind: 'switch', item };
    case 'stopped':
      return { kind: 'stopped', item, ran: countRan(items), last };
    case 'error':
      return { kind: 'error', item, last };
  }
}

function pushText(
  item: ItemOf<'text'>,
  parts: Block[][],
  cut: boolean,
  newTurn: boolean,
  push: (key: string, variant: Variant, newTurn: boolean) => void,
): void {
  const open = item.completedAt === null;
  for (const [at, blocks] of parts.entries()) {
    const last = at === parts.length - 1;
    push(
      `${item.id}:${at}`,
      { kind: 'text', blocks, continued: at > 0, writing: open && last, cutOff: cut && !open && last },
      newTurn && at === 0,
    );
  }
}

function isExplained(items: SessionState['items']): boolean {
  return items.some((item) => item.kind === 'stopped' || item.kind === 'error');
}

/** The turn ended in a way that no item of it tells. */
function hasOutcome(turn: Turn, items: SessionState['items']): boolean {
  const unfinished = turn.status === 'failed' || turn.status === 'interrupted';
  return turn.status === 'max_iterations' || (unfinished && !isExplained(items));
}

export function countRan(items: SessionState['items']): Ran {
  const files = new Set<string>();
  let commands = 0;
  for (const item of items) {
    if (item.kind !== 'tool') continue;
    if (item.display?.kind === 'diff' && item.state === 'done') files.add(item.display.path);
    if (item.display?.kind === 'command') commands += 1;
  }
  return { files: files.size, commands };
}

/** Keeps the old object of every row that reads the same, so that it is not rendered again. */
function reuse(rows: Row[], before: readonly Row[]): Row[] {
  const old = new Map(before.map((row) => [row.key, row]));
  return rows.map((row) => {
    const previous = old.get(row.key);
    return previous && same(previous, row) ? previous : row;
  });
}

function same(a: Row, b: Row): boolean {
  const fields = new Map<string, unknown>(Object.entries(b));
  return Object.entries(a).every(([key, value]: [string, unknown]) => sameField(value, fields.get(key)));
}

/** Items and turns are the same when they are the same object; lists and counts when their members are. */
function sameField(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((member, index) => Object.is(member, b[index]));
  }
  return isRan(a) && isRan(b) && a.files === b.files && a.commands === b.commands;
}

function isRan(value: unknown): value is Ran {
  return typeof value === 'object' && value !== null && 'files' in value && 'commands' in value;
}
