/**
 * What Andiron keeps of a model's description: the few numbers that its memory follows from. Asked with
 * `verbose`, because per-layer lists are null without it; the vocabulary that comes along is only counted.
 */
import { z } from 'zod';

const listLimit = 4_096;
/** Larger numbers describe nothing that exists. */
const largest = 2 ** 40;
const valueSchema = z.union([z.number(), z.array(z.number()).max(listLimit)]);
const count = z.number().int().nonnegative();

export const modelNumbersSchema = z.object({
  architecture: z.string(),
  /** By key without the architecture that it begins with; per layer where it is a list. Booleans are 0 and 1. */
  values: z.record(z.string(), valueSchema),
  /** Number of tokens; null = unknown. */
  vocabulary: count.nullable(),
  /** Embeddings in bytes; null = unknown. */
  embeddings: z
    .object({
      /** Only looked up, so they stay in main memory even when every layer is on a GPU. */
      lookedUpBytes: z.number().nonnegative(),
      /** The token embeddings, where they are the output layer too; 0 = that one has weights of its own. */
      sharedBytes: z.number().nonnegative(),
    })
    .nullable(),
  /** Tokens that the model guesses ahead by itself, as its parameters say; 0 = none. */
  draftTokens: count,
});
export type ModelNumbers = z.infer<typeof modelNumbersSchema>;

/** As `/api/show` answers with `verbose`; what is not listed here may be anything. */
export const verboseShowSchema = z.object({
  model_info: z.record(z.string(), z.unknown()),
  parameters: z.string().optional(),
  tensors: z
    .array(z.object({ name: z.string(), type: z.string(), shape: z.array(z.number().nonnegative()) }))
    .nullable()
    .optional()
    .catch(null),
});
export type VerboseShow = z.infer<typeof verboseShowSchema>;

/** null = it does not say what it is (safetensors, another engine), or leaves out how each layer caches (a short answer). */
export function numbersOf(show: VerboseShow): ModelNumbers | null {
  const architecture = show.model_info['general.architecture'];
  if (typeof architecture !== 'string' || architecture === '') return null;
  const prefix = `${architecture}.`;
  if (show.model_info[`${prefix}attention.head_count_kv`] === null) return null;
  const values: ModelNumbers['values'] = {};
  for (const [key, value] of Object.entries(show.model_info)) {
    const kept = key.startsWith(prefix) ? asValue(value) : null;
    if (kept !== null) values[key.slice(prefix.length)] = kept;
  }
  return {
    architecture,
    values,
    vocabulary: vocabularyOf(show, values),
    embeddings: embeddingsOf(show),
    draftTokens: draftTokensOf(show.parameters ?? ''),
  };
}

function asValue(value: unknown): number | number[] | null {
  if (!Array.isArray(value)) return asNumber(value);
  if (value.length > listLimit) return null;
  const numbers = value.map(asNumber);
  return numbers.every((each) => each !== null) ? numbers : null;
}

function asNumber(value: unknown): number | null {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' && value >= 0 && value <= largest ? value : null;
}

function vocabularyOf(show: VerboseShow, values: ModelNumbers['values']): number | null {
  const tokens = show.model_info['tokenizer.ggml.tokens'];
  if (Array.isArray(tokens) && tokens.length > 0) return tokens.length;
  const said = values['vocab_size'];
  if (typeof said === 'number') return Math.trunc(said);
  const embedding = show.tensors?.find(({ name }) => name === 'token_embd.weight');
  return embedding ? Math.trunc(Math.max(0, ...embedding.shape)) : null;
}

/** Bytes for each element of a stored tensor: block bytes ÷ block length (llama.cpp `ggml-common.h`). */
const elementBytes: Readonly<Record<string, number>> = {
  F32: 4,
  F16: 2,
  BF16: 2,
  Q8_0: 34 / 32,
  Q6_K: 210 / 256,
  Q5_K: 176 / 256,
  Q5_0: 22 / 32,
  Q5_1: 24 / 32,
  Q4_K: 144 / 256,
  Q4_0: 18 / 32,
  Q4_1: 20 / 32,
  IQ4_NL: 18 / 32,
  IQ4_XS: 136 / 256,
  MXFP4: 17 / 32,
  Q3_K: 110 / 256,
  Q2_K: 84 / 256,
};

/** The token embeddings, and gemma's embeddings per layer (llama.cpp names). */
function embeddingsOf({ tensors }: VerboseShow): ModelNumbers['embeddings'] {
  if (!tensors) return null;
  const token = bytesOf(tensors.find(({ name }) => name === 'token_embd.weight'));
  const perLayer = bytesOf(tensors.find(({ name }) => name === 'per_layer_token_embd.weight'));
  if (token === null || perLayer === null) return null;
  const hasOutput = tensors.some(({ name }) => name === 'output.weight');
  return hasOutput
    ? { lookedUpBytes: token + perLayer, sharedBytes: 0 }
    : { lookedUpBytes: perLayer, sharedBytes: token };
}

/** null = stored in a way that is not known here. */
function bytesOf(tensor: { type: string; shape: number[] } | undefined): number | null {
  if (!tensor) return 0;
  const each = elementBytes[tensor.type.toUpperCase()];
  return each === undefined ? null : each * tensor.shape.reduce((product, side) => product * side, 1);
}

function draftTokensOf(parameters: string): number {
  const said = /^draft_num_predict\s+(\d{1,3})\s*$/m.exec(parameters)?.[1];
  return said === undefined ? 0 : Number(said);
}
