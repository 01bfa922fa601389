/** What a person sends from an editor: text, and files that come with it. */
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { HostRpc } from '../cli/host-rpc.ts';
import { sendBytes } from '../cli/send-files.ts';

export interface PromptContent {
  text: string;
  /** Ids. */
  attachments: string[];
}

/** Links stay links, which tools can read; what is embedded is attached. Rejects with AndironError. */
export async function readPrompt(rpc: HostRpc, blocks: readonly ContentBlock[]): Promise<PromptContent> {
  const texts: string[] = [];
  const attachments: string[] = [];
  const attach = async (name: string, bytes: Buffer): Promise<void> => {
    attachments.push(await sendBytes(rpc, name, bytes));
  };
  for (const block of blocks) {
    switch (block.type) {
      case 'text':
        texts.push(block.text);
        break;
      case 'resource_link':
        texts.push(pathOf(block.uri));
        break;
      case 'image':
        await attach(`image.${block.mimeType.split('/')[1] ?? 'png'}`, Buffer.from(block.data, 'base64'));
        break;
      case 'resource': {
        const { resource } = block;
        const bytes = 'text' in resource ? Buffer.from(resource.text) : Buffer.from(resource.blob, 'base64');
        await attach(basename(pathOf(resource.uri)) || 'resource', bytes);
        break;
      }
      case 'audio':
        // Not announced, so no editor sends it.
        break;
    }
  }
  return { text: texts.join(''), attachments };
}

function pathOf(uri: string): string {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : uri;
  } catch {
    return uri;
  }
}
