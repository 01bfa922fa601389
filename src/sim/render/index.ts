/** From a chat request to the prompt that a model family makes of it, and from a reply to what it generates. */

import { renderGemma, writeGemmaReply } from './gemma.ts';
import { LLAMA_STOPS, renderLlama, writeLlamaReply } from './llama.ts';
import { modelCards } from './model-cards.ts';
import { renderQwen, writeQwenReply } from './qwen.ts';
import type { Family, FamilyName } from './types.ts';

export { tokenise, type Token } from './tokenise.ts';
export type * from './types.ts';

const THINKING_AND_TOOLS = ['completion', 'tools', 'thinking'];

const all: readonly Omit<Family, 'card'>[] = [
  {
    name: 'qwen3.8',
    path: 'rendered',
    memory: 'recurrent',
    capabilities: THINKING_AND_TOOLS,
    thinking: { values: [false, 'low', 'medium', 'xhigh'], default: 'medium' },
    stop: ['<|im_end|>', '<|endoftext|>'],
    render: (request) => renderQwen('3.8', request),
    writeReply: writeQwenReply,
  },
  {
    name: 'qwen3.5',
    path: 'rendered',
    memory: 'recurrent',
    capabilities: THINKING_AND_TOOLS,
    thinking: { values: [false, true], default: true },
    stop: ['<|im_end|>', '<|endoftext|>'],
    render: (request) => renderQwen('3.5', request),
    writeReply: writeQwenReply,
  },
  {
    name: 'gemma4-small',
    path: 'rendered',
    memory: 'sliding',
    capabilities: THINKING_AND_TOOLS,
    thinking: { values: [false, true], default: true },
    stop: ['<turn|>', '<|tool_response>'],
    render: renderGemma,
    writeReply: writeGemmaReply,
  },
  {
    name: 'template-llama3.1',
    path: 'template',
    memory: 'full',
    capabilities: ['completion', 'tools'],
    thinking: { values: [false], default: false },
    stop: LLAMA_STOPS,
    render: renderLlama,
    writeReply: writeLlamaReply,
  },
];

export const families: ReadonlyMap<FamilyName, Family> = new Map(
  all.map((family) => [family.name, { ...family, card: modelCards[family.name] }]),
);
