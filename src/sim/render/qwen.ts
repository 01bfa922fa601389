/**
 * Qwen 3.5 and 3.8. Both open a thinking block in the generation prompt. 3.8 keeps the thinking of every turn,
 * writes its effort level at the very start and moves all system texts there; 3.5 forgets the thinking of a
 * turn when the next user message arrives and leaves later system texts in place.
 */

import { GO_JSON, MODEL_JSON, SPACED_GO_JSON, printNumber, writeJson, type JsonStyle } from './go-values.ts';
import { entriesOf, wantsThinking, type Entry } from './history.ts';
import { PromptBuilder } from './prompt-builder.ts';
import { writeTool } from './tool-json.ts';
import type {
  Json,
  JsonObject,
  Message,
  RenderRequest,
  Rendered,
  Reply,
  ThinkValue,
  ThinkingState,
  Tool,
} from './types.ts';

export type QwenVersion = '3.5' | '3.8';

const TOOLS_PREAMBLE = `# Functions

These functions are at your service, each described by one line of JSON:`;

const TOOLS_INSTRUCTIONS = `Whenever a function helps, end your reply with a block of this shape and write nothing behind it:

<tool_call>
<function=the_function>
<parameter=its_first_parameter>
the value
</parameter>
<parameter=its_second_parameter>
another value, on as many lines
as it takes
</parameter>
</function>
</tool_call>

Rules:
- The function block stands inside the tool_call tags, exactly as shown
- Give a value for each parameter that the description marks as required
- A sentence about your reasons may come before the block, none may follow it
- Where no function fits, answer from what you know and leave the functions unmentioned`;

const LOW_EFFORT = `Effort: low. Think only as much as the task needs, in few words, and go straight to the result.`;

const EXTRA_HIGH_EFFORT = `Effort: very high. Work through the whole task before you answer: question what you take for granted, weigh the other ways there are, and make sure that the answer is right, consistent and easy to follow.`;

export function renderQwen(version: QwenVersion, request: RenderRequest): Rendered {
  const entries = entriesOf(request);
  const inHead = (entry: Entry) =>
    version === '3.8' ? isInstruction(entry.message) : entry.index === 0 && entry.message.role === 'system';
  const conversation = entries.filter((entry) => !inHead(entry));
  const lastQuery = conversation.findLastIndex(({ message }) => isQuery(message));
  if (version === '3.8' && lastQuery === -1) {
    return { ok: false, status: 500, error: 'no user query found in messages' };
  }

  const prompt = new PromptBuilder();
  addHead(prompt, version, request, entries.filter(inHead));

  const thinks = wantsThinking(request.think);
  const isCurrentTurn = (position: number) => lastQuery !== -1 && position > lastQuery;
  const prefill = conversation.at(-1)?.message.role === 'assistant';
  for (const [position, entry] of conversation.entries()) {
    const { message, index } = entry;
    if (message.role === 'assistant') {
      addAssistant(prompt, version, entry, version === '3.8' || (thinks && isCurrentTurn(position)));
      if (!prefill || position < conversation.length - 1) {
        prompt.markup('<|im_end|>\n');
      }
    } else if (message.role === 'tool') {
      const before = conversation[position - 1]?.message.role;
      const after = conversation[position + 1]?.message.role;
      prompt.markup(`${before === 'tool' ? '' : '<|im_start|>user'}\n<tool_response>\n`);
      prompt.add('result', message.content.trim(), index);
      prompt.markup(`\n</tool_response>${after === 'tool' ? '' : '<|im_end|>\n'}`);
    } else if (message.role === 'user' || message.role === 'system' || version === '3.8') {
      prompt.markup(`<|im_start|>${message.role}\n`);
      prompt.add(message.role === 'system' ? 'system' : 'user', message.content.trim(), index);
      prompt.markup('<|im_end|>\n');
    }
  }

  if (prefill) {
    return prompt.finish('closed');
  }
  prompt.markup(`<|im_start|>assistant\n<think>\n${thinks ? '' : '\n</think>\n\n'}`);
  return prompt.finish(thinks ? 'open' : 'closed');
}

export function writeQwenReply(reply: Reply, state: ThinkingState): string {
  const thinking = state === 'open' ? `${reply.thinking ?? ''}\n</think>\n\n` : '';
  const calls = (reply.calls ?? []).map(
    (call) => `<tool_call>\n${writeCall(call.name, call.arguments, MODEL_JSON)}\n</tool_call>`,
  );
  return thinking + [reply.text ?? '', calls.join('\n')].filter((part) => part !== '').join('\n\n');
}

function addHead(
  prompt: PromptBuilder,
  version: QwenVersion,
  request: RenderRequest,
  systems: readonly Entry[],
): void {
  const effort = version === '3.8' ? effortText(request.think) : '';
  const tools = request.tools ?? [];
  const texts = systems.filter(({ message }) => message.content.trim() !== '');
  const hasBlock = effort !== '' || tools.length > 0 || texts.length > 0;
  // 3.5 writes a block for an empty system message too.
  if (!hasBlock && (version === '3.8' || systems.length === 0)) {
    return;
  }
  prompt.markup('<|im_start|>system\n');
  prompt.add('boilerplate', effort);
  let separator = effort === '' ? '' : '\n\n';
  if (tools.length > 0) {
    prompt.markup(separator);
    addTools(prompt, tools);
    separator = '\n\n';
  }
  for (const { message, index } of texts) {
    prompt.markup(separator);
    prompt.add('system', message.content.trim(), index);
    separator = '\n\n';
  }
  prompt.markup('<|im_end|>\n');
}

function addTools(prompt: PromptBuilder, tools: readonly Tool[]): void {
  prompt.add('boilerplate', TOOLS_PREAMBLE);
  prompt.markup('\n\n<tools>');
  for (const tool of tools) {
    prompt.markup('\n');
    prompt.add('tools', writeTool(tool, SPACED_GO_JSON, 'rendered'));
  }
  prompt.markup('\n</tools>\n\n');
  prompt.add('boilerplate', TOOLS_INSTRUCTIONS);
}

/** Medium, which is also what `true` means, has no instruction. */
function effortText(think: ThinkValue | undefined): string {
  if (think === 'low') {
    return LOW_EFFORT;
  }
  return think === 'high' || think === 'xhigh' || think === 'max' ? EXTRA_HIGH_EFFORT : '';
}

function addAssistant(
  prompt: PromptBuilder,
  version: QwenVersion,
  { message, index }: Entry,
  withThinkBlock: boolean,
): void {
  const { thinking, text } = splitThinking(version, message, withThinkBlock);
  prompt.markup('<|im_start|>assistant\n');
  if (withThinkBlock) {
    prompt.markup('<think>\n');
    prompt.add('thinking', thinking, index);
    prompt.markup('\n</think>\n\n');
  }
  prompt.add('assistant', text, index);
  for (const [position, call] of (message.tool_calls ?? []).entries()) {
    const separator = position > 0 ? '\n' : text.trim() === '' ? '' : '\n\n';
    prompt.markup(`${separator}<tool_call>\n`);
    prompt.add('call', writeCall(call.function.name, call.function.arguments, GO_JSON), index);
    prompt.markup('\n</tool_call>');
  }
}

/** 3.5 also takes thinking out of the content, where a client sent it there in its tags. */
function splitThinking(
  version: QwenVersion,
  message: Message,
  withThinkBlock: boolean,
): { thinking: string; text: string } {
  const content = message.content.trim();
  if (withThinkBlock && message.thinking) {
    return { thinking: message.thinking.trim(), text: content };
  }
  const close = content.indexOf('</think>');
  if (version === '3.8' || close === -1) {
    return { thinking: '', text: content };
  }
  const before = content.slice(0, close);
  const open = before.lastIndexOf('<think>');
  return {
    thinking: before.slice(open === -1 ? 0 : open + '<think>'.length).trim(),
    text: content.slice(close + '</think>'.length).replace(/^\n+/, ''),
  };
}

function writeCall(name: string, args: JsonObject, style: JsonStyle): string {
  const parameters = Object.entries(args).map(
    ([key, value]) => `<parameter=${key}>\n${writeArgument(value, style)}\n</parameter>\n`,
  );
  return `<function=${name}>\n${parameters.join('')}</function>`;
}

function writeArgument(value: Json, style: JsonStyle): string {
  if (typeof value === 'string') {
    return value;
  }
  return typeof value === 'number' && style === GO_JSON ? printNumber(value) : writeJson(value, style);
}

function isInstruction(message: Message): boolean {
  return message.role === 'system' || message.role === 'developer';
}

/** A user message that is not a tool result in a user message's clothes. */
function isQuery(message: Message): boolean {
  const content = message.content.trim();
  return (
    message.role === 'user' &&
    !(content.startsWith('<tool_response>') && content.endsWith('</tool_response>'))
  );
}
