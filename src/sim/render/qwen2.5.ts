/**
 * Qwen 2.5 through its Go template: instructions and tools at the head, tools as Go prints its structs. A message
 * with text shows no calls, so a call beside text is lost from the history. It cannot think.
 */

import { addJoined, collate, type Group } from './collate.ts';
import { GO_JSON, MODEL_JSON, printValue, sortByKey, writeJson, type JsonStyle } from './go-values.ts';
import { entriesOf, refuseThinking, type Entry } from './history.ts';
import { PromptBuilder } from './prompt-builder.ts';
import { writeProperties } from './tool-json.ts';
import type { JsonObject, RenderRequest, Rendered, Reply, Tool } from './types.ts';

const TOOLS_PREAMBLE = `# Your tools

With each question come functions that help to answer it.

Between the tags <tools> and </tools> every line describes one of them:`;

const TOOLS_INSTRUCTIONS = `A function is called by a JSON object with its name and its arguments, between tags of its own:
<tool_call>
{"name": <the function>, "arguments": <an object with its arguments>}
</tool_call>`;

const ASSISTANT = '<|im_start|>assistant\n';

/** What `/api/show` gives for `template`: {@link renderQwen25} in the template language. */
export const QWEN25_TEMPLATE = `{{- if or .System .Tools }}<|im_start|>system
{{- if .System }}
{{ .System }}
{{- end }}
{{- if .Tools }}

${TOOLS_PREAMBLE}
<tools>
{{- range .Tools }}
{"type": "function", "function": {{ .Function }}}
{{- end }}
</tools>

${TOOLS_INSTRUCTIONS}
{{- end }}<|im_end|>
{{ end }}
{{- range $i, $message := .Messages }}
{{- $last := eq (len (slice $.Messages $i)) 1 }}
{{- if eq .Role "user" }}<|im_start|>user
{{ .Content }}<|im_end|>
{{ else if eq .Role "tool" }}<|im_start|>user
<tool_response>
{{ .Content }}
</tool_response><|im_end|>
{{ else if eq .Role "assistant" }}${ASSISTANT}
{{- if .Content }}{{ .Content }}
{{- else if .ToolCalls }}<tool_call>
{{ range .ToolCalls }}{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}
{{ end }}</tool_call>
{{- end }}{{ if not $last }}<|im_end|>
{{ end }}
{{- end }}
{{- if and $last (ne .Role "assistant") }}${ASSISTANT}{{ end }}
{{- end }}`;

export function renderQwen25(request: RenderRequest): Rendered {
  const refusal = refuseThinking(request);
  if (refusal) {
    return refusal;
  }
  const entries = entriesOf(request);
  const prompt = new PromptBuilder();
  addHead(
    prompt,
    entries.filter(({ message }) => message.role === 'system'),
    request.tools ?? [],
  );
  const groups = collate(entries);
  for (const [position, group] of groups.entries()) {
    addGroup(prompt, group, position === groups.length - 1);
  }
  return prompt.finish('closed');
}

export function writeQwen25Reply(reply: Reply): string {
  const calls = (reply.calls ?? []).map(
    (call) => `<tool_call>\n${writeCall(call.name, call.arguments, MODEL_JSON)}\n</tool_call>`,
  );
  return [reply.text ?? '', ...calls].filter((part) => part !== '').join('\n');
}

function addHead(prompt: PromptBuilder, systems: readonly Entry[], tools: readonly Tool[]): void {
  const hasSystem = systems.some(({ message }) => message.content !== '');
  if (!hasSystem && tools.length === 0) {
    return;
  }
  prompt.markup('<|im_start|>system\n');
  if (hasSystem) {
    addJoined(prompt, 'system', systems);
  }
  if (tools.length > 0) {
    prompt.markup(hasSystem ? '\n\n' : '\n');
    prompt.add('boilerplate', TOOLS_PREAMBLE);
    prompt.markup('\n<tools>');
    for (const tool of tools) {
      prompt.markup('\n');
      prompt.add('tools', declareTool(tool));
    }
    prompt.markup('\n</tools>\n\n');
    prompt.add('boilerplate', TOOLS_INSTRUCTIONS);
  }
  prompt.markup('<|im_end|>\n');
}

/** The template puts Ollama's struct where JSON belongs, so Go prints it field by field. */
function declareTool({ function: { name, description = '', parameters = {} } }: Tool): string {
  const { type = '', $defs, items, required = [], properties } = parameters;
  const schemas = properties ? writeProperties(sortByKey(Object.entries(properties)), GO_JSON) : '<nil>';
  const fields = [type, printValue($defs), printValue(items), printValue([...required]), schemas];
  return `{"type": "function", "function": {${name} ${description} {${fields.join(' ')}}}}`;
}

function addGroup(prompt: PromptBuilder, group: Group, isLast: boolean): void {
  const [{ message, index }] = group;
  if (message.role === 'user') {
    prompt.markup('<|im_start|>user\n');
    addJoined(prompt, 'user', group);
    prompt.markup('<|im_end|>\n');
  } else if (message.role === 'tool') {
    prompt.markup('<|im_start|>user\n<tool_response>\n');
    prompt.add('result', message.content, index);
    prompt.markup('\n</tool_response><|im_end|>\n');
  } else if (message.role === 'assistant') {
    prompt.markup(ASSISTANT);
    addAnswer(prompt, group);
    prompt.markup(isLast ? '' : '<|im_end|>\n');
  }
  if (isLast && message.role !== 'assistant') {
    prompt.markup(ASSISTANT);
  }
}

function addAnswer(prompt: PromptBuilder, group: Group): void {
  const [{ message, index }] = group;
  const calls = message.tool_calls ?? [];
  if (group.some((entry) => entry.message.content !== '')) {
    addJoined(prompt, 'assistant', group);
  } else if (calls.length > 0) {
    prompt.markup('<tool_call>\n');
    for (const call of calls) {
      prompt.add('call', writeCall(call.function.name, call.function.arguments, GO_JSON), index);
      prompt.markup('\n');
    }
    prompt.markup('</tool_call>');
  }
}

function writeCall(name: string, args: JsonObject, style: JsonStyle): string {
  return `{"name": "${name}", "arguments": ${writeJson(args, style)}}`;
}
