/** The short calls: what the engine asks and tells Ollama. Each validated, each abortable, none with a timeout of its own. */
import type { EmbedRequest, GenerateRequest, Ollama, ShowRequest } from 'ollama';
import type { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import { AndironError } from '../protocol/errors.ts';
import { maxReplyBytes } from '../protocol/limits.ts';
import type { LoadPlan } from '../protocol/model.ts';
import { callOllama } from './client.ts';
import { describeFailure } from './failures.ts';
import { createLibraryApi, type LibraryApi } from './library.ts';
import { adviceOnForeign } from './reply.ts';
import {
  embedReplySchema,
  loadReplySchema,
  psSchema,
  showSchema,
  tagsSchema,
  versionSchema,
  type EmbedReply,
  type PsReply,
  type ShowReply,
  type TagsReply,
} from './schemas.ts';

/** Seconds, a Go duration with a unit (`"10m"`), or any negative number = for ever. */
export type KeepAlive = number | `${number}${'s' | 'm' | 'h'}`;

/** What decides how the model is loaded. No `shift`: this request cannot carry it, so a chat model would be loaded again. */
export interface EmbedOptions {
  num_gpu: number;
  num_ctx: number;
  num_thread: number;
}

interface EmbedCall {
  model: string;
  texts: string[];
  options: EmbedOptions;
  /** Absent = as it was loaded with. */
  keepAlive?: KeepAlive;
}

export interface OllamaApi extends LibraryApi {
  version(url: string, signal: AbortSignal): Promise<string>;
  tags(url: string, signal: AbortSignal): Promise<TagsReply['models']>;
  show(url: string, model: string, signal: AbortSignal): Promise<ShowReply>;
  ps(url: string, signal: AbortSignal): Promise<PsReply['models']>;
  /** Loads, or renews an idle model's keep-alive. Resolves when the model is ready. */
  load(url: string, plan: LoadPlan, keepAlive: KeepAlive, signal: AbortSignal): Promise<void>;
  /** A vector for each text, in order; loads the model where it is not there. Without a text it only loads. */
  embed(url: string, call: EmbedCall, signal: AbortSignal): Promise<EmbedReply>;
  /** Answers before memory is free; a busy model goes when it is done. */
  unload(url: string, model: string, signal: AbortSignal): Promise<void>;
}

const replies = {
  version: { schema: versionSchema, maxBytes: maxReplyBytes.version },
  tags: { schema: tagsSchema, maxBytes: maxReplyBytes.tags },
  show: { schema: showSchema, maxBytes: maxReplyBytes.show },
  ps: { schema: psSchema, maxBytes: maxReplyBytes.ps },
  load: { schema: loadReplySchema, maxBytes: maxReplyBytes.load },
  embed: { schema: embedReplySchema, maxBytes: maxReplyBytes.embed },
};

export function createOllamaApi(clock: Clock): OllamaApi {
  const ask = async <T>(
    url: string,
    model: string,
    signal: AbortSignal,
    { schema, maxBytes }: { schema: z.ZodType<T>; maxBytes: number },
    call: (client: Ollama) => Promise<unknown>,
  ): Promise<T> => {
    const describe = (error: unknown): AndironError => describeFailure(error, model);
    const reply = schema.safeParse(await callOllama({ url, clock, signal, maxBytes, describe }, call));
    if (reply.success) return reply.data;
    throw new AndironError('engine_refused', `${url} does not answer as Ollama does.`, adviceOnForeign, {
      cause: reply.error,
    });
  };

  return {
    ...createLibraryApi(clock),
    version: async (url, signal) =>
      (await ask(url, '', signal, replies.version, (client) => client.version())).version,
    tags: async (url, signal) => (await ask(url, '', signal, replies.tags, (client) => client.list())).models,
    show: (url, model, signal) =>
      ask(url, model, signal, replies.show, (client) => client.show({ model } satisfies ShowRequest)),
    ps: async (url, signal) => (await ask(url, '', signal, replies.ps, (client) => client.ps())).models,
    async load(url, plan, keepAlive, signal) {
      const body = {
        model: plan.model,
        prompt: '',
        options: plan.options,
        shift: plan.shift,
        keep_alive: keepAlive,
        stream: false,
      };
      await ask(url, plan.model, signal, replies.load, (client) =>
        client.generate(body as GenerateRequest & { stream: false }),
      );
    },
    embed(url, { model, texts, options, keepAlive }, signal) {
      const body: EmbedRequest = {
        model,
        input: texts,
        options,
        ...(keepAlive !== undefined && { keep_alive: keepAlive }),
      };
      return ask(url, model, signal, replies.embed, (client) => client.embed(body));
    },
    async unload(url, model, signal) {
      const body = { model, prompt: '', keep_alive: 0, stream: false };
      await ask(url, model, signal, replies.load, (client) =>
        client.generate(body as GenerateRequest & { stream: false }),
      );
    },
  };
}
