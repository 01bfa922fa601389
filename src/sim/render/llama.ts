/**
 * Llama 3.1 through its Go template: tools stand in the user message that ends the list and nowhere else, text
 * beside a call is dropped, neighbours of one role are merged. The model cannot think.
 */

import { addJoined, collate, type Group } from './collate.ts';
import { GO_JSON, MODEL_JSON, writeJson, type JsonStyle } from './go-values.ts';
import { entriesOf, refuseThinking, type Entry } from './history.ts';
import { PromptBuilder } from './prompt-builder.ts';
import { writeTool } from './tool-json.ts';
import type { JsonObject, RenderRequest, Rendered, Reply, Tool } from './types.ts';

const TOOLS_IN_SYSTEM = `Tools can be called in this conversation. Once a tool has answered, build your own answer to the question on what it returned.`;

const TOOLS_PREAMBLE = `Here are the functions that you can call. If one of them serves the request below, answer with a single JSON object that names it and gives its arguments.

The object looks like {"name": the name of the function, "parameters": an object with one entry per argument}. Write plain values, no variables.`;

export const LLAMA_STOPS = ['<|start_header_id|>', '<|end_header_id|>', '<|eot_id|>'] as const;

const ASSISTANT = '<|start_header_id|>assistant<|end_header_id|>';

/** What `/api/show` gives for `template`: {@link renderLlama} in the template language. */
export const LLAMA_TEMPLATE = `{{- if or .System .Tools }}<|start_header_id|>system<|end_header_id|>
{{- with .System }}

{{ . }}
{{- end }}
{{- if .Tools }}

${TOOLS_IN_SYSTEM}
{{- end }}
{{- end }}<|eot_id|>
{{- range $i, $message := .Messages }}
{{- $last := eq (len (slice $.Messages $i)) 1 }}
{{- if eq .Role "user" }}<|start_header_id|>user<|end_header_id|>
{{- if and $last $.Tools }}

${TOOLS_PREAMBLE}

{{ $.Tools }}
{{- end }}

{{ .Content }}<|eot_id|>
{{- else if eq .Role "tool" }}<|start_header_id|>ipython<|end_header_id|>

{{ .Content }}<|eot_id|>
{{- else if eq .Role "assistant" }}${ASSISTANT}
{{- if .ToolCalls }}
{{- range .ToolCalls }}{"name": "{{ .Function.Name }}", "parameters": {{ .Function.Arguments }}}{{ end }}
{{- else }}

{{ .Content }}{{ if not $last }}<|eot_id|>{{ end }}
{{- end }}
{{- end }}
{{- if and $last (or (eq .Role "user") (eq .Role "tool")) }}${ASSISTANT}

{{ end }}
{{- end }}`;

export function renderLlama(request: RenderRequest): Rendered {
  const refusal = refuseThinking(request);
  if (refusal) {
    return refusal;
  }
  const entries = entriesOf(request);
  const tools = request.tools ?? [];
  const prompt = new PromptBuilder();
  addSystem(
    prompt,
    entries.filter(({ message }) => message.role === 'system'),
    tools.length > 0,
  );
  const groups = collate(entries);
  for (const [position, group] of groups.entries()) {
    addGroup(prompt, group, position === groups.length - 1, tools);
  }
  return prompt.finish('closed');
}

export function writeLlamaReply(reply: Reply): string {
  const calls = (reply.calls ?? []).map((call) => writeCall(call.name, call.arguments, MODEL_JSON));
  return [reply.text ?? '', calls.join('')].filter((part) => part !== '').join('\n');
}

function addSystem(prompt: PromptBuilder, systems: readonly Entry[], hasTools: boolean): void {
  const joined = systems.map(({ message }) => message.content).join('\n\n');
  if (joined !== '' || hasTools) {
    prompt.markup('<|start_header_id|>system<|end_header_id|>');
  }
  if (joined !== '') {
    prompt.markup('\n\n');
    addJoined(prompt, 'system', systems);
  }
  if (hasTools) {
    prompt.markup('\n\n');
    prompt.add('boilerplate', TOOLS_IN_SYSTEM);
  }
  prompt.markup('<|eot_id|>');
}

function addGroup(prompt: PromptBuilder, group: Group, isLast: boolean, tools: readonly Tool[]): void {
  const [{ message, index }] = group;
  const calls = message.tool_calls ?? [];
  if (message.role === 'assistant') {
    prompt.markup(ASSISTANT);
    for (const call of calls) {
      prompt.add('call', writeCall(call.function.name, call.function.arguments, GO_JSON), index);
    }
    if (calls.length === 0) {
      prompt.markup('\n\n');
      addJoined(prompt, 'assistant', group);
      prompt.markup(isLast ? '' : '<|eot_id|>');
    }
  } else if (message.role === 'user' || message.role === 'tool') {
    prompt.markup(`<|start_header_id|>${message.role === 'user' ? 'user' : 'ipython'}<|end_header_id|>\n\n`);
    if (message.role === 'user' && isLast && tools.length > 0) {
      addTools(prompt, tools);
    }
    addJoined(prompt, message.role === 'user' ? 'user' : 'result', group);
    prompt.markup(`<|eot_id|>${isLast ? `${ASSISTANT}\n\n` : ''}`);
  }
}

function addTools(prompt: PromptBuilder, tools: readonly Tool[]): void {
  prompt.add('boilerplate', TOOLS_PREAMBLE);
  prompt.markup('\n\n[');
  for (const [position, tool] of tools.entries()) {
    prompt.markup(position === 0 ? '' : ',');
    prompt.add('tools', writeTool(tool, GO_JSON, 'template'));
  }
  prompt.markup(']\n\n');
}

function writeCall(name: string, args: JsonObject, style: JsonStyle): string {
  return `{"name": "${name}", "parameters": ${writeJson(args, style)}}`;
}
