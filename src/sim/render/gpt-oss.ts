/**
 * gpt-oss through its Go template and the harmony format: the date and the level of thinking stand at the very
 * start, thinking, answers and calls in channels of their own. The thinking of a turn is gone when the next user
 * message arrives; results are told apart by their tool's name alone.
 */

import { addJoined, collate, type Group } from './collate.ts';
import { GO_JSON, sortByKey, writeJson, type JsonStyle } from './go-values.ts';
import { harmonyNames } from './harmony-names.ts';
import { entriesOf, UNKNOWN_DAY, type Entry } from './history.ts';
import { PromptBuilder } from './prompt-builder.ts';
import { typesOf } from './tool-json.ts';
import type {
  Refusal,
  RenderRequest,
  Rendered,
  Reply,
  ThinkValue,
  ThinkingState,
  Tool,
  ToolCall,
} from './types.ts';

const IDENTITY = `You are a language model that answers on somebody's own machine.
Your knowledge ends in June 2024`;

const CHANNELS = `# A message goes to one of three channels, analysis, commentary or final, and always names it.`;

const CALL_CHANNEL = `Whoever calls one of the 'functions' does so on the commentary channel.`;

/** `<|call|>` ends a reply, so that a model never writes more than one call. */
export const GPT_OSS_STOPS = ['<|return|>', '<|call|>', '<|endoftext|>'] as const;

const ASSISTANT = '<|start|>assistant';
const ANALYSIS = '<|channel|>analysis<|message|>';
const COMMENTARY = '<|channel|>commentary<|message|>';
const FINAL = '<|channel|>final<|message|>';

/** JSON as these models write it by themselves. */
const MODEL_COMPACT: JsonStyle = { comma: ',', colon: ':', sortKeys: false, escapeMarkup: false };

/** What `/api/show` gives for `template`: {@link renderGptOss} in the template language, declarations left to JSON. */
export const GPT_OSS_TEMPLATE = `<|start|>system<|message|>${IDENTITY}
Current date: {{ currentDate }}
{{- if or (not .IsThinkSet) .Think }}

Reasoning: {{ or .ThinkLevel "medium" }}
{{- end }}

${CHANNELS}{{ if .Tools }}
${CALL_CHANNEL}{{ end }}<|end|>
{{- if or .Tools .System }}<|start|>developer<|message|>
{{- if .Tools }}# Tools

## functions

namespace functions {{ .Tools }} // namespace functions{{ end }}
{{- if .System }}

# Instructions

{{ .System }}{{ end }}<|end|>
{{- end }}
{{- $question := -1 }}
{{- range $i, $message := .Messages }}{{ if eq .Role "user" }}{{ $question = $i }}{{ end }}{{ end }}
{{- range $i, $message := .Messages }}
{{- if eq .Role "user" }}<|start|>user<|message|>{{ .Content }}<|end|>
{{- else if eq .Role "tool" }}<|start|>functions.{{ .ToolName }} to=assistant<|message|>{{ .Content }}<|end|>
{{- else if eq .Role "assistant" }}
{{- if and .Thinking (gt $i $question) }}${ASSISTANT}${ANALYSIS}{{ .Thinking }}<|end|>{{ end }}
{{- if .Content }}${ASSISTANT}${FINAL}{{ .Content }}<|end|>{{ end }}
{{- range .ToolCalls }}${ASSISTANT}<|channel|>commentary to=functions.{{ .Function.Name }} <|constrain|>json<|message|>{{ .Function.Arguments }}<|call|>{{ end }}
{{- end }}
{{- end }}${ASSISTANT}`;

export function renderGptOss(request: RenderRequest): Rendered {
  const tools = request.tools ?? [];
  const refusal = refuseUntyped(tools);
  if (refusal) {
    return refusal;
  }
  const entries = entriesOf(request);
  const prompt = new PromptBuilder();
  addHead(prompt, request, tools.length > 0);
  addDeveloper(
    prompt,
    tools,
    entries.filter(({ message }) => message.role === 'system'),
  );
  const groups = collate(entries);
  const prefill = prefillOf(groups);
  const lastUser = groups.findLastIndex(([{ message }]) => message.role === 'user');
  for (const [position, group] of groups.entries()) {
    addGroup(prompt, group, position > lastUser, prefill);
  }
  if (prefill === 'none') {
    prompt.markup(ASSISTANT);
  }
  return prompt.finish(prefill === 'none' ? 'free' : prefill === 'thinking' ? 'open' : 'closed');
}

export function writeGptOssReply(reply: Reply, state: ThinkingState): string {
  const { thinking = '', text = '', calls = [] } = reply;
  const [call] = calls;
  const written: string[] = [];
  if (state === 'open' || (state === 'free' && thinking !== '')) {
    written.push((state === 'open' ? '' : ANALYSIS) + thinking);
  }
  if (state === 'closed') {
    written.push(text);
  } else if (text !== '') {
    written.push((call === undefined ? FINAL : COMMENTARY) + text);
  }
  if (call !== undefined) {
    written.push(callHeader(call.name) + writeJson(call.arguments, MODEL_COMPACT));
  }
  return written.join(`<|end|>${ASSISTANT}`);
}

/** The template reads the first type of every property, and fails where there is none. */
function refuseUntyped(tools: readonly Tool[]): Refusal | undefined {
  const properties = tools.flatMap((tool) => Object.values(tool.function.parameters?.properties ?? {}));
  return properties.every((property) => typesOf(property).length > 0)
    ? undefined
    : {
        ok: false,
        status: 500,
        error:
          'template: :108:130: executing "" at <index $prop.Type 0>: error calling index: reflect: slice index out of range',
      };
}

function addHead(prompt: PromptBuilder, request: RenderRequest, hasTools: boolean): void {
  const level = levelOf(request.think);
  prompt.markup('<|start|>system<|message|>');
  prompt.add('boilerplate', IDENTITY);
  prompt.markup(`\nCurrent date: ${request.today ?? UNKNOWN_DAY}\n\n`);
  prompt.markup(level === undefined ? '' : `Reasoning: ${level}\n\n`);
  prompt.add('boilerplate', hasTools ? `${CHANNELS}\n${CALL_CHANNEL}` : CHANNELS);
  prompt.markup('<|end|>');
}

/** `false` leaves the line out, which does not keep the model from thinking. */
function levelOf(think: ThinkValue | undefined): string | undefined {
  if (think === false) {
    return undefined;
  }
  if (think === 'max') {
    return 'high';
  }
  return typeof think === 'string' ? think : 'medium';
}

function addDeveloper(prompt: PromptBuilder, tools: readonly Tool[], systems: readonly Entry[]): void {
  const hasSystem = systems.some(({ message }) => message.content !== '');
  if (tools.length === 0 && !hasSystem) {
    return;
  }
  prompt.markup('<|start|>developer<|message|>');
  if (tools.length > 0) {
    const names = harmonyNames(tools.map((tool) => tool.function.name));
    prompt.markup('# Tools\n\n## functions\n\nnamespace functions {');
    for (const [position, tool] of tools.entries()) {
      prompt.markup('\n\n');
      prompt.add('tools', declareTool(tool, names[position] ?? tool.function.name));
    }
    prompt.markup('\n\n} // namespace functions');
  }
  if (hasSystem) {
    prompt.markup('\n\n# Instructions\n\n');
    addJoined(prompt, 'system', systems);
  }
  prompt.markup('<|end|>');
}

function declareTool(tool: Tool, name: string): string {
  const { description = '', parameters } = tool.function;
  const properties = sortByKey(Object.entries(parameters?.properties ?? {}));
  const about = description === '' ? '' : `// ${description}\n`;
  if (properties.length === 0) {
    return `${about}type ${name} = () => any;`;
  }
  const lines = properties.map(([key, property]) => {
    const comment = property.description ? `  // ${property.description}\n` : '';
    return `${comment}  ${key}: ${typesOf(property).join(' | ')},\n`;
  });
  return `${about}type ${name} = (_: {\n${lines.join('')}}) => any;`;
}

type Prefill = 'none' | 'content' | 'thinking';

/** A last message of the assistant is gone on with; then no text, or no thinking, of the whole list is closed. */
function prefillOf(groups: readonly Group[]): Prefill {
  const last = groups.at(-1)?.[0].message;
  if (last?.role !== 'assistant') {
    return 'none';
  }
  if (last.content !== '') {
    return 'content';
  }
  return last.thinking ? 'thinking' : 'none';
}

function addGroup(prompt: PromptBuilder, group: Group, isCurrentTurn: boolean, prefill: Prefill): void {
  const [{ message, index }] = group;
  if (message.role === 'user') {
    prompt.markup('<|start|>user<|message|>');
    addJoined(prompt, 'user', group);
    prompt.markup('<|end|>');
  } else if (message.role === 'tool') {
    prompt.markup(`<|start|>functions.${message.tool_name ?? ''} to=assistant<|message|>`);
    prompt.add('result', message.content, index);
    prompt.markup('<|end|>');
  } else if (message.role === 'assistant') {
    if (message.thinking && isCurrentTurn) {
      prompt.markup(ASSISTANT + ANALYSIS);
      prompt.add('thinking', message.thinking, index);
      prompt.markup(prefill === 'thinking' ? '' : '<|end|>');
    }
    if (group.some((entry) => entry.message.content !== '')) {
      prompt.markup(ASSISTANT + FINAL);
      addJoined(prompt, 'assistant', group);
      prompt.markup(prefill === 'content' ? '' : '<|end|>');
    }
    for (const call of message.tool_calls ?? []) {
      prompt.markup(ASSISTANT);
      prompt.add('call', writeCall(call), index);
      prompt.markup('<|call|>');
    }
  }
}

function writeCall({ function: { name, arguments: args } }: ToolCall): string {
  return callHeader(name) + writeJson(args, GO_JSON);
}

function callHeader(name: string): string {
  return `<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>`;
}
