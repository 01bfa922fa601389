/** A session as a file: everything a person and the model have of it, and nothing of this machine but folder names (L2). */
import { z } from 'zod';
import { lazyObject } from '../../protocol/lazy-object.ts';
import { maxAttachments } from '../../protocol/attachment-limits.ts';
import { AndironError } from '../../protocol/errors.ts';
import { maxEntryValues, maxFileNesting } from '../../protocol/limits.ts';
import {
  contextUsageSchema,
  itemSchema,
  todoSchema,
  turnSchema,
  type Item,
  type ToolState,
  type Turn,
} from '../../protocol/model.ts';
import { contextMessageSchema, type OwnedMessage } from '../store/context.ts';
import type { StoreView } from '../store/store.ts';
import { inSlices, type Pace } from '../../platform/event-loop.ts';
import { isCompaction } from './compaction-turn.ts';
import { packedFileSchema, type PackedFile } from './packed-files.ts';
import { packedResultSchema, type PackedResult } from './packed-results.ts';
import { scratchpadSchema } from './session-data.ts';

const format = 'andiron-session';
const version = 1;
/** Characters of a session in a file; what a session of many months comes to, and what a machine can hold twice. */
export const maxCharacters = 50_000_000;

const ownedSchema = lazyObject(() => ({ message: contextMessageSchema, turnId: z.string().nullable() }));

/** The entries of its lists are read one by one. */
const bodySchema = lazyObject(() => ({
  format: z.literal(format),
  version: z.literal(version),
  exportedAt: z.number().int().nonnegative(),
  session: z.object({
    title: z.string().trim().min(1).max(200),
    /** As the person chose it, and as it really was: the model was told the second one. */
    workspace: z.string().min(1).max(4096),
    workspaceReal: z.string().min(1).max(4096),
    platform: z.string().max(20),
    profileId: z.string().min(1).max(200),
    model: z.string().max(300).nullable(),
    contextUsage: contextUsageSchema.nullable(),
  }),
  turns: z.array(z.unknown()),
  items: z.array(z.unknown()),
  context: z.array(z.unknown()),
  todo: todoSchema,
  scratchpad: scratchpadSchema,
  /** The files of its messages, as far as they had room. */
  attachments: z.array(z.unknown()).optional(),
  /** Untruncated results of its calls, as far as they had room. */
  results: z.array(z.unknown()).optional(),
}));
/** So many take no time to look at. */
const valuesAtOnce = 500;
/** What an entry of a list takes beside its text. */
const charactersPerEntry = 8;
/** Values in what is no list, such as a scratchpad; Andiron writes some dozens. */
export const maxFieldValues = 10_000;

type Lists = 'turns' | 'items' | 'context' | 'attachments' | 'results';
export interface SessionSnapshotFile extends Omit<z.infer<typeof bodySchema>, Lists> {
  turns: Turn[];
  items: Item[];
  context: OwnedMessage[];
  attachments?: PackedFile[] | undefined;
  results?: PackedResult[] | undefined;
}

export interface SnapshotSource {
  store: StoreView;
  platform: string;
  now: number;
  pace: Pace;
}

/**
 * Up to and including that turn, or to the newest that began; messages that wait are no part of it. What still runs is
 * as it would be after a crash: cut, and marked as interrupted.
 */
export async function takeSnapshot(
  sessionId: string,
  upTo: string | undefined,
  { store, platform, now, pace }: SnapshotSource,
): Promise<SessionSnapshotFile> {
  const session = store.getSession(sessionId);
  if (!session)
    throw new AndironError(
      'not_found',
      'This session does not exist any more.',
      'Choose another session, or begin one.',
    );
  const all = await inSlices(store.eachTurn(sessionId), pace, (turn) => withoutPrototypes(turn, turnSchema));
  const begun = all.filter(({ status }) => status !== 'queued');
  const end = upTo === undefined ? begun.length : begun.findIndex(({ id }) => id === upTo) + 1;
  if (upTo !== undefined && end === 0)
    throw new AndironError(
      'not_found',
      'This turn has not begun, or does not exist any more.',
      'Wait until it runs, or fork the session from another turn.',
    );
  const turns = begun.slice(0, end);
  const isNewest = end === begun.length && turns.at(-1)?.replaced !== true;
  const read =
    upTo === undefined || isNewest
      ? inForce(sessionId, store)
      : await upToLast(sessionId, turns, { store, pace });
  const context = await inSlices(read, pace, (owned) => withoutPrototypes(owned, ownedSchema));
  const owners = new Set(context.map(({ turnId }) => turnId));
  // A copy of an earlier version has that version in force.
  const isCurrent = (turn: Turn): boolean =>
    turn.id === upTo || (turns.at(-1)?.replaced === true && owners.has(turn.id));
  const ids = new Set(turns.map(({ id }) => id));
  const everyItem = await inSlices(store.eachItem(sessionId), pace, (item) =>
    withoutPrototypes(item, itemSchema),
  );
  const items = everyItem.filter((item) => ids.has(item.turnId));
  const running = turns.find(({ closed }) => !closed);
  const { title, workspace, profileId, model } = session.summary;
  const todo = store.readSessionData(sessionId, 'todo', todoSchema) ?? { steps: [] };
  const scratchpad = store.readSessionData(sessionId, 'scratchpad', scratchpadSchema) ?? {};
  return {
    format,
    version,
    exportedAt: now,
    session: {
      title,
      workspace,
      workspaceReal: session.workspaceReal,
      platform,
      profileId,
      model,
      contextUsage: session.contextUsage,
    },
    turns: turns.map((turn) => ended(alone(isCurrent(turn) ? current(turn) : turn), now)),
    items: running
      ? [...items.map((item) => cut(item, now)), copiedWhileRunning(running.id, items, now)]
      : items,
    context,
    todo: withoutPrototypes(todo, todoSchema),
    scratchpad: withoutPrototypes(scratchpad, scratchpadSchema),
  };
}

function inForce(sessionId: string, store: StoreView): Iterable<OwnedMessage> {
  return store.eachMessage(sessionId, store.generation(sessionId));
}

/**
 * As of the last of these turns. A summary has no message of its own, and one that failed early may have none: then as of
 * the turn before. A copy of a session knows only what was in force in it.
 */
async function upToLast(
  sessionId: string,
  turns: readonly Turn[],
  { store, pace }: Pick<SnapshotSource, 'store' | 'pace'>,
): Promise<Iterable<OwnedMessage>> {
  const withMessage = turns.filter((turn) => !isCompaction(turn));
  const isEarlier = turns.at(-1)?.replaced === true;
  const read = isEarlier
    ? withMessage.slice(-1)
    : withMessage.filter(({ replaced }) => !replaced).toReversed();
  if (read.length === 0) return [];
  const newest = new Map<string, number>();
  await inSlices(
    store.eachOwner(sessionId),
    pace,
    ({ turnId, generation }) => void newest.set(turnId, generation),
  );
  for (const { id } of read) {
    const generation = newest.get(id);
    if (generation !== undefined) return store.eachMessage(sessionId, generation, id);
  }
  throw new AndironError(
    'not_found',
    'What the model had read up to here is not known any more.',
    'Fork from a later turn, or the session that this one was copied from.',
  );
}

/** How a version was left is no part of a copy, so it leads back to none. */
const alone = ({ versions: _versions, switchable: _switchable, ...turn }: Turn): Turn => turn;

const current = ({ replaced: _before, ...turn }: Turn): Turn => turn;

function ended(turn: Turn, now: number): Turn {
  if (turn.closed) return turn;
  const status = turn.status === 'running' ? 'interrupted' : turn.status;
  return { ...atRest(turn, now), status, closed: true };
}

function atRest(turn: Turn, now: number): Turn {
  const { planning: _phase, prefill: _progress, ...rest } = turn;
  return { ...rest, phase: null, phaseSince: null, endedAt: turn.endedAt ?? now };
}

function cut(item: Item, now: number): Item {
  if (!isOpen(item)) return item;
  const closed = { ...item, completedAt: item.completedAt ?? now, cut: true };
  if (closed.kind !== 'tool') return closed;
  const { agent } = closed;
  const endedAgent = agent && {
    ...agent,
    state: 'ended' as const,
    stopReason: 'stopped' as const,
    endedAt: now,
  };
  return { ...closed, state: 'interrupted', ...(endedAgent && { agent: endedAgent }) };
}

const openStates = new Set<ToolState>(['streaming', 'awaiting_approval', 'running']);

const isOpen = (item: Item): boolean =>
  item.completedAt === null ||
  (item.kind === 'tool' &&
    (openStates.has(item.state) || (item.agent !== undefined && item.agent.state !== 'ended')));

const copiedWhileRunning = (turnId: string, items: readonly Item[], now: number): Item => ({
  kind: 'error',
  id: 'copied',
  turnId,
  index: (items.at(-1)?.index ?? -1) + 1,
  startedAt: now,
  completedAt: now,
  cut: false,
  code: 'interrupted',
  message: 'This copy was made while the turn was running.',
  advice: 'Send a message to go on from here.',
});

/** A model may name an argument like this; no file of ours carries it. */
function withoutPrototypes<T>(entry: T, schema: z.ZodType<T>): T {
  const open: unknown[] = [entry];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__'))
      return schema.parse(JSON.parse(JSON.stringify(entry), unlessPrototype));
    for (const each of Object.values(value)) if (typeof each === 'object') open.push(each);
  }
  return entry;
}

const unlessPrototype = (key: string, value: unknown): unknown => (key === '__proto__' ? undefined : value);

/**
 * Whatever a file holds, as a value or as its text. Rejects with `snapshot_invalid`, what is wrong and what to do; and
 * where the pace does.
 */
export async function readSnapshot(raw: unknown, pace: Pace): Promise<SessionSnapshotFile> {
  const value = typeof raw === 'string' ? parseText(raw) : raw;
  await refuseHostile(value, pace);
  const head = z.object({ format: z.literal(format), version: z.number() }).safeParse(value);
  if (!head.success)
    throw invalid('This is not a session that Andiron exported.', 'Choose a file that "Export" made.');
  if (head.data.version !== version) {
    throw invalid(
      `The session was exported in version ${String(head.data.version)} of the format; this Andiron reads version ${String(version)}.`,
      'Import it with the Andiron that exported it, or update this one.',
    );
  }
  for (const name of ['todo', 'scratchpad'])
    refuseLarge((value as Record<string, unknown>)[name], maxFieldValues, [name]);
  const parsed = bodySchema.safeParse(value);
  if (!parsed.success) throw damaged(firstProblem(parsed.error));
  const { attachments, results, ...body } = parsed.data;
  const list = <T>(entries: unknown[], name: Lists, schema: z.ZodType<T>): Promise<T[]> =>
    inSlices(entries.entries(), pace, ([index, entry]) => readEntry(entry, schema, [name, index]));
  const turns = await list(body.turns, 'turns', turnSchema);
  const items = await list(body.items, 'items', itemSchema);
  const context = await list(body.context, 'context', ownedSchema);
  refuseLoose(turns, items);
  refuseManyFiles(context);
  const { exportedAt } = body;
  return {
    ...body,
    // No question is asked, and nothing seems to run, that nobody here can answer or stop.
    turns: turns.map((turn) => atRest(turn, exportedAt)),
    items: items.map((item) => cut(item, exportedAt)),
    context,
    ...(attachments && { attachments: await list(attachments, 'attachments', packedFileSchema) }),
    ...(results && { results: await list(results, 'results', packedResultSchema) }),
  };
}

function readEntry<T>(entry: unknown, schema: z.ZodType<T>, path: PropertyKey[]): T {
  refuseLarge(entry, maxEntryValues, path);
  const { success, data, error } = schema.safeParse(entry);
  if (!success) throw damaged(firstProblem(error, path));
  return data;
}

function parseText(text: string): unknown {
  if (text.length > maxCharacters) throw tooLarge();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damaged(`it is not whole JSON (${error instanceof Error ? error.message : String(error)})`);
  }
}

/** Before anything looks inside: size, depth, and keys that would reach behind an object. */
async function refuseHostile(root: unknown, pace: Pace): Promise<void> {
  const open: Iterator<unknown>[] = [[root].values()];
  let [characters, count] = [0, 0];
  for (let inside = open.at(-1); inside; inside = open.at(-1)) {
    const { done, value } = inside.next();
    if (done) {
      open.pop();
      continue;
    }
    count += 1;
    if (count % valuesAtOnce === 0 && pace.isDue()) await pace.rest();
    characters += typeof value === 'string' ? value.length + 2 : 8;
    if (Array.isArray(value)) {
      characters += value.length * charactersPerEntry;
      open.push(value.values());
    } else if (typeof value === 'object' && value !== null) {
      const keys = Object.keys(value);
      if (keys.includes('__proto__')) throw damaged('it has a key that no session has');
      for (const key of keys) characters += key.length + 3;
      open.push(Object.values(value).values());
    }
    if (characters > maxCharacters) throw tooLarge();
    if (open.length > maxFileNesting + 2) throw damaged('it is nested too deeply');
  }
}

/** What is read at once is refused where that would take long. */
function refuseLarge(root: unknown, maxValues: number, path: readonly PropertyKey[]): void {
  const open: unknown[] = [root];
  let count = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const inside: unknown[] = Array.isArray(value) ? value : Object.values(value);
    count += inside.length;
    if (count > maxValues) throw tooManyValues(path);
    for (const each of inside) if (typeof each === 'object') open.push(each);
  }
}

/** What no schema says: each id once, and nothing that belongs to nothing. */
function refuseLoose(turns: readonly Turn[], items: readonly Item[]): void {
  const ids = new Set(turns.map(({ id }) => id));
  if (ids.size < turns.length) throw damaged('a turn is there twice');
  if (turns.some((turn) => !turn.closed || turn.status === 'queued' || turn.status === 'running'))
    throw damaged('a turn in it is still running');
  if (new Set(items.map(({ id }) => id)).size < items.length) throw damaged('an item is there twice');
  if (items.some((item) => !ids.has(item.turnId))) throw damaged('an item belongs to no turn');
}

/** Each is looked for in all of its message. */
function refuseManyFiles(context: readonly OwnedMessage[]): void {
  for (const { message } of context)
    if (message.role !== 'assistant' && (message.files?.length ?? 0) > maxAttachments)
      throw damaged(`a message in it has more than ${String(maxAttachments)} files`);
}

function firstProblem(error: z.ZodError, path: readonly PropertyKey[] = []): string {
  const [issue] = error.issues;
  if (!issue) return 'a value is wrong';
  const where = [...path, ...issue.path].map(String).join('.').slice(0, 120);
  return `${where}: ${issue.message.slice(0, 200)}`;
}

/** Taken away where sessions of the same file were imported before. */
export const nothingImported = ' Nothing was imported.';

export const invalid = (message: string, advice: string): AndironError =>
  new AndironError('snapshot_invalid', message + nothingImported, advice);

export const damaged = (what: string): AndironError =>
  invalid(`The exported session is damaged: ${what}.`, 'Export it again, or use another copy of the file.');

export const tooManyValues = (path: readonly PropertyKey[]): AndironError =>
  damaged(`${path.map(String).join('.')} has more values than Andiron writes`);

export const tooLarge = (): AndironError =>
  invalid(
    `The session is larger than ${String(maxCharacters / 1_000_000)} MB.`,
    'Fork the session from a later point, or reset it, and export that.',
  );
