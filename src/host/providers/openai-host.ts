/** A server that speaks OpenAI's dialect: LM Studio, llama-server, vLLM and others. */
import { unlessAborted } from '../../platform/event-loop.ts';
import { parseJson } from '../../protocol/json.ts';
import { maxReplyBytes } from '../../protocol/limits.ts';
import {
  withoutEndSlash,
  type HostAccess,
  type HostConfig,
  type HostKindEntry,
  type ListedModel,
} from './host-kind.ts';
import { connectHost, textOf } from './openai-connection.ts';
import { askedHost, unreadable } from './openai-failures.ts';
import { modelListSchema } from './openai-schemas.ts';
import { createOpenAiProvider } from './openai.ts';

export const openAiHost: HostKindEntry = {
  takesKey: true,
  baseUrl: apiRoot,
  createProvider: ({ name }, access, images) => createOpenAiProvider({ ...access, name, images }),
  listModels,
  // No request of the dialect says it.
  trainedContext: () => Promise.resolve(null),
};

/** People give the server, the API's root or the whole address of its chats; all of them mean the same. */
function apiRoot(address: string): string {
  const root = withoutEndSlash(withoutEndSlash(address).replace(/\/chat\/completions$/, ''));
  return new URL(root).pathname === '/' ? `${root}/v1` : root;
}

async function listModels(
  { name, url }: HostConfig,
  { readKey, clock }: HostAccess,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const apiKey = await unlessAborted(readKey(), signal);
  const host = askedHost(name, url, apiKey);
  const connection = connectHost({ host, apiKey, clock, signal });
  try {
    const text = await textOf(await connection.send('/models', ''), maxReplyBytes.hostModels);
    const list = modelListSchema.safeParse(jsonIn(text));
    if (!list.success) throw unreadable(host, 'it is no list of models', text);
    return list.data.data.map(({ id, meta, ...entry }) => ({
      model: id,
      contextTokens:
        entry.max_model_len ??
        meta?.n_ctx ??
        entry.context_length ??
        entry.context_window ??
        entry.max_context_length ??
        null,
    }));
  } catch (error) {
    throw connection.failure(error);
  } finally {
    await connection.close();
  }
}

/** undefined = no JSON, which no schema takes. */
function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
