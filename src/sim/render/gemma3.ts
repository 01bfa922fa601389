/**
 * A small Gemma 3 through its Go template: instructions are a user's turn, and there is no place for tools or their
 * results. The model cannot think and takes no tools; a grammar is the only way to make it call.
 */

import { addJoined, collate } from './collate.ts';
import { MODEL_JSON, writeJson } from './go-values.ts';
import { entriesOf, refuseThinking, refuseTools } from './history.ts';
import { PromptBuilder } from './prompt-builder.ts';
import type { RenderRequest, Rendered, Reply } from './types.ts';

const MODEL = '<start_of_turn>model\n';

export const GEMMA3_STOPS = ['<end_of_turn>'] as const;

/** What `/api/show` gives for `template`: {@link renderGemma3} in the template language. */
export const GEMMA3_TEMPLATE = `{{- range $i, $message := .Messages }}
{{- $last := eq (len (slice $.Messages $i)) 1 }}
{{- if or (eq .Role "user") (eq .Role "system") }}<start_of_turn>user
{{ .Content }}<end_of_turn>
{{ if $last }}${MODEL}{{ end }}
{{- else if eq .Role "assistant" }}${MODEL}{{ .Content }}{{ if not $last }}<end_of_turn>
{{ end }}
{{- end }}
{{- end }}`;

export function renderGemma3(request: RenderRequest): Rendered {
  const refusal = refuseThinking(request) ?? refuseTools(request);
  if (refusal) {
    return refusal;
  }
  const prompt = new PromptBuilder();
  const groups = collate(entriesOf(request));
  for (const [position, group] of groups.entries()) {
    const isLast = position === groups.length - 1;
    const { role } = group[0].message;
    if (role === 'user' || role === 'system') {
      prompt.markup('<start_of_turn>user\n');
      addJoined(prompt, role, group);
      prompt.markup(`<end_of_turn>\n${isLast ? MODEL : ''}`);
    } else if (role === 'assistant') {
      prompt.markup(MODEL);
      addJoined(prompt, 'assistant', group);
      prompt.markup(isLast ? '' : '<end_of_turn>\n');
    }
  }
  return prompt.finish('closed');
}

/** Calls come out as text that nobody reads. */
export function writeGemma3Reply({ text = '', calls = [] }: Reply): string {
  const objects = calls.map((call) => writeJson({ name: call.name, arguments: call.arguments }, MODEL_JSON));
  return [text, ...objects].filter((part) => part !== '').join('\n');
}
