/** `POST /v1/responses`: the agent in the form of OpenAI's responses. */
import { askAgent, type AgentAnswer } from './agent-turn.ts';
import { ApiFailure, asFailure } from './api-failure.ts';
import type { Asking } from './asking.ts';
import type { ChatMessage } from './chat-request.ts';
import { createResponseWriter } from './response-writer.ts';
import type { ResponseBody, ResponseRequest } from './responses-form.ts';
import { betweenTexts } from './session-history.ts';

/** With `true`, calls of the agent's own tools are items of the output. */
const toolsHeader = 'andiron-tool-calls';

/** Resolves with the body of the answer; null = it went out as a stream. */
export async function respond(request: ResponseRequest, asking: Asking): Promise<ResponseBody | null> {
  const { rpc, token, signal, stream } = asking;
  const { model, previous_response_id: previous } = request;
  const isStreamed = request.stream === true;
  const showsTools = asking.header(toolsHeader) === 'true';
  const writer = createResponseWriter(request, Math.floor(asking.now() / 1_000), (event) => {
    if (isStreamed) stream.send(event, event.type);
  });
  const ask = (sessionId: string, text: string): Promise<AgentAnswer> =>
    askAgent({
      rpc,
      sessionId,
      text,
      signal,
      onStart: (turnId) => writer.begin(turnId),
      onText: (...piece) => writer.text(...piece),
      ...(showsTools && {
        onTool: (tool) => writer.tool(tool),
        onToolEnd: (...end) => writer.toolEnd(...end),
      }),
    });
  const talk = { rpc, token, model, ...messagesOf(request) };
  try {
    const answer =
      previous == null
        ? await asking.conversations.continueByHistory(talk, ask)
        : await asking.conversations.continueAfterTurn(previous, talk, ask);
    if (!answer)
      throw new ApiFailure(404, 'previous_response_not_found', 'There is no such response of this token.');
    const body = writer.end(answer);
    if (!isStreamed) return body;
    stream.close();
    return null;
  } catch (error) {
    if (stream.isOpen()) {
      writer.fail(asFailure(error));
      stream.close();
    }
    throw error;
  }
}

function messagesOf({ input, instructions }: ResponseRequest): {
  history: ChatMessage[];
  message: ChatMessage;
} {
  const given: ChatMessage[] =
    typeof input === 'string'
      ? [{ role: 'user', content: input }]
      : input.filter((message) => message !== null);
  const message = given.at(-1);
  if (message?.role !== 'user' || message.content.trim() === '')
    throw new ApiFailure(400, 'invalid_params', 'The last input must be a text of the user.');
  const system: ChatMessage[] = instructions ? [{ role: 'system', content: instructions }] : [];
  return { history: [...system, ...joined(given.slice(0, -1))], message };
}

/** An answer that was given in several messages, with calls between them, is one. */
function joined(messages: readonly ChatMessage[]): ChatMessage[] {
  const result: ChatMessage[] = [];
  for (const message of messages) {
    const last = result.at(-1);
    if (last?.role === 'assistant' && message.role === 'assistant')
      result[result.length - 1] = { ...last, content: last.content + betweenTexts + message.content };
    else result.push(message);
  }
  return result;
}
