/** One answer in the form of a response: as a whole, and in the events that build it up. */
import type { ToolItem, ToolState } from '../protocol/model.ts';
import type { TokenSums } from '../protocol/usage-methods.ts';
import type { AgentAnswer } from './agent-turn.ts';
import type { ApiFailure } from './api-failure.ts';
import { betweenTexts } from './session-history.ts';
import type { OutputItem, ResponseBody, ResponseEvent, ResponseRequest, TextPart } from './responses-form.ts';

/** @param emit gets each event in its order @param createdAt Unix seconds */
export function createResponseWriter(
  { model, instructions, previous_response_id: previous, metadata }: ResponseRequest,
  createdAt: number,
  emit: (event: ResponseEvent) => void,
) {
  const body: ResponseBody = {
    id: '',
    object: 'response',
    created_at: createdAt,
    status: 'in_progress',
    model,
    output: [],
    error: null,
    incomplete_details: null,
    instructions: instructions ?? null,
    previous_response_id: previous ?? null,
    metadata: metadata ?? {},
    store: true,
    parallel_tool_calls: false,
    tool_choice: 'auto',
    tools: [],
    usage: null,
  };
  let events = 0;
  /** The message that is being written, and its text so far. */
  let open: { index: number; id: string; text: string } | null = null;

  const send = (type: string, more: object): void => emit({ type, sequence_number: events++, ...more });
  const place = (index: number): object => ({ item_id: body.output[index]?.id, output_index: index });
  const add = (item: OutputItem): number => {
    const index = body.output.push(item) - 1;
    send('response.output_item.added', { output_index: index, item });
    return index;
  };
  const complete = (index: number, item: OutputItem): void => {
    body.output[index] = item;
    send('response.output_item.done', { output_index: index, item });
  };

  const openMessage = (): NonNullable<typeof open> => {
    const id = `msg_${body.id}_${String(body.output.length)}`;
    const index = add(messageItem(id, 'in_progress', []));
    send('response.content_part.added', { ...place(index), content_index: 0, part: textPart('') });
    return { index, id, text: '' };
  };
  const closeMessage = (): void => {
    if (!open) return;
    const { index, id, text } = open;
    open = null;
    const part = textPart(text);
    send('response.output_text.done', { ...place(index), content_index: 0, text, logprobs: [] });
    send('response.content_part.done', { ...place(index), content_index: 0, part });
    complete(index, messageItem(id, 'completed', [part]));
  };

  return {
    begin(turnId: string): void {
      body.id = turnId;
      const response = { ...body, output: [] };
      send('response.created', { response });
      send('response.in_progress', { response });
    },
    /** `isNext`: it does not go on with the text before. */
    text(piece: string, isNext: boolean): void {
      const delta = open && isNext ? betweenTexts + piece : piece;
      open ??= openMessage();
      open.text += delta;
      send('response.output_text.delta', { ...place(open.index), content_index: 0, delta, logprobs: [] });
    },
    tool(tool: ToolItem): void {
      closeMessage();
      const index = add(toolItem(tool, { status: 'in_progress', output: null, error: null }));
      send('response.mcp_call.in_progress', place(index));
      const args = JSON.stringify(tool.args);
      send('response.mcp_call_arguments.done', { ...place(index), arguments: args });
    },
    toolEnd(tool: ToolItem, state: ToolState, result: string): void {
      const index = body.output.findIndex(({ id }) => id === tool.id);
      const isDone = state === 'done';
      const [output, error] = isDone ? [result, null] : [null, result];
      send(isDone ? 'response.mcp_call.completed' : 'response.mcp_call.failed', place(index));
      complete(index, toolItem(tool, { status: isDone ? 'completed' : 'failed', output, error }));
    },
    end({ isCut, usage }: AgentAnswer): ResponseBody {
      if (!open && !body.output.some(({ type }) => type === 'message')) open = openMessage();
      closeMessage();
      body.status = isCut ? 'incomplete' : 'completed';
      body.incomplete_details = isCut ? { reason: 'max_output_tokens' } : null;
      body.usage = usageOf(usage);
      send(isCut ? 'response.incomplete' : 'response.completed', { response: body });
      return body;
    },
    fail({ code, message }: ApiFailure): void {
      closeMessage();
      body.status = 'failed';
      body.error = { code, message };
      send('response.failed', { response: body });
    },
  };
}

const textPart = (text: string): TextPart => ({ type: 'output_text', text, annotations: [], logprobs: [] });

const messageItem = (id: string, status: 'in_progress' | 'completed', content: TextPart[]): OutputItem => ({
  id,
  type: 'message',
  status,
  role: 'assistant',
  content,
});

type ToolItemForm = Extract<OutputItem, { type: 'mcp_call' }>;

const toolItem = (
  { id, tool: name, args }: ToolItem,
  end: Pick<ToolItemForm, 'status' | 'output' | 'error'>,
): ToolItemForm => ({
  id,
  type: 'mcp_call',
  server_label: 'andiron',
  name,
  arguments: JSON.stringify(args),
  ...end,
});

/** The form has no place for what nobody has counted. */
function usageOf({ inputTokens, cachedTokens, outputTokens }: TokenSums): NonNullable<ResponseBody['usage']> {
  const [input, output] = [inputTokens ?? 0, outputTokens ?? 0];
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedTokens ?? 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
}
