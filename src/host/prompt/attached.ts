/** What a message says of the files that came with it: written once, when it is sent, and never changed (C2, S6). */
import {
  imageInWords,
  imagesOf,
  type ContextMessage,
  type Illustrated,
  type SentFile,
} from '../providers/provider.ts';
import type { ServerOrigin } from '../../protocol/attachments.ts';
import { visibleName } from '../../rules/visible-text/visible-text.ts';
import { isDocumentMime } from '../../rules/document-kind.ts';
import { escapeNotes, withoutNotes } from './notes.ts';

export interface AttachedFile extends SentFile {
  bytes: number;
  /** What is in it, for a model that has no tool to read it with; undefined = it has, or there is no text in it. */
  text?: string | undefined;
}

const title = '\n\n[Attached files:]\n';

/** Characters of one file in a message: what a tool would give in one result. */
const maxInlined = 8_000;

/** Behind the text of the message. The tools that C2 names are those of this house, and they go by paths. */
export function attachedBlock(files: readonly AttachedFile[], tools: ReadonlySet<string>): string {
  if (files.length === 0) return '';
  const lines = files.map(
    ({ name, id, bytes, mime, from }) =>
      `- ${name} (file_id: ${id}, ${String(bytes)} bytes, ${mime}${from ? `, ${origin(from)}` : ''})`,
  );
  const readable = files.some(({ mime }) => isDocumentMime(mime)) ? 'text files and documents' : 'text files';
  const ways = [
    ...(tools.has('read_file') ? [`read_file to read ${readable}`] : []),
    ...(tools.has('run_command') ? ['run_command to process them'] : []),
  ];
  if (ways.length > 0)
    lines.push(`Use ${ways.join(', or ')}, by these paths:`, ...files.map(({ path }) => path));
  if (files.some(({ kind }) => kind === 'image')) lines.push('The images are part of this message.');
  const inlined = files.flatMap(({ name, text }) =>
    text === undefined ? [] : [`\n${name}:\n${inline(text)}`],
  );
  return escapeNotes(`${title}${[...lines, ...inlined].join('\n')}`);
}

function origin({ server, uri, kind }: ServerOrigin): string {
  const from = `from the ${kind ?? 'server'} ${visibleName(server)}`;
  return uri === '' ? from : `${from}: ${visibleName(uri)}`;
}

/** Whoever wrote it cannot begin a block of their own in it. */
function inline(text: string): string {
  const within = text.replaceAll(title.trim(), '[Attached files]');
  if (within.length <= maxInlined) return within;
  return `${within.slice(0, maxInlined).replace(/[\uD800-\uDBFF]$/, '')}\n... [truncated]`;
}

/** The text of a message before its block. */
export function withoutAttached({ content, files }: Extract<ContextMessage, { role: 'user' }>): string {
  const at = files === undefined ? -1 : content.lastIndexOf(title);
  return at === -1 ? content : content.slice(0, at);
}

/** What of the files stands in the message itself, file by file. Nothing where they are read with a tool. */
export function attachedTexts(
  message: Extract<ContextMessage, { role: 'user' }>,
): { file: SentFile; text: string }[] {
  const { content, files = [] } = message;
  let end = content.length;
  return files
    .toReversed()
    .flatMap((file) => {
      const head = escapeNotes(`\n${file.name}:\n`);
      const at = content.lastIndexOf(head, end - 1);
      if (at < withoutAttached(message).length) return [];
      const text = content.slice(at + head.length, end);
      end = at;
      return [{ file, text: withoutNotes(text) }];
    })
    .toReversed();
}

/** The log as far as this model can see it: each image that it cannot see by its name, in the place where it was. */
export function shownTo(model: Sight, log: readonly ContextMessage[]): readonly ContextMessage[] {
  const isHidden = (message: ContextMessage): message is Illustrated =>
    message.role !== 'assistant' && !isShown(message.role, model) && imagesOf(message).length > 0;
  if (!log.some(isHidden)) return log;
  return log.map((message) => (isHidden(message) ? withoutImages(message, model) : message));
}

/**
 * Nobody chose the pictures of a result, and a host that refuses one would refuse every later message of the session: they
 * go only to a model that is known to see.
 */
const isShown = (role: Illustrated['role'], model: Sight): boolean =>
  role === 'tool' ? model.capabilities !== null && sees(model) : sees(model);

function withoutImages(message: Illustrated, model: Sight): ContextMessage {
  const said = withoutNotes(message.content);
  const images = imagesOf(message).map(imageInWords);
  const words = message.role === 'tool' ? [...images, unseen(model, images.length)] : images;
  const content = `${said}\n\n${words.join('\n')}${message.content.slice(said.length)}`;
  return { ...message, content, files: message.files?.filter(({ kind }) => kind !== 'image') };
}

function unseen({ capabilities }: Sight, count: number): string {
  const them = count === 1 ? 'it' : 'them';
  return capabilities === null
    ? `(You were not shown ${them}: it is not known whether you can see images. The person sees ${them}.)`
    : `(You cannot see ${them}. The person sees ${them}.)`;
}

interface Sight {
  capabilities: readonly string[] | null;
}

/** Unknown counts as seeing: the engine says no by itself. */
export const sees = ({ capabilities }: Sight): boolean =>
  capabilities === null || capabilities.includes('vision');
