/** What a message says of the files that came with it: written once, when it is sent, and never changed (C2, S6). */
import { imageInWords, imagesOf, type ContextMessage, type SentFile } from '../providers/provider.ts';
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
    ({ name, id, bytes, mime }) => `- ${name} (file_id: ${id}, ${String(bytes)} bytes, ${mime})`,
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

function inline(text: string): string {
  if (text.length <= maxInlined) return text;
  return `${text.slice(0, maxInlined).replace(/[\uD800-\uDBFF]$/, '')}\n... [truncated]`;
}

/** The text of a message before its block. */
export function withoutAttached({ content, files }: Extract<ContextMessage, { role: 'user' }>): string {
  const at = files === undefined ? -1 : content.lastIndexOf(title);
  return at === -1 ? content : content.slice(0, at);
}

/** What of the files stands in the message itself, file by file. Nothing where they are read with a tool. */
export function attachedTexts(
  message: Extract<ContextMessage, { role: 'user' }>,
): { name: string; text: string }[] {
  const { content, files = [] } = message;
  let end = content.length;
  return files
    .toReversed()
    .flatMap(({ name }) => {
      const head = escapeNotes(`\n${name}:\n`);
      const at = content.lastIndexOf(head, end - 1);
      if (at < withoutAttached(message).length) return [];
      const text = content.slice(at + head.length, end);
      end = at;
      return [{ name, text: withoutNotes(text) }];
    })
    .toReversed();
}

/** The log as far as this model can see it. */
export const shownTo = (model: Sight, log: readonly ContextMessage[]): readonly ContextMessage[] =>
  sees(model) ? log : withoutImages(log);

/** For a model that cannot see: each image by its name, in the place where it was. */
export function withoutImages(messages: readonly ContextMessage[]): readonly ContextMessage[] {
  if (!messages.some((message) => imagesOf(message).length > 0)) return messages;
  return messages.map((message) => {
    const images = imagesOf(message);
    if (message.role !== 'user' || images.length === 0) return message;
    const said = withoutNotes(message.content);
    const content = `${said}\n\n${images.map(imageInWords).join('\n')}${message.content.slice(said.length)}`;
    return { ...message, content, files: message.files?.filter(({ kind }) => kind !== 'image') };
  });
}

interface Sight {
  capabilities: readonly string[] | null;
}

/** Unknown counts as seeing: the engine says no by itself. */
export const sees = ({ capabilities }: Sight): boolean =>
  capabilities === null || capabilities.includes('vision');
