/** What a person sends from an editor: text, the files that it mentions, and those that come with it. */
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentBlock, EmbeddedResource } from '@agentclientprotocol/sdk';
import type { HostRpc } from '../cli/host-rpc.ts';
import { sendBytes } from '../cli/send-files.ts';
import { maxAttachments } from '../protocol/attachment-limits.ts';
import { AndironError } from '../protocol/errors.ts';

export interface PromptContent {
  text: string;
  /** Ids. */
  attachments: string[];
}

interface Piece {
  text: string;
  isMention: boolean;
}

/** A host takes a few more, and a number may be added. */
const maxNameLength = 240;

/**
 * Every mention stays in the text, where tools can read its path; what is embedded is attached as well. Rejects with
 * AndironError; `cancelled` once the signal fires.
 */
export async function readPrompt(
  rpc: HostRpc,
  blocks: readonly ContentBlock[],
  signal: AbortSignal,
): Promise<PromptContent> {
  const pieces: Piece[] = [];
  const attachments: string[] = [];
  const names = new Set<string>();
  const attach = async (name: string, bytes: Buffer): Promise<void> => {
    const free = freeName(name, names);
    attachments.push(await sendBytes(rpc, free, bytes, signal));
    names.add(free);
  };
  const attachResource = async ({ resource }: EmbeddedResource): Promise<void> => {
    const bytes = 'text' in resource ? Buffer.from(resource.text) : Buffer.from(resource.blob, 'base64');
    const isKept = bytes.length === 0 || resource.uri.startsWith('file:');
    if (isKept && attachments.length >= maxAttachments) return;
    try {
      await attach(basename(pathOf(resource.uri)) || 'resource', bytes);
    } catch (error) {
      // It is named in the text, and nothing of it is lost.
      if (isKept && error instanceof AndironError && error.code === 'attachment_invalid') return;
      throw error;
    }
  };
  for (const block of blocks) {
    switch (block.type) {
      case 'text':
        pieces.push({ text: block.text, isMention: false });
        break;
      case 'resource_link':
        pieces.push({ text: mentionOf(block.uri), isMention: true });
        break;
      case 'image':
        await attach(`image.${block.mimeType.split('/')[1] ?? 'png'}`, Buffer.from(block.data, 'base64'));
        break;
      case 'resource':
        pieces.push({ text: mentionOf(block.resource.uri), isMention: true });
        await attachResource(block);
        break;
      case 'audio':
        // Not announced, so no editor sends it.
        break;
    }
  }
  return { text: joined(pieces), attachments };
}

/** A path would run into the words and the paths beside it. */
function joined(pieces: readonly Piece[]): string {
  let whole = '';
  let isAfterMention = false;
  for (const { text, isMention } of pieces) {
    if (text === '') continue;
    const isApart = isMention
      ? whole === '' || /[\s([{]$/.test(whole)
      : !isAfterMention || /^[\s.,;:!?)\]}]/.test(text);
    whole += isApart ? text : ` ${text}`;
    isAfterMention = isMention;
  }
  return whole;
}

/** With the lines that were chosen in it: `#L5-10`, or `#L5:10` as some editors write it. */
function mentionOf(uri: string): string {
  const path = pathOf(uri);
  const [, first, last] = /#L(\d+)(?:[:-]L?(\d+))?$/.exec(uri) ?? [];
  if (first === undefined || path === uri) return path;
  return last === undefined || last === first ? `${path}:${first}` : `${path}:${first}-${last}`;
}

function pathOf(uri: string): string {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : uri;
  } catch {
    return uri;
  }
}

/** Files of several folders may be called the same: the second is `mod (2).rs`. */
function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const name = wanted.slice(-maxNameLength);
  const end = extname(name);
  const stem = name.slice(0, name.length - end.length);
  let free = name;
  for (let nth = 2; taken.has(free); nth += 1) free = `${stem} (${String(nth)})${end}`;
  return free;
}
