import { createHash } from 'node:crypto';

import type { MemoryKind } from './cache/index.ts';
import { everyFamily } from './render/index.ts';
import type { Family, FamilyName, ModelCard, TemplateMarks } from './render/index.ts';
import { loadSeconds, type TimeProfile } from './time/index.ts';
import { parseModelName } from './wire/names.ts';
import type { Options } from './wire/options.ts';

/** A model that the simulated server has installed. Everything but name and family has a plausible default. */
export interface SimModelOptions {
  /** With or without a tag. */
  name: string;
  family: FamilyName;
  /** Size of the GGUF file. */
  bytes?: number;
  /** Trained context length. */
  contextLength?: number;
  kvBytesPerToken?: number;
  capabilities?: string[];
  parameters?: ModelCard['parameters'];
  /** The Modelfile's SYSTEM. */
  system?: string;
  time?: Partial<TimeProfile>;
  /** How the reply travels, where it differs from the family: a GGUF with its own Jinja template is `native`. */
  path?: Family['path'];
  /** Where they differ from the family's. */
  templateMarks?: TemplateMarks;
  /** Refuses `format` in requests with tools. By default native Qwen 3.5 does. */
  refusesFormatBesideTools?: boolean;
  /** Parts of `/api/show` and `/api/tags` that differ from the family's card. */
  card?: Partial<ModelCard>;
  /** Digest of the GGUF file; models that share one share a runner. */
  blob?: string;
  /** Splits text into tokens, where the family's own way is not wanted. */
  tokenise?: (text: string) => string[];
}

/** An installed model with everything filled in. */
export interface SimModel {
  name: string;
  fullName: string;
  family: Family;
  path: Family['path'];
  card: ModelCard;
  capabilities: readonly string[];
  /** The model's own default options. */
  options: Options;
  system: string;
  digest: string;
  blob: string;
  modifiedAt: number;
  bytes: number;
  contextLength: number;
  kvBytesPerToken: number;
  layers: number;
  memory: MemoryKind;
  time: TimeProfile;
  templateMarks: TemplateMarks;
  refusesFormatBesideTools: boolean;
  tokenise: ((text: string) => string[]) | undefined;
}

/** One model of every family, under the name by which people know it. */
export const FAMILY_MODELS: readonly SimModelOptions[] = [
  { name: 'qwen3.8:27b', family: 'qwen3.8' },
  { name: 'qwen3.5:9b', family: 'qwen3.5' },
  { name: 'gemma4:8b', family: 'gemma4-small' },
  { name: 'llama3.1:8b', family: 'template-llama3.1' },
  { name: 'gpt-oss:20b', family: 'template-gpt-oss' },
  { name: 'qwen2.5:7b', family: 'template-qwen2.5' },
  { name: 'gemma3:1b', family: 'template-gemma3' },
  { name: 'llama3.1-native:8b', family: 'native-llama3.1' },
  { name: 'mistral-small3.2:24b', family: 'native-mistral-small-3.2' },
];

/** One that only makes vectors, as small as people have them. */
export const EMBEDDING_MODEL = {
  name: 'all-minilm:22m',
  family: 'template-gemma3',
  bytes: 46_000_000,
  contextLength: 512,
  kvBytesPerToken: 0,
  capabilities: ['embedding'],
  card: {
    architecture: 'bert',
    parameterSize: '23M',
    quantization: 'F16',
    template: '{{ .Prompt }}',
    parameters: {},
    modelInfo: {
      'general.architecture': 'bert',
      'general.parameter_count': 22_565_376,
      'bert.block_count': 6,
      'bert.context_length': 512,
      'bert.embedding_length': 384,
      'bert.feed_forward_length': 1536,
      'bert.attention.head_count': 12,
      'bert.pooling_type': 1,
    },
  },
} as const satisfies SimModelOptions;

const ELEMENT_BYTES = 2;
const DISK_BYTES_PER_SECOND = 2e9;
/** Sliding-window models attend over everything in every sixth layer only, gpt-oss in every second. */
const SLIDING_INTERVAL = 6;
const GPT_OSS_INTERVAL = 2;
/** Families whose runner refuses more than one slot. */
const SERIAL_ARCHITECTURES = new Set(['mllama', 'qwen3vl', 'qwen35', 'qwen3next', 'lfm2', 'nemotron_h']);

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export function resolveModel(options: SimModelOptions, index: number, installedAt: number): SimModel {
  const family = everyFamily.get(options.family);
  if (family === undefined) throw new Error(`There is no simulated family ${options.family}.`);
  const name = parseModelName(options.name);
  if (!name.ok) throw new Error(`${options.name} is not a model name.`);
  const card: ModelCard = { ...family.card, ...options.card };
  const parameters = { ...card.parameters, ...options.parameters };
  const bytes = options.bytes ?? card.fileSize;
  const layers = numberIn(card, 'block_count', 32);
  const path = options.path ?? family.path;
  return {
    name: name.value.short,
    fullName: name.value.full,
    family,
    path,
    card: { ...card, parameters },
    capabilities: options.capabilities ?? family.capabilities,
    options: parameters,
    system: options.system ?? '',
    digest: sha256(`manifest ${options.name} ${options.family}`),
    blob: options.blob ?? sha256(`blob ${options.name} ${options.family}`),
    modifiedAt: installedAt - index * 60_000,
    bytes,
    contextLength: options.contextLength ?? numberIn(card, 'context_length', 32_768),
    kvBytesPerToken: options.kvBytesPerToken ?? kvBytesPerToken(card, family.memory),
    layers,
    memory: memoryKind(card, family.memory),
    time: {
      loadSeconds: loadSeconds(bytes, DISK_BYTES_PER_SECOND),
      prefillTokensPerSecond: 800,
      depthFactor: 0.000_02,
      decodeTokensPerSecond: 40,
      noise: 0.02,
      ...options.time,
    },
    templateMarks: options.templateMarks ?? family.marks ?? { call: '{' },
    refusesFormatBesideTools:
      options.refusesFormatBesideTools ?? (path === 'native' && family.name === 'qwen3.5'),
    tokenise: options.tokenise,
  };
}

export function allowsParallel(model: SimModel): boolean {
  return model.capabilities.includes('completion') && !SERIAL_ARCHITECTURES.has(model.card.architecture);
}

/** A value of the card's model info by its key without the architecture. */
export function modelFact(card: ModelCard, key: string): ModelCard['modelInfo'][string] | undefined {
  return card.modelInfo[`${String(card.modelInfo['general.architecture'])}.${key}`];
}

/** A number of the card's model info by its key without the architecture; arrays give their smallest entry. */
function numberIn(card: ModelCard, key: string, otherwise: number): number {
  const value = modelFact(card, key);
  if (Array.isArray(value)) return Math.min(...(value as number[]));
  return typeof value === 'number' ? value : otherwise;
}

function kvBytesPerToken(card: ModelCard, memory: Family['memory']): number {
  const sliding = card.architecture === 'gptoss' ? GPT_OSS_INTERVAL : SLIDING_INTERVAL;
  const interval = memory === 'sliding' ? sliding : numberIn(card, 'full_attention_interval', 1);
  const layers = numberIn(card, 'block_count', 32) / interval;
  const perHead = numberIn(card, 'key_length', 128) + numberIn(card, 'value_length', 128);
  return Math.round(layers * numberIn(card, 'attention.head_count_kv', 8) * perHead * ELEMENT_BYTES);
}

function memoryKind(card: ModelCard, kind: Family['memory']): MemoryKind {
  if (kind === 'sliding') return { kind, window: numberIn(card, 'attention.sliding_window', 512) };
  return { kind };
}

/** The server's model store: names are matched without regard to case, tags default to `latest`. */
export class ModelStore {
  #all: readonly SimModel[];

  constructor(models: readonly SimModelOptions[], installedAt: number) {
    this.#all = models.map((model, index) => resolveModel(model, index, installedAt));
  }

  get all(): readonly SimModel[] {
    return this.#all;
  }

  find(shortName: string): SimModel | undefined {
    return this.#all.find((model) => model.name.toLowerCase() === shortName.toLowerCase());
  }

  /** In the place of one of the same name, if there is one. */
  add(model: SimModel): void {
    this.#all = [...this.#all.filter((other) => other.name !== model.name), model];
  }

  /** A runner of it that is loaded stays. */
  remove(model: SimModel): void {
    this.#all = this.#all.filter((other) => other !== model);
  }
}
