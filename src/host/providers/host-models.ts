/** Which models a host has, for the person's choice. */
import { createOllamaApi } from '../../ollama/api.ts';
import { trainedContext } from '../../ollama/model-info.ts';
import type { Clock } from '../../platform/clock.ts';
import { parseJson } from '../../protocol/json.ts';
import { maxReplyBytes } from '../../protocol/limits.ts';
import type { HostConfig } from './hosts.ts';
import { modelName } from '../../rules/model-names.ts';
import { connectHost, textOf } from './openai-connection.ts';
import { askedHost, unreadable } from './openai-failures.ts';
import { modelListSchema } from './openai-schemas.ts';

export interface HostModel {
  host: string;
  /** As the host itself calls it. */
  model: string;
  /** `host-id/model`, as profiles and sessions name it. */
  name: string;
  /** The context that it is loaded with; null = the list of the host does not say. */
  contextTokens: number | null;
}

/** Throws AndironError, or the signal's reason: there is no timeout but the signal. */
export async function listHostModels(
  config: HostConfig,
  apiKey: string | undefined,
  clock: Clock,
  signal: AbortSignal,
): Promise<HostModel[]> {
  const found =
    config.kind === 'ollama'
      ? ollamaModels(config, clock, signal)
      : openAiModels(config, apiKey, clock, signal);
  return (await found).map(({ model, contextTokens }) => ({
    host: config.id,
    model,
    name: modelName(config.id, model),
    contextTokens,
  }));
}

/** What the model was trained for, asked of a host whose list does not say it; null = nobody says. */
export async function askContext(
  { kind, url }: HostConfig,
  model: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<number | null> {
  return kind === 'ollama' ? trainedContext(await createOllamaApi(clock).show(url, model, signal)) : null;
}

type Listed = Pick<HostModel, 'model' | 'contextTokens'>;

async function ollamaModels({ url }: HostConfig, clock: Clock, signal: AbortSignal): Promise<Listed[]> {
  const models = await createOllamaApi(clock).tags(url, signal);
  return models.map(({ name }) => ({ model: name, contextTokens: null }));
}

async function openAiModels(
  { name, url }: HostConfig,
  apiKey: string | undefined,
  clock: Clock,
  signal: AbortSignal,
): Promise<Listed[]> {
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
