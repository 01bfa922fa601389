import { refuse, type Outcome } from './outcome.ts';

/** Runner and sampling options of a request; absent = left to the model or to Ollama. */
export interface Options {
  num_ctx?: number;
  num_batch?: number;
  num_gpu?: number;
  main_gpu?: number;
  use_mmap?: boolean;
  num_thread?: number;
  draft_num_predict?: number;
  num_keep?: number;
  num_predict?: number;
  seed?: number;
  temperature?: number;
  stop?: string[];
}

const INTEGERS = new Set([
  'num_ctx',
  'num_batch',
  'num_gpu',
  'main_gpu',
  'num_thread',
  'draft_num_predict',
  'num_keep',
  'seed',
  'num_predict',
  'top_k',
  'repeat_last_n',
]);
const FLOATS = new Set([
  'top_p',
  'min_p',
  'typical_p',
  'temperature',
  'repeat_penalty',
  'presence_penalty',
  'frequency_penalty',
]);

/** Checks option types with Ollama's messages; unknown keys and nulls are skipped. */
export function parseOptions(given: Record<string, unknown>): Outcome<Options> {
  const options: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    if (value === null) continue;
    const expected = typeProblem(key, value);
    if (expected !== undefined) return refuse(500, `option ${JSON.stringify(key)} must be ${expected}`);
    options[key] = INTEGERS.has(key) ? Math.trunc(Number(value)) : value;
  }
  return { ok: true, value: options };
}

function typeProblem(key: string, value: unknown): string | undefined {
  if (INTEGERS.has(key)) return typeof value === 'number' ? undefined : 'of type integer';
  if (FLOATS.has(key)) return typeof value === 'number' ? undefined : 'of type float32';
  if (key === 'use_mmap') return typeof value === 'boolean' ? undefined : 'of type boolean';
  if (key !== 'stop') return undefined;
  if (!Array.isArray(value)) return 'of type array';
  return value.every((entry) => typeof entry === 'string') ? undefined : 'of an array of strings';
}
