/**
 * Whether the model has read what the person did not write: a file, a command's output, an attachment, what memory was
 * taught by those. It is told by what stands in the log and never by how it is worded, so it outlives a restart.
 */
import { z } from 'zod';
import { lazyObject } from '../../protocol/lazy-object.ts';
import { inSlices, type Pace } from '../../platform/event-loop.ts';
import type { Store, StoreView } from '../store/store.ts';
import type { ContextMessage } from '../providers/provider.ts';
import { copyInstructions, instructedSource, instructionsOf } from './instructed.ts';
import {
  hostWords,
  newestSource,
  serverWords,
  sourceOfFile,
  wordsOfSource,
  type HostOf,
} from './text-sources.ts';

/** Of a session whose text came from elsewhere: what a copy and an import are marked with. */
const markSchema = lazyObject(() => ({ words: z.string() }));
const mark = 'taint';
const importSchema = lazyObject(() => ({ turns: z.array(z.string()) }));
const importMark = 'imported';

/** The newest host of each of the newest calls. */
const reachedSchema = lazyObject(() => ({ calls: z.array(z.tuple([z.string(), z.string()])).default([]) }));
const reachedMark = 'reached';
const maxReachedCalls = 200;

const recalledSchema = lazyObject(() => ({ lines: z.array(z.string()) }));
const recalledMark = 'recalled';
/** The newest are kept; that there were more is known all the same. */
const maxRecalledLines = 100;

type Reads = Pick<StoreView, 'readSessionData' | 'hasForeignText'>;

/** What the session has read in any of its contexts, also before a summary or a reset; null = nothing. */
export function sessionTaint(
  store: Reads,
  sessionId: string,
  messages: readonly ContextMessage[],
): string | null {
  const inForce = newestSource(messages, hostsReached(store, sessionId));
  if (inForce) return wordsOfSource(inForce);
  const marked = store.readSessionData(sessionId, mark, markSchema);
  if (marked) return marked.words;
  if (recalledLines(store, sessionId).length > 0) return wordsOfSource({ kind: 'memory', name: '' });
  const instructed = instructedSource(store, sessionId);
  if (instructed) return wordsOfSource(instructed);
  return store.hasForeignText(sessionId, hostWords) ? wordsOfSource({ kind: 'summary', name: '' }) : null;
}

/**
 * What the session has read that came from elsewhere than its folder and this host, in words that follow "this session has
 * read"; null = nothing. Most sessions have read their folder: a host that a person allowed there would ask for ever.
 */
export function readElsewhere(
  store: Pick<StoreView, 'readSessionData'> & Pick<Store, 'attachmentsOf' | 'allTurns' | 'hasCalled'>,
  sessionId: string,
  host: string,
): string | null {
  const marked = store.readSessionData(sessionId, mark, markSchema);
  if (marked) return marked.words;
  const [file] = store.attachmentsOf(sessionId);
  if (file) return wordsOfSource(sourceOfFile(file));
  const begun = store.allTurns(sessionId).findLast(({ from }) => from)?.from;
  if (begun) return wordsOfSource({ kind: 'server', name: begun.server });
  if (recalledLines(store, sessionId).length > 0) return wordsOfSource({ kind: 'memory', name: '' });
  if (store.hasCalled(sessionId, serverWords)) return wordsOfSource({ kind: 'tool', name: '' });
  const { calls } = store.readSessionData(sessionId, reachedMark, reachedSchema) ?? { calls: [] };
  const other = calls.findLast(([, name]) => name !== host);
  return other ? wordsOfSource({ kind: 'host', name: other[1] }) : null;
}

/** By call; of a session whose commands reached nothing, none. */
export function hostsReached(store: Pick<StoreView, 'readSessionData'>, sessionId: string): HostOf {
  let hosts: Map<string, string> | undefined;
  return (callId) => {
    hosts ??= new Map(store.readSessionData(sessionId, reachedMark, reachedSchema)?.calls);
    return hosts.get(callId);
  };
}

/** A command of the session reaches that host, and the session may read what it gets. */
export function noteReached(
  store: Pick<Store, 'readSessionData' | 'writeSessionData'>,
  sessionId: string,
  { callId, host }: { callId: string; host: string },
): void {
  const before = store.readSessionData(sessionId, reachedMark, reachedSchema)?.calls ?? [];
  const calls = [...before.filter(([id]) => id !== callId), [callId, host]];
  store.writeSessionData(sessionId, reachedMark, { calls: calls.slice(-maxReachedCalls) });
}

/** What memory told this session that it was taught by other texts than the person's. */
export const recalledLines = (store: Pick<StoreView, 'readSessionData'>, sessionId: string): string[] =>
  store.readSessionData(sessionId, recalledMark, recalledSchema)?.lines ?? [];

/** Before the session reads them. */
export function noteRecalled(
  store: Pick<Store, 'readSessionData' | 'writeSessionData'>,
  sessionId: string,
  lines: readonly string[],
): void {
  const before = recalledLines(store, sessionId);
  const added = lines.filter((line) => !before.includes(line));
  if (added.length > 0)
    store.writeSessionData(sessionId, recalledMark, {
      lines: [...before, ...added].slice(-maxRecalledLines),
    });
}

/** Where a copy comes from: what the person did not write stays that in it. */
export interface Origin {
  /** What was read that the person did not write; null = nothing. */
  words: string | null;
  /** Turns of the source whose messages came in a file; null = all of them. */
  imported: ReadonlySet<string> | null;
  /** What memory told it that was taught by other texts. */
  recalled: readonly string[];
  /** What it was told of its folder and of skills; absent = nothing. */
  instructions?: ReturnType<typeof instructionsOf>;
}

export const fromFile: Origin = {
  words: wordsOfSource({ kind: 'import', name: '' }),
  imported: null,
  recalled: [],
};

/** A fork takes over what is known of its session. */
export async function originOf(sessionId: string, store: StoreView, pace: Pace): Promise<Origin> {
  const read = store.eachMessage(sessionId, store.generation(sessionId));
  const messages = await inSlices(read, pace, ({ message }) => message);
  return {
    words: sessionTaint(store, sessionId, messages),
    imported: importedTurns(store, sessionId),
    recalled: recalledLines(store, sessionId),
    instructions: instructionsOf(store, sessionId),
  };
}

/** In the transaction that reveals a copy. `turnIds`: those of the copied turns, old to new. */
export function markOrigin(
  store: Pick<Store, 'readSessionData' | 'writeSessionData'>,
  sessionId: string,
  { words, imported: before, recalled, instructions }: Origin,
  turnIds: ReadonlyMap<string, string>,
): void {
  if (words !== null) store.writeSessionData(sessionId, mark, { words });
  const imported = [...turnIds].flatMap(([old, id]) => (before === null || before.has(old) ? [id] : []));
  noteRecalled(store, sessionId, recalled);
  if (instructions) copyInstructions(store, sessionId, instructions);
  if (imported.length > 0) store.writeSessionData(sessionId, importMark, { turns: imported });
}

/** Turns whose messages came in a file: nobody knows who wrote them. */
export function importedTurns(store: Pick<Store, 'readSessionData'>, sessionId: string): ReadonlySet<string> {
  return new Set(store.readSessionData(sessionId, importMark, importSchema)?.turns);
}
