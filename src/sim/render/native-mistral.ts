/**
 * Mistral Small 3.2 imported without a Go template: tools stand before the last user message and move on with it.
 * Roles that do not alternate and call ids of any length but nine are refused. It cannot think.
 */

import { MODEL_JSON, writeJson } from './go-values.ts';
import { entriesOf, refuseThinking, UNKNOWN_DAY, type Entry } from './history.ts';
import { NATIVE_JSON, splitPrefill, templateRefuses, writeArguments } from './native.ts';
import { PromptBuilder } from './prompt-builder.ts';
import { writeTool } from './tool-json.ts';
import type { Refusal, RenderRequest, Rendered, Reply, Tool } from './types.ts';

export const MISTRAL_STOPS = ['</s>'] as const;
export const MISTRAL_ID_LENGTH = 9;

const ID_REFUSAL = `Tool call IDs should be alphanumeric strings with length ${MISTRAL_ID_LENGTH}!`;
const ROLE_REFUSAL =
  'After the optional system message, conversation roles must alternate user/assistant/user/assistant/...';
const SUPPORT_REFUSAL =
  'Only user and assistant roles are supported, with the exception of an initial optional system message!';

/** What `/api/show` gives for `template`: {@link renderNativeMistral} in Jinja. */
export const NATIVE_MISTRAL_TEMPLATE = `{{- bos_token }}
{%- if messages[0]['role'] == 'system' %}{% set system = messages[0]['content'] %}{% set loop_messages = messages[1:] %}{% else %}{% set system = default_system_message(strftime_now('%Y-%m-%d')) %}{% set loop_messages = messages %}{% endif %}
{{- '[SYSTEM_PROMPT]' + system + '[/SYSTEM_PROMPT]' }}
{%- for message in loop_messages %}
  {%- if not alternates(message) %}{{ raise_exception('${ROLE_REFUSAL}') }}{% endif %}
  {%- if message.role == 'user' %}
    {%- if tools and message == last_user %}{{ '[AVAILABLE_TOOLS]' + tools|tojson + '[/AVAILABLE_TOOLS]' }}{% endif %}
    {{- '[INST]' + message.content + '[/INST]' }}
  {%- elif message.tool_calls is defined %}
    {%- for call in message.tool_calls %}
      {%- if call.id|length != ${MISTRAL_ID_LENGTH} %}{{ raise_exception('${ID_REFUSAL}') }}{% endif %}
      {{- '[TOOL_CALLS]' + call.function.name + '[CALL_ID]' + call.id + '[ARGS]' + call.function.arguments|tojson }}
    {%- endfor %}{{ eos_token }}
  {%- elif message.role == 'assistant' %}{{ message.content + eos_token }}
  {%- elif message.role == 'tool' %}{{ '[TOOL_RESULTS]' + message.tool_call_id + '[TOOL_CONTENT]' + message.content + '[/TOOL_RESULTS]' }}
  {%- endif %}
{%- endfor %}`;

export function renderNativeMistral(request: RenderRequest): Rendered {
  const { history, prefill } = splitPrefill(entriesOf(request));
  const system = history[0]?.message.role === 'system' ? history[0] : undefined;
  const conversation = system === undefined ? history : history.slice(1);
  const refusal = refuseThinking(request) ?? refuseHistory(conversation);
  if (refusal) {
    return refusal;
  }
  const prompt = new PromptBuilder();
  prompt.markup('[SYSTEM_PROMPT]');
  if (system === undefined) {
    prompt.add('boilerplate', defaultInstructions(request.today ?? UNKNOWN_DAY));
  } else {
    prompt.add('system', system.message.content, system.index);
  }
  prompt.markup('[/SYSTEM_PROMPT]');
  const lastUser = conversation.findLastIndex(({ message }) => message.role === 'user');
  for (const [position, entry] of conversation.entries()) {
    addMessage(prompt, entry, position === lastUser ? (request.tools ?? []) : []);
  }
  prompt.add('assistant', prefill?.message.content ?? '', prefill?.index);
  return prompt.finish('closed');
}

export function writeNativeMistralReply({ text = '', calls = [] }: Reply): string {
  const written = calls.map((call) =>
    writeCall(call.name, call.id ?? '', writeJson(call.arguments, MODEL_JSON)),
  );
  return text + written.join('');
}

/** Messages with calls and results do not count where roles have to alternate. */
function refuseHistory(conversation: readonly Entry[]): Refusal | undefined {
  const speakers = conversation.filter(
    ({ message }) => message.role !== 'tool' && (message.tool_calls ?? []).length === 0,
  );
  if (speakers.some(({ message }, position) => (message.role === 'user') !== (position % 2 === 0))) {
    return templateRefuses(ROLE_REFUSAL);
  }
  const ids = conversation.flatMap(({ message }) =>
    message.role === 'tool' ? [message.tool_call_id] : (message.tool_calls ?? []).map(({ id }) => id),
  );
  if (ids.some((id) => id?.length !== MISTRAL_ID_LENGTH)) {
    return templateRefuses(ID_REFUSAL);
  }
  return speakers.some(({ message }) => message.role !== 'user' && message.role !== 'assistant')
    ? templateRefuses(SUPPORT_REFUSAL)
    : undefined;
}

function addMessage(prompt: PromptBuilder, { message, index }: Entry, tools: readonly Tool[]): void {
  const calls = message.tool_calls ?? [];
  if (message.role === 'user') {
    addTools(prompt, tools);
    prompt.markup('[INST]');
    prompt.add('user', message.content, index);
    prompt.markup('[/INST]');
  } else if (message.role === 'tool') {
    prompt.markup(`[TOOL_RESULTS]${message.tool_call_id ?? ''}[TOOL_CONTENT]`);
    prompt.add('result', message.content, index);
    prompt.markup('[/TOOL_RESULTS]');
  } else {
    for (const { id = '', function: called } of calls) {
      prompt.add('call', writeCall(called.name, id, writeArguments(called.arguments)), index);
    }
    prompt.add('assistant', calls.length > 0 ? '' : message.content, index);
    prompt.markup('</s>');
  }
}

function addTools(prompt: PromptBuilder, tools: readonly Tool[]): void {
  if (tools.length === 0) {
    return;
  }
  prompt.markup('[AVAILABLE_TOOLS][');
  for (const [position, tool] of tools.entries()) {
    prompt.markup(position === 0 ? '' : ', ');
    prompt.add('tools', writeTool(tool, NATIVE_JSON, 'rendered'));
  }
  prompt.markup('][/AVAILABLE_TOOLS]');
}

function writeCall(name: string, id: string, args: string): string {
  return `[TOOL_CALLS]${name}[CALL_ID]${id}[ARGS]${args}`;
}

/** Stands at the head of a conversation that brings no instructions of its own. */
function defaultInstructions(today: string): string {
  return `You are a helpful model that runs on the machine of the person who asks.
What you learned ends in October 2023, and today is ${today}.

Where you lack a fact, or the question is about something recent or particular, look for a tool that can find it and call that tool. Without such a tool say that you do not know, and invent nothing.

Ask back when a question can be read in several ways or leaves out what an answer needs, such as the place somebody means by "near here".
Mind the days and years in what you read, and put aside what belongs to other ones.
Answer in the language of the question.
What you can and cannot do is said below.

# THE WEB

Pages on the internet are out of your reach. If somebody counts on your opening one, say so and ask for its text.

# PICTURES AND SOUND

Pictures you can look at, though not draw.
Recordings, with or without moving pictures, stay closed to you.

# TOOLS

Some conversations come with tools that fetch or do things. These are the times to use one:

1. Something must be up to date.
2. Something must be exact, and you never learned it.
3. Something must be done rather than said.

A good answer uses what tools give. Should none be there, tell the person that this cannot be done now.`;
}
