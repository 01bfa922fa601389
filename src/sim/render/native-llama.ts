/**
 * Llama 3.1 imported without a Go template: tools stay in the first user message for ever, the head carries the
 * date, text beside a call is dropped, and a message with two calls is refused. It cannot think.
 */

import { MODEL_JSON, writeJson } from './go-values.ts';
import { entriesOf, refuseThinking, UNKNOWN_DAY, type Entry } from './history.ts';
import { NATIVE_JSON, splitPrefill, templateRefuses, writeArguments } from './native.ts';
import { PromptBuilder } from './prompt-builder.ts';
import { writeTool } from './tool-json.ts';
import type { RenderRequest, Rendered, Reply, Tool, ToolCall } from './types.ts';

const KNOWLEDGE = `Knowledge reaches as far as December 2023`;

const TOOLS_PREAMBLE = `These functions are there to be called. Should one of them serve the request below, write a JSON object that calls it, and nothing else.

It has this form: {"name": the function, "parameters": an object that gives each argument its value}. Values stand for themselves.`;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const INDENT = 4;

/** What `/api/show` gives for `template`: {@link renderNativeLlama} in Jinja. */
export const NATIVE_LLAMA_TEMPLATE = `{{- bos_token }}
{%- if messages[0]['role'] == 'system' %}{% set system = messages[0]['content']|trim %}{% set messages = messages[1:] %}{% else %}{% set system = '' %}{% endif %}
{{- header('system') }}{% if tools %}{{ 'Environment: ipython\\n' }}{% endif %}
{{- '${KNOWLEDGE}\\nToday Date: ' + strftime_now('%d %b %Y') + '\\n\\n' + system + '<|eot_id|>' }}
{%- for message in messages %}
  {%- if 'tool_calls' in message %}
    {%- if message.tool_calls|length != 1 %}{{ raise_exception('This model only supports single tool-calls at once!') }}{% endif %}
    {{- header('assistant') + call(message.tool_calls[0].function) + '<|eot_id|>' }}
  {%- elif message.role == 'tool' %}{{ header('ipython') + message.content|tojson + '<|eot_id|>' }}
  {%- else %}{{ header(message.role) + (tool_list(tools) if tools and loop.first) + message.content|trim + '<|eot_id|>' }}
  {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{ header('assistant') }}{% endif %}`;

export function renderNativeLlama(request: RenderRequest): Rendered {
  const refusal = refuseThinking(request);
  if (refusal) {
    return refusal;
  }
  const { history, prefill } = splitPrefill(entriesOf(request));
  if (history.some(({ message }) => (message.tool_calls ?? []).length > 1)) {
    return templateRefuses('This model only supports single tool-calls at once!');
  }
  const tools = request.tools ?? [];
  const system = history[0]?.message.role === 'system' ? history[0] : undefined;
  const [first, ...others] = system === undefined ? history : history.slice(1);
  if (first === undefined && tools.length > 0) {
    return templateRefuses("Cannot put tools in the first user message when there's no first user message!");
  }
  const prompt = new PromptBuilder();
  addHead(prompt, request, system, tools.length > 0);
  if (first !== undefined) {
    addMessage(prompt, first, tools);
  }
  for (const entry of others) {
    addMessage(prompt, entry, []);
  }
  // With nothing to go on with, the prompt just ends.
  prompt.markup(prefill?.message.content === '' ? '' : header('assistant'));
  prompt.add('assistant', prefill?.message.content ?? '', prefill?.index);
  return prompt.finish('closed');
}

export function writeNativeLlamaReply({ text = '', calls = [] }: Reply): string {
  const objects = calls.map(
    (call) => `{"name": "${call.name}", "parameters": ${writeJson(call.arguments, MODEL_JSON)}}`,
  );
  return [text, ...objects].filter((part) => part !== '').join('\n');
}

function header(role: string): string {
  return `<|start_header_id|>${role}<|end_header_id|>\n\n`;
}

function addHead(
  prompt: PromptBuilder,
  request: RenderRequest,
  system: Entry | undefined,
  hasTools: boolean,
): void {
  prompt.markup(header('system') + (hasTools ? 'Environment: ipython\n' : ''));
  prompt.add('boilerplate', KNOWLEDGE);
  prompt.markup(`\nToday Date: ${dayInWords(request.today ?? UNKNOWN_DAY)}\n\n`);
  prompt.add('system', system?.message.content.trim() ?? '', system?.index);
  prompt.markup('<|eot_id|>');
}

/** @param tools stand before the text of the message, whatever its role is */
function addMessage(prompt: PromptBuilder, { message, index }: Entry, tools: readonly Tool[]): void {
  const [call] = message.tool_calls ?? [];
  if (tools.length === 0 && call !== undefined) {
    prompt.markup(header('assistant'));
    prompt.add('call', writeCall(call), index);
  } else if (tools.length === 0 && message.role === 'tool') {
    // The template writes every result as JSON, and so a text in quotes.
    prompt.markup(`${header('ipython')}"`);
    prompt.add('result', JSON.stringify(message.content).slice(1, -1), index);
    prompt.markup('"');
  } else {
    prompt.markup(header(tools.length > 0 ? 'user' : message.role));
    addTools(prompt, tools);
    const kind = message.role === 'system' || message.role === 'assistant' ? message.role : 'user';
    prompt.add(kind, message.content.trim(), index);
  }
  prompt.markup('<|eot_id|>');
}

function addTools(prompt: PromptBuilder, tools: readonly Tool[]): void {
  if (tools.length === 0) {
    return;
  }
  prompt.add('boilerplate', TOOLS_PREAMBLE);
  prompt.markup('\n\n');
  for (const tool of tools) {
    const compact: unknown = JSON.parse(writeTool(tool, NATIVE_JSON, 'rendered'));
    prompt.add('tools', JSON.stringify(compact, null, INDENT));
    prompt.markup('\n\n');
  }
}

function writeCall({ function: { name, arguments: args } }: ToolCall): string {
  return `{"name": "${name}", "parameters": ${writeArguments(args)}}`;
}

/** 2026-11-21 as 21 Nov 2026. */
function dayInWords(day: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return `${date} ${MONTHS[Number(month) - 1] ?? ''} ${year}`;
}
