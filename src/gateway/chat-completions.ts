/** `POST /v1/chat/completions`: the agent in OpenAI's form. */
import type { TokenSums } from '../protocol/usage-methods.ts';
import { askAgent, type AgentAnswer } from './agent-turn.ts';
import type { Asking } from './asking.ts';
import type { Chunk, ChatUsage, Completion } from './chat-form.ts';
import type { ChatRequest } from './chat-request.ts';
import { betweenTexts } from './session-history.ts';

/** Resolves with the body of the answer; null = it went out as a stream. */
export async function completeChat(request: ChatRequest, asking: Asking): Promise<Completion | null> {
  const { isStreamed } = request;
  const { rpc, token, conversations, signal, stream } = asking;
  const chunks = new Chunks(request, asking);
  const send = (chunk: Chunk): void => {
    if (isStreamed) stream.send(chunk);
  };
  const answer = await conversations.continueByHistory({ rpc, token, ...request }, (sessionId, text) =>
    askAgent({
      rpc,
      sessionId,
      text,
      signal,
      onStart(turnId) {
        chunks.begin(turnId);
        send(chunks.delta({ role: 'assistant', content: '' }));
      },
      onText: (piece, isNext) => send(chunks.delta({ content: isNext ? betweenTexts + piece : piece })),
    }),
  );
  if (!isStreamed) return chunks.whole(answer);
  stream.send(chunks.delta({}, finishOf(answer)));
  if (request.includesUsage) stream.send(chunks.usage(answer.usage));
  stream.end();
  return null;
}

type Finish = Completion['choices'][number]['finish_reason'];

const finishOf = ({ isCut }: AgentAnswer): Finish => (isCut ? 'length' : 'stop');

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

  delta(delta: Chunk['choices'][number]['delta'], finish: Finish | null = null): Chunk {
    return {
      ...this.#common(),
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish }],
    };
  }

  usage(sums: TokenSums): Chunk {
    return { ...this.#common(), object: 'chat.completion.chunk', choices: [], usage: usageOf(sums) };
  }

  whole(answer: AgentAnswer): Completion {
    const message = { role: 'assistant', content: answer.text, refusal: null } as const;
    return {
      ...this.#common(),
      object: 'chat.completion',
      choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(answer) }],
      usage: usageOf(answer.usage),
    };
  }

  #common(): Pick<Chunk, 'id' | 'created' | 'model'> {
    return { id: this.#id, created: this.#created, model: this.#model };
  }
}

/** The form has no place for what nobody has counted. */
function usageOf({ inputTokens, cachedTokens, outputTokens }: TokenSums): ChatUsage {
  const [input, output] = [inputTokens ?? 0, outputTokens ?? 0];
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cachedTokens ?? 0 },
  };
}
