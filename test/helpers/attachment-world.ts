/** A house with a model that sees and one that does not, and files to give them. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Attachment } from '../../src/protocol/attachments.ts';
import type { SimOptions } from '../../src/sim/index.ts';
import type { Sim } from '../../src/sim/index.ts';
import type { SessionView, Window } from './host-world.ts';

export const [seeing, blind] = ['eyes:8b', 'blind:9b'];

export const withEyes: Pick<SimOptions, 'models'> = {
  models: [
    { name: blind, family: 'qwen3.5' },
    { name: seeing, family: 'gemma4-small', capabilities: ['completion', 'tools', 'thinking', 'vision'] },
  ],
};

/** One red pixel. */
export const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
export const base64 = (text: string): string => Buffer.from(text).toString('base64');

export async function attach({ rpc }: Pick<Window, 'rpc'>, name: string, data: string): Promise<Attachment> {
  return (await rpc.call('attachment/add', { name, data })).attachment;
}

export async function choose({ rpc, sessionId }: SessionView, model: string): Promise<void> {
  await rpc.call('session/update', { sessionId, model });
}

export async function sendWith(view: SessionView, text: string, ...files: Attachment[]): Promise<string> {
  const { rpc, sessionId } = view;
  const attachments = files.map(({ id }) => id);
  return (await rpc.call('turn/start', { sessionId, text, attachments })).turnId;
}

export interface SentMessage {
  role: string;
  content: string;
  images?: string[];
}

/** Of each chat that reached the engine. */
export const chats = (sim: Sim): SentMessage[][] =>
  sim.truth.requests
    .filter(({ endpoint }) => endpoint === '/api/chat')
    .map(({ body }) => (body as { messages: SentMessage[] }).messages);

/** What lies in the data folder. */
export const keptFiles = async ({ dir }: { dir: string }): Promise<string[]> =>
  (await readdir(join(dir, 'data', 'attachments'))).toSorted();

/** What no database knows any more, of the sessions of a lost one too. */
export const asideFiles = async ({ dir }: { dir: string }): Promise<string[]> =>
  (await readdir(join(dir, 'data', 'attachments', '.set-aside'))).toSorted();
