/** The request as `POST /chat/completions` takes it. The same log gives the same bytes, every time (X12). */
import type { WireTool } from '../../ollama/chat.ts';
import { noImages, shownImages, type Images, type Shown } from './images.ts';
import { shapeLog } from './log-shape.ts';
import type { Grammar } from '../../rules/grammar/schema.ts';
import { imagesOf, type ContextMessage, type ModelRequest } from './provider.ts';
import { callNumbering, toWireTools } from './wire.ts';

type ContentPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

export interface CompletionMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | ContentPart[];
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
  /** Of a tool; some templates ask for it. */
  name?: string;
  /** Reasoning, under the name that its host gave it. */
  [field: string]: unknown;
}

export interface CompletionBody {
  model: string;
  messages: CompletionMessage[];
  stream: true;
  stream_options: { include_usage: true };
  max_tokens: number;
  tools?: WireTool[];
  temperature?: number;
  top_p?: number;
  top_k?: number;
  seed?: number;
  chat_template_kwargs?: { enable_thinking: boolean };
  reasoning_effort?: string;
  response_format?: {
    type: 'json_schema';
    json_schema: { name: string; strict: true; schema: Grammar };
  };
}

/** Where a reply of another provider thought: what llama-server, LM Studio and vLLM hand to their templates. */
const commonReasoningField = 'reasoning_content';

/** `tools` is left out where there are none: hosts refuse an empty list (F5). */
export function toCompletionBody(request: ModelRequest, images: Images = noImages): CompletionBody {
  const tools = toWireTools(request.head, request.history);
  const { temperature, top_p, top_k, seed } = request.sampling;
  return {
    model: request.model,
    messages: toCompletionMessages(request, images),
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: request.maxOutputTokens,
    ...(tools.length > 0 && { tools }),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
    ...(top_k !== undefined && { top_k }),
    ...(seed !== undefined && { seed }),
    ...thinkingFields(request.think),
    ...(request.format && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'reply', strict: true, schema: request.format },
      },
    }),
  };
}

export function toCompletionMessages(
  { head, messages, history }: Pick<ModelRequest, 'head' | 'messages' | 'history'>,
  images: Images = noImages,
): CompletionMessage[] {
  const wireId = callNumbering();
  const shaped = shapeLog(head, messages, history);
  const log = shaped.messages.flatMap((message, at): CompletionMessage[] => {
    switch (message.role) {
      case 'user':
        return [{ role: 'user', content: contentOf(shownImages(message, images)) }];
      case 'assistant': {
        const called = message.calls.length > 0;
        return [
          {
            role: 'assistant',
            content: called && !history.textBesideCall ? '' : message.content,
            ...(history.echoThinking && reasoningOf(message)),
            ...(called && {
              tool_calls: message.calls.map((call) => ({
                id: wireId(call.id),
                type: 'function' as const,
                function: { name: call.name, arguments: JSON.stringify(call.args) },
              })),
            }),
          },
        ];
      }
      case 'tool': {
        const result: CompletionMessage = {
          role: 'tool',
          tool_call_id: wireId(message.callId),
          name: message.tool,
          content: message.content,
        };
        const isLast = shaped.messages[at + 1]?.role !== 'tool';
        return [result, ...(isLast ? picturesOfResults(shaped.messages, at, images) : [])];
      }
    }
  });
  return shaped.system === '' ? log : [{ role: 'system', content: shaped.system }, ...log];
}

/**
 * A result is text alone in this dialect, so the pictures of all results of a reply follow them as a message of the user. Some
 * hosts refuse one right behind a result, so a word of the assistant stands between.
 */
function picturesOfResults(
  messages: readonly ContextMessage[],
  last: number,
  images: Images,
): CompletionMessage[] {
  const first = messages.findLastIndex(({ role }, at) => at <= last && role !== 'tool') + 1;
  const shown = messages.slice(first, last + 1).flatMap((message) => {
    if (message.role !== 'tool' || imagesOf(message).length === 0) return [];
    return [shownImages({ ...message, content: '' }, images)];
  });
  if (shown.length === 0) return [];
  const lost = shown.map(({ content }) => content.trim()).filter((content) => content !== '');
  const content = ['Pictures of the results above:', ...lost].join('\n');
  return [
    { role: 'assistant', content: 'I look at the pictures of these results.' },
    { role: 'user', content: contentOf({ content, images: shown.flatMap((each) => each.images) }) },
  ];
}

/** Text alone where there is no image: some hosts take no parts. */
function contentOf({ content, images }: Shown): CompletionMessage['content'] {
  if (images.length === 0) return content;
  const pictures = images.map(({ mime, bytes }): ContentPart => {
    const url = `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`;
    return { type: 'image_url', image_url: { url } };
  });
  return [...(content === '' ? [] : [{ type: 'text' as const, text: content }]), ...pictures];
}

function reasoningOf(message: Extract<ContextMessage, { role: 'assistant' }>): Record<string, unknown> {
  if (message.extra) return message.extra;
  return message.thinking === '' ? {} : { [commonReasoningField]: message.thinking };
}

/** llama-server and vLLM hand both to the template; hosts that know neither ignore them. */
function thinkingFields(
  think: ModelRequest['think'],
): Pick<CompletionBody, 'chat_template_kwargs' | 'reasoning_effort'> {
  if (think === undefined) return {};
  if (typeof think === 'string') return { reasoning_effort: think };
  return { chat_template_kwargs: { enable_thinking: think } };
}
