import { z } from 'zod';

import type { Message, ThinkValue, Tool } from '../render/types.ts';
import type { Dialect } from './dialect.ts';
import { scanJson } from './go-scan.ts';
import { parseKeepAlive } from './duration.ts';
import { refuse, type Outcome } from './outcome.ts';
import { parseThink } from './think.ts';

/*
 * Requests as Ollama's Go structs take them: null is "not given", unknown keys are ignored, and a
 * wrong type is answered with the decoder's own words, which name the struct field.
 */

const json = z.json();
const text = z.string().nullish();
const flag = z.boolean().nullish();

const property = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  enum: z.array(json).optional(),
  items: json.optional(),
  required: z.array(z.string()).optional(),
  get anyOf() {
    return z.array(property).optional();
  },
  get properties() {
    return z.record(z.string(), property).optional();
  },
});

const tool = z.object({
  type: z.string().default('function'),
  items: json.optional(),
  function: z.object({
    name: z.string(),
    description: z.string().optional(),
    parameters: z
      .object({
        type: z.string().optional(),
        $defs: json.optional(),
        items: json.optional(),
        required: z.array(z.string()).optional(),
        properties: z.record(z.string(), property).optional(),
      })
      .optional(),
  }),
});

const message = z.object({
  role: text,
  content: text,
  thinking: text,
  images: z.array(z.string()).nullish(),
  tool_name: text,
  tool_call_id: text,
  tool_calls: z
    .array(
      z.object({
        id: z.string().optional(),
        function: z.object({ name: z.string(), arguments: z.record(z.string(), json).default({}) }),
      }),
    )
    .nullish(),
});

const common = {
  model: text,
  stream: flag,
  format: z.unknown().optional(),
  keep_alive: z.unknown().optional(),
  options: z.record(z.string(), z.unknown()).nullish(),
  think: z.unknown().optional(),
  truncate: flag,
  shift: flag,
  logprobs: flag,
  top_logprobs: z.number().nullish(),
  runner: text,
  _debug_render_only: flag,
};
const chatBody = z.object({
  ...common,
  messages: z.array(message).nullish(),
  tools: z.array(tool).nullish(),
});
const generateBody = z.object({
  ...common,
  prompt: text,
  suffix: text,
  system: text,
  template: text,
  context: z.array(z.number()).nullish(),
  raw: flag,
  images: z.array(z.string()).nullish(),
});
const showBody = z.object({ model: text, name: text, verbose: flag, runner: text });
const pullBody = z.object({ model: text, name: text, stream: flag, runner: text });
const deleteBody = z.object({ model: text, name: text });
const embedBody = z.object({
  model: text,
  input: z.unknown().optional(),
  truncate: flag,
  dimensions: z.number().nullish(),
  keep_alive: z.unknown().optional(),
  options: z.record(z.string(), z.unknown()).nullish(),
});

/** What chat and generate have in common, defaults filled in. */
export interface RunRequest {
  model: string;
  stream: boolean;
  format: unknown;
  keepAliveMs: number | undefined;
  options: Record<string, unknown>;
  think: ThinkValue | undefined;
  truncate: boolean;
  shift: boolean;
  logprobs: boolean;
  topLogprobs: number;
  debugRenderOnly: boolean;
}

export interface ChatRequest extends RunRequest {
  messages: Message[];
  tools: Tool[];
}

export interface GenerateRequest extends RunRequest {
  prompt: string;
  suffix: string;
  system: string | undefined;
  raw: boolean;
  hasTemplateOrContext: boolean;
}

export interface EmbedRequest extends Pick<
  RunRequest,
  'model' | 'keepAliveMs' | 'options' | 'truncate' | 'shift'
> {
  texts: string[];
  /** 0 = all that the model has. */
  dimensions: number;
}

export interface ShowRequest {
  model: string;
  verbose: boolean;
}

/** Go's names for the types of struct fields, by path without indexes; strings are the default. */
const GO_TYPES: Record<string, string> = {
  messages: '[]api.Message',
  tools: 'api.Tools',
  stream: 'bool',
  options: 'map[string]interface {}',
  truncate: 'bool',
  shift: 'bool',
  logprobs: 'bool',
  top_logprobs: 'int',
  raw: 'bool',
  verbose: 'bool',
  dimensions: 'int',
  context: '[]int',
  'messages.images': '[]api.ImageData',
  'messages.tool_calls': '[]api.ToolCall',
  'messages.tool_calls.function.arguments': 'api.ToolCallFunctionArguments',
};

function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    root,
  );
}

function decode<T>(body: string, struct: string, schema: z.ZodType<T>): Outcome<T> {
  if (body.trim() === '') return refuse(400, 'missing request body');
  const scan = scanJson(body);
  if (scan.kind === 'incomplete') return refuse(400, 'unexpected EOF');
  if (scan.kind === 'error') return refuse(400, scan.message);
  const value: unknown = JSON.parse(body.slice(0, scan.end));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(400, `json: cannot unmarshal ${goKind(value)} into Go value of type api.${struct}`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const path = parsed.error.issues[0]?.path ?? [];
  const field = path.filter((key) => typeof key === 'string').join('.');
  const goType = GO_TYPES[field] ?? (typeof path.at(-1) === 'number' ? 'api.Message' : 'string');
  return refuse(
    400,
    `json: cannot unmarshal ${goKind(valueAt(value, path))} into Go struct field ${struct}.${field} of type ${goType}`,
  );
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function firstBadImage(images: readonly (readonly string[])[]): Outcome<undefined> {
  for (const image of images.flat()) {
    if (BASE64.test(image) && image.length % 4 === 0) continue;
    const at = image.search(/[^A-Za-z0-9+/=]/);
    return refuse(
      400,
      `illegal base64 data at input byte ${at < 0 ? image.length - (image.length % 4) : at}`,
    );
  }
  return { ok: true, value: undefined };
}

type CommonBody = z.infer<z.ZodObject<typeof common>>;

/** Which program is to run the model: newer servers know a few. */
function knownRunner(runner: string | null | undefined, dialect: Dialect): Outcome<undefined> {
  if (dialect === '0.33.2' || ['', 'llamacpp', 'ggml', 'mlx'].includes(runner ?? '')) {
    return { ok: true, value: undefined };
  }
  return refuse(400, `unknown runner ${JSON.stringify(runner)}`);
}

function runRequest(body: CommonBody, dialect: Dialect): Outcome<RunRequest> {
  const keepAlive = parseKeepAlive(body.keep_alive);
  if (!keepAlive.ok) return keepAlive;
  const think = parseThink(body.think, dialect);
  if (!think.ok) return think;
  const topLogprobs = body.top_logprobs ?? 0;
  if (topLogprobs < 0 || topLogprobs > 20) return refuse(400, 'top_logprobs must be between 0 and 20');
  const runner = knownRunner(body.runner, dialect);
  if (!runner.ok) return runner;
  return {
    ok: true,
    value: {
      model: body.model ?? '',
      stream: body.stream ?? true,
      format: body.format ?? undefined,
      keepAliveMs: keepAlive.value,
      options: body.options ?? {},
      think: think.value,
      truncate: body.truncate ?? true,
      shift: body.shift ?? true,
      logprobs: body.logprobs ?? false,
      topLogprobs,
      debugRenderOnly: body['_debug_render_only'] ?? false,
    },
  };
}

export function decodeChat(body: string, dialect: Dialect): Outcome<ChatRequest> {
  const decoded = decode(body, 'ChatRequest', chatBody);
  if (!decoded.ok) return decoded;
  const { messages, tools } = decoded.value;
  const images = firstBadImage((messages ?? []).map((entry) => entry.images ?? []));
  if (!images.ok) return images;
  const run = runRequest(decoded.value, dialect);
  if (!run.ok) return run;
  return {
    ok: true,
    value: {
      ...run.value,
      tools: tools ?? [],
      messages: (messages ?? []).map((entry) => ({
        role: (entry.role ?? '').toLowerCase(),
        content: entry.content ?? '',
        ...(entry.images?.length ? { images: entry.images } : {}),
        thinking: entry.thinking ?? undefined,
        tool_calls: entry.tool_calls ?? undefined,
        tool_name: entry.tool_name ?? undefined,
        tool_call_id: entry.tool_call_id ?? undefined,
      })),
    },
  };
}

export function decodeGenerate(body: string, dialect: Dialect): Outcome<GenerateRequest> {
  const decoded = decode(body, 'GenerateRequest', generateBody);
  if (!decoded.ok) return decoded;
  const given = decoded.value;
  const images = firstBadImage([given.images ?? []]);
  if (!images.ok) return images;
  const run = runRequest(given, dialect);
  if (!run.ok) return run;
  return {
    ok: true,
    value: {
      ...run.value,
      prompt: given.prompt ?? '',
      suffix: given.suffix ?? '',
      system: given.system ?? undefined,
      raw: given.raw ?? false,
      hasTemplateOrContext: (given.template ?? '') !== '' || (given.context ?? []).length > 0,
    },
  };
}

export function decodeEmbed(body: string): Outcome<EmbedRequest> {
  const decoded = decode(body, 'EmbedRequest', embedBody);
  if (!decoded.ok) return decoded;
  const { model, input, truncate, dimensions, keep_alive, options } = decoded.value;
  const keepAlive = parseKeepAlive(keep_alive);
  if (!keepAlive.ok) return keepAlive;
  const texts = textsOf(input ?? '');
  if (!texts) return refuse(400, 'invalid input type');
  return {
    ok: true,
    value: {
      model: model ?? '',
      keepAliveMs: keepAlive.value,
      options: options ?? {},
      truncate: truncate ?? true,
      // It cannot be said here, and counts as true.
      shift: true,
      texts,
      dimensions: dimensions ?? 0,
    },
  };
}

/** An empty text counts only inside a list; undefined = it is something else. */
function textsOf(input: unknown): string[] | undefined {
  if (typeof input === 'string') return input === '' ? [] : [input];
  const list = z.array(z.string()).safeParse(input);
  return list.success ? list.data : undefined;
}

export function decodeShow(body: string): Outcome<ShowRequest> {
  const decoded = decode(body, 'ShowRequest', showBody);
  if (!decoded.ok) return decoded;
  const { model, name, verbose } = decoded.value;
  return { ok: true, value: { model: model ?? name ?? '', verbose: verbose ?? false } };
}

export function decodePull(body: string, dialect: Dialect): Outcome<{ model: string; stream: boolean }> {
  const decoded = decode(body, 'PullRequest', pullBody);
  if (!decoded.ok) return decoded;
  const { model, name, stream } = decoded.value;
  const runner = knownRunner(decoded.value.runner, dialect);
  if (!runner.ok) return runner;
  return { ok: true, value: { model: model ?? name ?? '', stream: stream ?? true } };
}

export function decodeDelete(body: string): Outcome<{ model: string }> {
  const decoded = decode(body, 'DeleteRequest', deleteBody);
  if (!decoded.ok) return decoded;
  const { model, name } = decoded.value;
  return { ok: true, value: { model: model ?? name ?? '' } };
}
