/**
 * Whether the model has read what the person did not write: a file, a command's output, a page, an attachment. It is told
 * by what stands in the log and never by how it is worded, so it outlives a restart.
 */
import { z } from 'zod';
import { interruptedResult } from '../store/context.ts';
import { inSlices, type Pace } from '../../platform/event-loop.ts';
import type { Store, StoreView } from '../store/store.ts';
import { visibleName } from '../../rules/visible-text/visible-text.ts';
import type { ContextMessage } from '../providers/provider.ts';

/**
 * Tools whose results are the host's own words, or what the model itself wrote down in this session. Any other tool
 * brings something in.
 */
const hostWords: ReadonlySet<string> = new Set([
  'todo',
  'list_profiles',
  'switch_profile',
  'memory_save',
  'memory_search',
  'scratchpad',
  'write_file',
]);

/** Of a session whose text came from elsewhere: what a copy and an import are marked with. */
const markSchema = z.object({ words: z.string() });
const mark = 'taint';
const importSchema = z.object({ turns: z.array(z.string()) });
const importMark = 'imported';

const maxNameLength = 80;
/** How read_file begins where there was a file. */
const fileRead = /^(?:lines \d+-\d+ of \d+|The file is empty\.$)/;

type ToolMessage = Extract<ContextMessage, { role: 'tool' }>;

/** What the session has read in any of its contexts, also before a summary or a reset; null = nothing. */
export function sessionTaint(
  store: Pick<StoreView, 'readSessionData' | 'hasForeignText'>,
  sessionId: string,
  messages: readonly ContextMessage[],
): string | null {
  const inForce = taintIn(messages);
  if (inForce !== null) return inForce;
  const marked = store.readSessionData(sessionId, mark, markSchema);
  if (marked) return marked.words;
  return store.hasForeignText(sessionId, hostWords) ? 'text that you did not write' : null;
}

const reachedSchema = z.object({ hosts: z.array(z.string()) });
const reachedMark = 'reached';

/**
 * What the session has read that came from elsewhere than its folder and this host, in words that follow "this session has
 * read"; null = nothing.
 */
export function foreignText(
  store: Pick<StoreView, 'readSessionData'> & Pick<Store, 'attachmentsOf'>,
  sessionId: string,
  host: string,
): string | null {
  const marked = store.readSessionData(sessionId, mark, markSchema);
  if (marked) return marked.words;
  const [file] = store.attachmentsOf(sessionId);
  if (file) return `the attached file ${quoted(file.name)}`;
  const others = reachedHosts(store, sessionId).filter((each) => each !== host);
  const last = others.at(-1);
  return last === undefined ? null : `what a command got from ${last}`;
}

const reachedHosts = (store: Pick<StoreView, 'readSessionData'>, sessionId: string): string[] =>
  store.readSessionData(sessionId, reachedMark, reachedSchema)?.hosts ?? [];

/** A command of the session reaches that host, and the session may read what it gets. */
export function noteReached(
  store: Pick<Store, 'readSessionData' | 'writeSessionData'>,
  sessionId: string,
  host: string,
): void {
  const hosts = reachedHosts(store, sessionId);
  if (hosts.at(-1) === host) return;
  store.writeSessionData(sessionId, reachedMark, { hosts: [...hosts.filter((each) => each !== host), host] });
}

/** Where a copy comes from: what the person did not write stays that in it. */
export interface Origin {
  /** What was read that the person did not write; null = nothing. */
  words: string | null;
  /** Turns of the source whose messages came in a file; null = all of them. */
  imported: ReadonlySet<string> | null;
}

export const fromFile: Origin = { words: 'an imported conversation', imported: null };

/** A fork takes over what is known of its session. */
export async function originOf(sessionId: string, store: StoreView, pace: Pace): Promise<Origin> {
  const read = store.eachMessage(sessionId, store.generation(sessionId));
  const messages = await inSlices(read, pace, ({ message }) => message);
  return { words: sessionTaint(store, sessionId, messages), imported: importedTurns(store, sessionId) };
}

/** In the transaction that reveals a copy. `turnIds`: those of the copied turns, old to new. */
export function markOrigin(
  store: Pick<Store, 'writeSessionData'>,
  sessionId: string,
  { words, imported: before }: Origin,
  turnIds: ReadonlyMap<string, string>,
): void {
  if (words !== null) store.writeSessionData(sessionId, mark, { words });
  const imported = [...turnIds].flatMap(([old, id]) => (before === null || before.has(old) ? [id] : []));
  if (imported.length > 0) store.writeSessionData(sessionId, importMark, { turns: imported });
}

/** Turns whose messages came in a file: nobody knows who wrote them. */
export function importedTurns(store: Pick<Store, 'readSessionData'>, sessionId: string): ReadonlySet<string> {
  return new Set(store.readSessionData(sessionId, importMark, importSchema)?.turns);
}

/** The newest of it, in words that follow "this session has read"; null = nothing. */
export function taintIn(messages: readonly ContextMessage[]): string | null {
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (!message) continue;
    if (message.role === 'user' && message.files && message.files.length > 0)
      return `the attached file ${quoted(message.files[0]?.name ?? '')}`;
    if (message.role === 'tool' && !hostWords.has(message.tool) && message.content !== interruptedResult)
      return source(message, messages.slice(0, index));
  }
  return null;
}

/**
 * The model wrote the call, so of its words only the path of a file that was there is told, and told as a quotation: it
 * stands in a sentence of Andiron's.
 */
function source({ tool, callId, content }: ToolMessage, before: readonly ContextMessage[]): string {
  switch (tool) {
    case 'run_command':
      return 'the output of a command';
    case 'spawn_agent':
      return 'the answer of a subagent';
    case 'search':
      return 'what a search found';
    case 'list_files':
    case 'glob':
      return 'names of files';
    case 'read_file': {
      const { path } = argsOf(callId, before);
      return typeof path === 'string' && fileRead.test(content) ? `the file ${quoted(path)}` : 'a file';
    }
    default:
      return 'the result of a tool';
  }
}

function argsOf(callId: string, before: readonly ContextMessage[]): Record<string, unknown> {
  for (const message of before.toReversed()) {
    const call = message.role === 'assistant' && message.calls.find(({ id }) => id === callId);
    if (call) return call.args;
  }
  return {};
}

/** Nothing in it can end the quotation. */
function quoted(text: string): string {
  const plain = visibleName(text).replaceAll(/[\p{Quotation_Mark}`´ˮʺ″]/gu, "'");
  return `“${plain.length > maxNameLength ? `${plain.slice(0, maxNameLength)}…` : plain}”`;
}
