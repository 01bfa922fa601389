import type { SimModelOptions } from '../../src/sim/index.ts';

/** One token per four characters, as the stand-in runner of the records counted. */
const tokenise = (text: string): string[] => text.match(/[\s\S]{1,4}/g) ?? [];

/** Instant but for what a trace asks of it. */
const time = {
  loadSeconds: 0.15,
  prefillTokensPerSecond: 1e6,
  depthFactor: 0,
  decodeTokensPerSecond: 1e5,
  noise: 0,
};

const tiny = { parameterSize: '6K', quantization: 'Q8_0' };
const common = { contextLength: 32_768, kvBytesPerToken: 12 * 1024, bytes: 26_000, time, tokenise };
const goTemplate = {
  family: 'template-llama3.1',
  capabilities: ['completion', 'tools', 'thinking'],
  templateMarks: { call: '<tool_call>', thinking: ['<think>', '</think>'] as [string, string] },
} as const;

/** The GGUF file that the tags q35* share. */
export const QWEN35: Omit<SimModelOptions, 'name'> = {
  ...common,
  blob: 'c',
  family: 'qwen3.5',
  card: { ...tiny, architecture: 'qwen35', parameters: { temperature: 0.6, top_p: 0.95 } },
};

/** The models of the traces, each in the simulated family that replies the same way. */
export const TRACE_MODELS: readonly SimModelOptions[] = [
  { ...QWEN35, name: 'q35' },
  { ...common, name: 'gem4', family: 'gemma4-small', card: { ...tiny, architecture: 'gemma4' } },
  {
    ...common,
    ...goTemplate,
    capabilities: [...goTemplate.capabilities],
    name: 'gotpl',
    blob: 'a',
    system: 'You are helpful.',
    card: { ...tiny, architecture: 'llama', parameters: {} },
  },
  {
    ...common,
    ...goTemplate,
    capabilities: [...goTemplate.capabilities],
    name: 'second',
    card: { ...tiny, architecture: 'qwen2', parameters: {} },
  },
  {
    ...common,
    name: 'native',
    family: 'template-llama3.1',
    path: 'native',
    capabilities: ['tools', 'completion'],
    card: { parameterSize: '630.17M', quantization: 'Q4_K_M', architecture: 'qwen2', parameters: {} },
  },
  {
    ...common,
    name: 'smol',
    family: 'template-llama3.1',
    contextLength: 8192,
    capabilities: ['completion'],
    card: { parameterSize: '134.52M', quantization: 'Q4_1' },
  },
  {
    ...common,
    name: 'embedonly',
    family: 'template-llama3.1',
    contextLength: 512,
    capabilities: ['embedding'],
    card: { ...tiny, architecture: 'bert', template: '{{ .Prompt }}', parameters: {} },
  },
  // Installed there, never asked for a reply in a trace that is replayed, but for a call that never ends.
  {
    ...common,
    name: 'qcoder',
    family: 'qwen3.5',
    capabilities: ['completion', 'tools'],
    card: { ...tiny, architecture: 'qwen3moe' },
  },
  {
    ...common,
    name: 'q3',
    family: 'qwen3.5',
    capabilities: ['completion', 'tools'],
    card: { ...tiny, architecture: 'qwen3' },
  },
  {
    ...common,
    name: 'oss',
    blob: 'b',
    family: 'template-gpt-oss',
    card: { ...tiny, architecture: 'gptoss', parameters: {} },
  },
];
