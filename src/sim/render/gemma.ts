/**
 * Gemma 4, small sizes. One model turn holds thinking, calls, results and only then the text, so text beside a
 * call moves behind the results; thinking is rendered for turns behind the last user message, even with think
 * off. There is no prefill: a last assistant message is closed.
 */

import { printWhole, sortByKey } from './go-values.ts';
import { entriesOf, wantsThinking, type Entry } from './history.ts';
import { declareTool } from './gemma-tools.ts';
import { PromptBuilder } from './prompt-builder.ts';
import type { Json, JsonObject, Message, RenderRequest, Rendered, Reply, ThinkingState } from './types.ts';

const QUOTE = '<|"|>';
const THOUGHT = '<|channel>thought\n';

/** What a model turn ended with, which decides how the prompt goes on. */
type TurnEnd = 'text' | 'open calls' | 'results';

export function renderGemma(request: RenderRequest): Rendered {
  const thinks = wantsThinking(request.think);
  const entries = entriesOf(request);
  const first = entries[0]?.message.role;
  const system = first === 'system' || first === 'developer' ? entries[0] : undefined;
  const conversation = system ? entries.slice(1) : entries;

  const prompt = new PromptBuilder();
  prompt.markup('<bos>');
  addHead(prompt, request, system, thinks);
  const end = addConversation(prompt, conversation);
  if (end === 'text') {
    prompt.markup('<|turn>model\n');
    return prompt.finish(thinks ? 'free' : 'closed');
  }
  if (end === 'results' && thinks) {
    prompt.markup(THOUGHT);
    return prompt.finish('open');
  }
  return prompt.finish('closed');
}

export function writeGemmaReply(reply: Reply, state: ThinkingState): string {
  if (reply.underGrammar) return reply.text ?? '';
  const thinking = reply.thinking ? `${reply.thinking}\n` : '';
  const calls = (reply.calls ?? []).map(
    (call) => `<|tool_call>${writeCall(call.name, call.arguments)}<tool_call|>`,
  );
  return writeThinking(thinking, state) + (reply.text ?? '') + calls.join('');
}

function writeThinking(thinking: string, state: ThinkingState): string {
  switch (state) {
    case 'open':
      return `${thinking}<channel|>`;
    case 'free':
      return thinking === '' ? '' : `${THOUGHT}${thinking}<channel|>`;
    case 'closed':
      return '';
  }
}

function addHead(
  prompt: PromptBuilder,
  request: RenderRequest,
  system: Entry | undefined,
  thinks: boolean,
): void {
  const tools = request.tools ?? [];
  if (!system && tools.length === 0 && !thinks) {
    return;
  }
  prompt.markup(`<|turn>system\n${thinks ? '<|think|>\n' : ''}`);
  if (system) {
    prompt.add('system', system.message.content.trim(), system.index);
  }
  for (const tool of tools) {
    prompt.markup('<|tool>');
    prompt.add('tools', declareTool(tool));
    prompt.markup('<tool|>');
  }
  prompt.markup('<turn|>\n');
}

function addConversation(prompt: PromptBuilder, conversation: readonly Entry[]): TurnEnd {
  const lastUser = conversation.findLastIndex(({ message }) => message.role === 'user');
  let before: string | undefined;
  let end: TurnEnd = 'text';
  for (const [position, entry] of conversation.entries()) {
    const { message } = entry;
    if (message.role === 'tool') {
      continue;
    }
    const isModel = message.role === 'assistant';
    if (!isModel || before !== 'assistant') {
      prompt.markup(`<|turn>${isModel ? 'model' : message.role}\n`);
    }
    if (isModel && message.thinking && position > lastUser) {
      prompt.markup(THOUGHT);
      prompt.add('thinking', message.thinking, entry.index);
      prompt.markup('\n<channel|>');
    }
    end = addCalls(prompt, entry, resultsBehind(conversation, position));
    const text = isModel ? withoutThoughts(message.content) : message.content.trim();
    prompt.add(kindOf(message), text, entry.index);

    const after = conversation.slice(position + 1).find((next) => next.message.role !== 'tool')?.message.role;
    const goesOn = isModel && after === 'assistant' && (!hasCalls(message) || end === 'results');
    const waits = end === 'results' && text === '' && after === undefined;
    if (end === 'open calls') {
      prompt.markup('<|tool_response>');
    } else if (!goesOn && !waits) {
      prompt.markup('<turn|>\n');
    }
    before = message.role;
  }
  return end;
}

function addCalls(prompt: PromptBuilder, { message, index }: Entry, results: readonly Entry[]): TurnEnd {
  if (!hasCalls(message)) {
    return 'text';
  }
  for (const call of message.tool_calls ?? []) {
    prompt.markup('<|tool_call>');
    prompt.add('call', writeCall(call.function.name, call.function.arguments), index);
    prompt.markup('<tool_call|>');
  }
  for (const result of results) {
    prompt.markup(`<|tool_response>response:${resultName(result.message, message)}{value:${QUOTE}`);
    prompt.add('result', result.message.content, result.index);
    prompt.markup(`${QUOTE}}<tool_response|>`);
  }
  return results.length > 0 ? 'results' : 'open calls';
}

function resultsBehind(conversation: readonly Entry[], position: number): Entry[] {
  const rest = conversation.slice(position + 1);
  const end = rest.findIndex(({ message }) => message.role !== 'tool');
  return end === -1 ? rest : rest.slice(0, end);
}

/** The name of the call that the id points to, else the name sent with the result. */
function resultName(result: Message, caller: Message): string {
  const call = result.tool_call_id
    ? caller.tool_calls?.find(({ id }) => id === result.tool_call_id)
    : undefined;
  return call?.function.name ?? (result.tool_name || 'unknown');
}

function hasCalls(message: Message): boolean {
  return (message.tool_calls ?? []).length > 0;
}

function kindOf(message: Message): 'assistant' | 'system' | 'user' {
  return message.role === 'assistant' || message.role === 'system' ? message.role : 'user';
}

/** Content without the thinking blocks that a client left in it; an unclosed block takes the rest along. */
function withoutThoughts(content: string): string {
  return content.replace(/<\|channel>[^]*?(?:<channel\|>|$)/g, '').trim();
}

function writeCall(name: string, args: JsonObject): string {
  return `call:${name}${writeValue(args)}`;
}

function writeValue(value: Json): string {
  if (typeof value === 'string') {
    return QUOTE + value + QUOTE;
  }
  if (typeof value === 'number') {
    return printWhole(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map(writeValue).join(',')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = sortByKey(Object.entries(value)).map(([key, item]) => `${key}:${writeValue(item)}`);
    return `{${members.join(',')}}`;
  }
  return String(value);
}
