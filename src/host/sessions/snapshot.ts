/** A session as a file: everything a person and the model have of it, and nothing of this machine but folder names (L2). */
import { z } from 'zod';
import { AndironError } from '../../protocol/errors.ts';
import { maxFileNesting } from '../../protocol/limits.ts';
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
import type { Store } from '../store/store.ts';
import { isCompaction } from './compaction.ts';
import { packedFileSchema } from './packed-files.ts';
import { packedResultSchema } from './packed-results.ts';
import { scratchpadSchema } from './session-data.ts';

const format = 'andiron-session';
const version = 1;
/** Characters of a session in a file; what a session of many months comes to, and what a machine can hold twice. */
export const mostCharacters = 50_000_000;

/** Ends at the first entry that is wrong: a list of a million of them would else be described a million times. */
function listOf<T>(entry: z.ZodType<T>): z.ZodType<T[]> {
  return z.array(z.unknown()).transform((values, context): T[] => {
    const read: T[] = [];
    for (const [index, value] of values.entries()) {
      const { success, data, error } = entry.safeParse(value);
      if (!success) {
        const [issue] = error.issues;
        context.addIssue({
          code: 'custom',
          path: [index, ...(issue?.path ?? [])],
          message: issue?.message ?? 'is wrong',
        });
        return z.NEVER;
      }
      read.push(data);
    }
    return read;
  });
}

const snapshotSchema = z.object({
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
  turns: listOf(turnSchema),
  items: listOf(itemSchema),
  context: listOf(z.object({ message: contextMessageSchema, turnId: z.string().nullable() })),
  todo: todoSchema,
  scratchpad: scratchpadSchema,
  /** The files of its messages, as far as they had room. */
  attachments: listOf(packedFileSchema).optional(),
  /** Untruncated results of its calls, as far as they had room. */
  results: listOf(packedResultSchema).optional(),
});
export type SessionSnapshotFile = z.infer<typeof snapshotSchema>;

export interface SnapshotSource {
  store: Store;
  platform: string;
  now: number;
}

/**
 * Up to and including that turn, or to the newest that began; messages that wait are no part of it. What still runs is
 * as it would be after a crash: cut, and marked as interrupted.
 */
export function takeSnapshot(
  sessionId: string,
  upTo: string | undefined,
  { store, platform, now }: SnapshotSource,
): SessionSnapshotFile {
  const session = store.getSession(sessionId);
  if (!session)
    throw new AndironError(
      'not_found',
      'This session does not exist any more.',
      'Choose another session, or begin one.',
    );
  const begun = store.allTurns(sessionId).filter(({ status }) => status !== 'queued');
  const end = upTo === undefined ? begun.length : begun.findIndex(({ id }) => id === upTo) + 1;
  if (upTo !== undefined && end === 0)
    throw new AndironError(
      'not_found',
      'This turn has not begun, or does not exist any more.',
      'Wait until it runs, or fork the session from another turn.',
    );
  const turns = begun.slice(0, end);
  const isNewest = end === begun.length && turns.at(-1)?.replaced !== true;
  const context =
    upTo === undefined || isNewest ? inForce(sessionId, store) : contextUpTo(sessionId, turns, store);
  const read = new Set(context.map(({ turnId }) => turnId));
  // A copy of an earlier version has that version in force.
  const isCurrent = (turn: Turn): boolean =>
    turn.id === upTo || (turns.at(-1)?.replaced === true && read.has(turn.id));
  const ids = new Set(turns.map(({ id }) => id));
  const items = store
    .pageItems(sessionId, { limit: everything })
    .items.filter((item) => ids.has(item.turnId));
  const running = turns.find(({ closed }) => !closed);
  const { title, workspace, profileId, model } = session.summary;
  return withoutPrototypes({
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
    turns: turns.map((turn) => ended(isCurrent(turn) ? current(turn) : turn, now)),
    items: running
      ? [...items.map((item) => cut(item, now)), copiedWhileRunning(running.id, items, now)]
      : items,
    context,
    todo: store.readSessionData(sessionId, 'todo', todoSchema) ?? { steps: [] },
    scratchpad: store.readSessionData(sessionId, 'scratchpad', scratchpadSchema) ?? {},
  });
}

const everything = 1_000_000_000;

function inForce(sessionId: string, store: Store): OwnedMessage[] {
  return store.readGeneration(sessionId, store.generation(sessionId));
}

/**
 * As of the last of these turns. A summary has no message of its own, and one that failed early may have none: then as of
 * the turn before. A copy of a session knows only what was in force in it.
 */
function contextUpTo(sessionId: string, turns: readonly Turn[], store: Store): OwnedMessage[] {
  const withMessage = turns.filter((turn) => !isCompaction(turn));
  const isEarlier = turns.at(-1)?.replaced === true;
  const read = isEarlier
    ? withMessage.slice(-1)
    : withMessage.filter(({ replaced }) => !replaced).toReversed();
  for (const { id } of read) {
    const context = store.contextWithTurn(sessionId, id);
    if (context) return context;
  }
  if (read.length === 0) return [];
  throw new AndironError(
    'not_found',
    'What the model had read up to here is not known any more.',
    'Fork from a later turn, or the session that this one was copied from.',
  );
}

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
function withoutPrototypes(file: SessionSnapshotFile): SessionSnapshotFile {
  const text = JSON.stringify(file);
  if (!text.includes('"__proto__"')) return file;
  return snapshotSchema.parse(
    JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value)),
  );
}

/** Whatever a file holds, as a value or as its text. Throws `snapshot_invalid` with what is wrong and what to do. */
export function readSnapshot(raw: unknown): SessionSnapshotFile {
  const value = typeof raw === 'string' ? parseText(raw) : raw;
  refuseHostile(value);
  const head = z.object({ format: z.literal(format), version: z.number() }).safeParse(value);
  if (!head.success)
    throw invalid('This is not a session that Andiron exported.', 'Choose a file that "Export" made.');
  if (head.data.version !== version) {
    throw invalid(
      `The session was exported in version ${String(head.data.version)} of the format; this Andiron reads version ${String(version)}.`,
      'Import it with the Andiron that exported it, or update this one.',
    );
  }
  const parsed = snapshotSchema.safeParse(value);
  if (!parsed.success) throw damaged(firstProblem(parsed.error));
  refuseLoose(parsed.data);
  const { turns, items, exportedAt } = parsed.data;
  // No question is asked, and nothing seems to run, that nobody here can answer or stop.
  return {
    ...parsed.data,
    turns: turns.map((turn) => atRest(turn, exportedAt)),
    items: items.map((item) => cut(item, exportedAt)),
  };
}

function parseText(text: string): unknown {
  if (text.length > mostCharacters) throw tooLarge();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damaged(`it is not whole JSON (${error instanceof Error ? error.message : String(error)})`);
  }
}

/** Before anything looks inside: size, depth, and keys that would reach behind an object. */
function refuseHostile(root: unknown): void {
  const open: [value: unknown, depth: number][] = [[root, 0]];
  let characters = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, depth] = next;
    characters += typeof value === 'string' ? value.length + 2 : 8;
    if (characters > mostCharacters) throw tooLarge();
    if (typeof value !== 'object' || value === null) continue;
    if (depth > maxFileNesting) throw damaged('it is nested too deeply');
    for (const key of Object.keys(value)) {
      if (key === '__proto__') throw damaged('it has a key that no session has');
      characters += key.length + 3;
      open.push([(value as Record<string, unknown>)[key], depth + 1]);
    }
  }
}

/** What no schema says: each id once, and nothing that belongs to nothing. */
function refuseLoose({ turns, items }: SessionSnapshotFile): void {
  const ids = new Set(turns.map(({ id }) => id));
  if (ids.size < turns.length) throw damaged('a turn is there twice');
  if (turns.some((turn) => !turn.closed || turn.status === 'queued' || turn.status === 'running'))
    throw damaged('a turn in it is still running');
  if (new Set(items.map(({ id }) => id)).size < items.length) throw damaged('an item is there twice');
  if (items.some((item) => !ids.has(item.turnId))) throw damaged('an item belongs to no turn');
}

function firstProblem(error: z.ZodError): string {
  const [issue] = error.issues;
  if (!issue) return 'a value is wrong';
  const where = issue.path.map(String).join('.').slice(0, 120);
  return `${where}: ${issue.message.slice(0, 200)}`;
}

/** Taken away where sessions of the same file were imported before. */
export const nothingImported = ' Nothing was imported.';

export const invalid = (message: string, advice: string): AndironError =>
  new AndironError('snapshot_invalid', message + nothingImported, advice);

export const damaged = (what: string): AndironError =>
  invalid(`The exported session is damaged: ${what}.`, 'Export it again, or use another copy of the file.');

export const tooLarge = (): AndironError =>
  invalid(
    `The session is larger than ${String(mostCharacters / 1_000_000)} MB.`,
    'Fork the session from a later point, or reset it, and export that.',
  );
