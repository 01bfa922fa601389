/** `POST /v1/chat/completions`: the agent in OpenAI's form. */
import type { HostRpc } from '../cli/host-rpc.ts';
import { askAgent, type AgentAnswer, type TokenCounts } from './agent-turn.ts';
import { openingText, readChatRequest, type ChatRequest } from './chat-request.ts';
import { historyKey, type ConversationIndex } from './conversation-index.ts';
import type { EventStream } from './event-stream.ts';

export interface Asking {
  rpc: HostRpc;
  token: string;
  conversations: ConversationIndex;
  /** Unix milliseconds. */
  now: () => number;
  /** Fires when the program has gone away. */
  signal: AbortSignal;
  /** To be opened once there is an answer; what fails before is an answer of its own. */
  stream: EventStream;
}

/** Resolves with the body of the answer; null = it went out as a stream. */
export async function completeChat(body: unknown, asking: Asking): Promise<object | null> {
  const request = readChatRequest(body);
  const { rpc, token, conversations, signal, stream } = asking;
  const { model, history, message, isStreamed } = request;
  const known = conversations.take(historyKey(token, model, history));
  const sessionId = known ?? (await rpc.call('program/open-session', { profileId: model })).sessionId;
  const chunks = new Chunks(request, asking);
  const answer = await askAgent({
    rpc,
    sessionId,
    text: known === null ? openingText(history, message) : message.content,
    signal,
    onStart(turnId) {
      chunks.begin(turnId);
      if (isStreamed) stream.send(chunks.delta({ role: 'assistant', content: '' }));
    },
    onText: (content) => isStreamed && stream.send(chunks.delta({ content })),
  });
  const said = [...history, message, { role: 'assistant' as const, content: answer.text }];
  conversations.put(historyKey(token, model, said), sessionId);
  if (!isStreamed) return chunks.whole(answer);
  stream.send(chunks.delta({}, finishOf(answer)));
  if (request.includesUsage) stream.send(chunks.usage(answer.usage));
  stream.end();
  return null;
}

const finishOf = ({ isCut }: AgentAnswer): string => (isCut ? 'length' : 'stop');

class Chunks {
  readonly #model: string;
  readonly #created: number;
  #id = '';

  constructor({ model }: ChatRequest, { now }: Pick<Asking, 'now'>) {
    this.#model = model;
    this.#created = Math.floor(now() / 1_000);
  }

  begin(turnId: string): void {
    this.#id = `chatcmpl-${turnId}`;
  }

  delta(delta: object, finish: string | null = null): object {
    return {
      ...this.#common('chat.completion.chunk'),
      choices: [{ index: 0, delta, finish_reason: finish }],
    };
  }

  usage(counts: TokenCounts): object {
    return { ...this.#common('chat.completion.chunk'), choices: [], usage: usageOf(counts) };
  }

  whole(answer: AgentAnswer): object {
    const message = { role: 'assistant', content: answer.text, refusal: null };
    return {
      ...this.#common('chat.completion'),
      choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(answer) }],
      usage: usageOf(answer.usage),
    };
  }

  #common(object: string): object {
    return { id: this.#id, object, created: this.#created, model: this.#model };
  }
}

const usageOf = ({ input, cached, output }: TokenCounts): object => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
});
