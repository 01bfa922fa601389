/** Where the texts in a context came from that the person did not write. It is told by what stands in the log. */
import { isSummary } from '../prompt/compaction.ts';
import { attachedTexts, withoutAttached } from '../prompt/attached.ts';
import { withoutNotes } from '../prompt/notes.ts';
import { isForeignSkill } from '../prompt/skill-text.ts';
import type { ContextMessage } from '../providers/provider.ts';
import { interruptedResult } from '../store/context.ts';
import type { OwnedMessage } from '../loop/deps.ts';
import type { Attachment } from '../../protocol/attachments.ts';
import type { TextSource } from '../../protocol/foreign-text.ts';
import { visibleName } from '../../rules/visible-text/visible-text.ts';
import type { SourcedText } from '../../rules/shared-text.ts';

/**
 * Tools whose results are the host's own words, or what the model itself wrote down in this session. Any other tool
 * brings something in. What memory and skills say is marked when it is read.
 */
export const hostWords: ReadonlySet<string> = new Set([
  'todo',
  'list_profiles',
  'switch_profile',
  'memory_save',
  'memory_search',
  'scratchpad',
  'schedule_add',
  'schedule_cancel',
  'write_file',
  'create_document',
  'load_skill',
]);

/** Tools whose results servers of other people write: nothing of them is of the folder. */
export const serverWords: ReadonlySet<string> = new Set(['tool_search', 'tool_call']);

const maxNameLength = 80;
/** How read_file begins where there was a file. */
const fileRead = /^(?:lines \d+-\d+ of \d+|The file is empty\.$)/;

type ToolMessage = Extract<ContextMessage, { role: 'tool' }>;
/** The host that a call reached; undefined = none. */
export type HostOf = (callId: string) => string | undefined;

/** A result that brings text in: it is there, and its words are not the host's. */
const bringsText = (message: ContextMessage): message is ToolMessage =>
  message.role === 'tool' &&
  (!hostWords.has(message.tool) || (message.tool === 'load_skill' && isForeignSkill(message.content))) &&
  message.content !== interruptedResult;

/** Of the newest text in the context that the person did not write; null = there is none. */
export function newestSource(
  messages: readonly ContextMessage[],
  hostOf: HostOf = () => undefined,
): TextSource | null {
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (!message) continue;
    if (message.role === 'user') {
      if (message.from) return named('server', message.from.server);
      const [file] = message.files ?? [];
      if (file) return sourceOfFile(file);
    }
    if (bringsText(message)) return sourceOf(message, index, messages, hostOf);
  }
  return null;
}

/** The texts themselves, the newest first. `imported`: turns that came in a file, so nobody knows who wrote them. */
export function foreignTexts(
  owned: readonly OwnedMessage[],
  imported: ReadonlySet<string>,
  hostOf: HostOf = () => undefined,
): SourcedText<TextSource>[] {
  const messages = owned.map(({ message }) => message);
  return owned
    .flatMap(({ message, turnId }, index): SourcedText<TextSource>[] => {
      if (turnId !== null && imported.has(turnId))
        return [{ source: named('import'), text: message.content }];
      if (isSummary({ message, turnId })) return [{ source: named('summary'), text: message.content }];
      if (message.role === 'user') return foreignParts(message);
      if (!bringsText(message)) return [];
      return [{ source: sourceOf(message, index, messages, hostOf), text: withoutNotes(message.content) }];
    })
    .toReversed();
}

/** Of a message what the person did not write: texts of files, and all of one that a server wrote. */
function foreignParts(message: Extract<ContextMessage, { role: 'user' }>): SourcedText<TextSource>[] {
  const { from } = message;
  const written = from
    ? [
        {
          source: named('server', from.server),
          text: withoutAttached({ ...message, content: withoutNotes(message.content) }),
        },
      ]
    : [];
  const attached = attachedTexts(message).map(({ file, text }) => ({ source: sourceOfFile(file), text }));
  return [...written, ...attached];
}

/** A person chose it, whoever wrote it. */
export const sourceOfFile = ({ name, from }: Pick<Attachment, 'name' | 'from'>): TextSource =>
  from ? named(from.kind ?? 'server', from.server) : named('attachment', name);

/** In words that follow "this session has read". */
export function wordsOfSource({ kind, name }: TextSource): string {
  switch (kind) {
    case 'file':
      return name === '' ? 'a file' : `the file ${quoted(name)}`;
    case 'attachment':
      return `the attached file ${quoted(name)}`;
    // The model wrote the command: in a sentence of Andiron's it would speak for Andiron.
    case 'command':
      return 'the output of a command';
    case 'host':
      return `what it got from ${name}`;
    case 'page':
      return name === '' ? 'a web page' : `a page of ${name}`;
    case 'web':
      return 'what a web search found';
    case 'search':
      return 'what a search found';
    case 'names':
      return 'names of files';
    case 'subagent':
      return 'the answer of a subagent';
    case 'tool':
      return 'the result of a tool';
    case 'collection':
      return name === '' ? 'passages of collections' : `the collection ${quoted(name)}`;
    case 'server':
      return `what the server ${quoted(name)} wrote`;
    case 'skill':
      return `the skill ${quoted(name)}`;
    case 'memory':
      return 'what it remembers from other texts';
    case 'import':
      return 'an imported conversation';
    case 'summary':
      return 'text that you did not write';
  }
}

/** Of the words that the model wrote into the call only the path of a file that was there is told, and the command. */
function sourceOf(
  { tool, callId, content }: ToolMessage,
  at: number,
  messages: readonly ContextMessage[],
  hostOf: HostOf,
): TextSource {
  switch (tool) {
    case 'run_command': {
      const host = hostOf(callId);
      if (host !== undefined) return named('host', host);
      const { command } = argsOf(callId, at, messages);
      return named('command', typeof command === 'string' ? command : '');
    }
    case 'fetch_url':
      return named('page', hostOf(callId) ?? '');
    case 'web_search':
      return named('web');
    case 'search_collections':
      return named('collection');
    case 'spawn_agent':
      return named('subagent');
    case 'search':
      return named('search');
    case 'list_files':
    case 'glob':
      return named('names');
    case 'load_skill': {
      const { name } = argsOf(callId, at, messages);
      return named('skill', typeof name === 'string' ? name : '');
    }
    case 'read_file': {
      const { path } = argsOf(callId, at, messages);
      if (typeof path !== 'string' || !fileRead.test(content)) return named('file');
      const attached = attachedAt(path, messages);
      return attached === undefined ? named('file', path) : named('attachment', attached);
    }
    default:
      return named('tool');
  }
}

/** The call stands shortly before its result. */
function argsOf(callId: string, at: number, messages: readonly ContextMessage[]): Record<string, unknown> {
  for (let index = at - 1; index >= 0; index -= 1) {
    const message = messages[index];
    const call = message?.role === 'assistant' && message.calls.find(({ id }) => id === callId);
    if (call) return call.args;
  }
  return {};
}

function attachedAt(path: string, messages: readonly ContextMessage[]): string | undefined {
  for (const message of messages) {
    const file = message.role === 'user' ? message.files?.find((each) => each.path === path) : undefined;
    if (file) return file.name;
  }
  return undefined;
}

function named(kind: TextSource['kind'], name = ''): TextSource {
  const plain = visibleName(name);
  return { kind, name: plain.length > maxNameLength ? `${plain.slice(0, maxNameLength)}…` : plain };
}

/** Nothing in it can end the quotation. */
const quoted = (name: string): string => `“${name.replaceAll(/[\p{Quotation_Mark}`´ˮʺ″]/gu, "'")}”`;
