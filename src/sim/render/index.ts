/** From a chat request to the prompt that a model family makes of it, and from a reply to what it generates. */

import { GEMMA3_STOPS, renderGemma3, writeGemma3Reply } from './gemma3.ts';
import { renderGemma, writeGemmaReply } from './gemma.ts';
import { GPT_OSS_STOPS, renderGptOss, writeGptOssReply } from './gpt-oss.ts';
import { LLAMA_STOPS, renderLlama, writeLlamaReply } from './llama.ts';
import { modelCards } from './model-cards.ts';
import { renderNativeLlama, writeNativeLlamaReply } from './native-llama.ts';
import {
  MISTRAL_ID_LENGTH,
  MISTRAL_STOPS,
  renderNativeMistral,
  writeNativeMistralReply,
} from './native-mistral.ts';
import { renderQwen25, writeQwen25Reply } from './qwen2.5.ts';
import { renderQwen, writeQwenReply } from './qwen.ts';
import type { Family, FamilyName } from './types.ts';

export { harmonyNames } from './harmony-names.ts';
export { tokenise } from './tokenise.ts';
export type * from './types.ts';

type Uncarded = Omit<Family, 'card'>;

const THINKING_AND_TOOLS = ['completion', 'tools', 'thinking'];
const NO_THINKING = { values: [false], default: false } as const;

/** On these any conversation runs: with tools, with several calls in one reply, with ids of any form. */
const tolerant: readonly Uncarded[] = [
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
    thinking: NO_THINKING,
    stop: LLAMA_STOPS,
    render: renderLlama,
    writeReply: writeLlamaReply,
  },
];

/** These write one call at a time, lose some, or refuse what others take. */
const particular: readonly Uncarded[] = [
  {
    name: 'template-gpt-oss',
    path: 'template',
    memory: 'sliding',
    capabilities: THINKING_AND_TOOLS,
    thinking: { values: ['low', 'medium', 'high'], default: 'medium' },
    stop: GPT_OSS_STOPS,
    render: renderGptOss,
    writeReply: writeGptOssReply,
  },
  {
    name: 'template-qwen2.5',
    path: 'template',
    memory: 'full',
    capabilities: ['completion', 'tools'],
    thinking: NO_THINKING,
    stop: ['<|im_end|>', '<|endoftext|>'],
    marks: { call: '<tool_call>' },
    render: renderQwen25,
    writeReply: writeQwen25Reply,
  },
  {
    name: 'template-gemma3',
    path: 'template',
    memory: 'sliding',
    capabilities: ['completion'],
    thinking: NO_THINKING,
    stop: GEMMA3_STOPS,
    render: renderGemma3,
    writeReply: writeGemma3Reply,
  },
  {
    name: 'native-llama3.1',
    path: 'native',
    memory: 'full',
    capabilities: ['completion', 'tools'],
    thinking: NO_THINKING,
    stop: LLAMA_STOPS,
    render: renderNativeLlama,
    writeReply: writeNativeLlamaReply,
  },
  {
    name: 'native-mistral-small-3.2',
    path: 'native',
    memory: 'full',
    capabilities: ['completion', 'tools'],
    thinking: NO_THINKING,
    stop: MISTRAL_STOPS,
    callIdLength: MISTRAL_ID_LENGTH,
    render: renderNativeMistral,
    writeReply: writeNativeMistralReply,
  },
];

/** The tolerant families, on which one scripted conversation can be compared. */
export const families: ReadonlyMap<FamilyName, Family> = byName(tolerant);

export const everyFamily: ReadonlyMap<FamilyName, Family> = byName([...tolerant, ...particular]);

function byName(list: readonly Uncarded[]): Map<FamilyName, Family> {
  return new Map(list.map((family) => [family.name, { ...family, card: modelCards[family.name] }]));
}
