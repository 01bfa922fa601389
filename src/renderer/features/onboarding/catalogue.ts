/**
 * Models worth a first download, by VRAM. Offline, from public figures of autumn 2026: what fits is arithmetic, not
 * measured, and is worded so.
 */
import type { onboarding as text } from '../../text.ts';

export type CatalogueName = keyof typeof text.models;

export interface CatalogueModel {
  name: CatalogueName;
  /** Billions of bytes to download, as Ollama counts them; null = not known. */
  downloadGB: number | null;
  /** The smallest GPU it is a good choice for; 0 = any computer. */
  madeForGB: number;
}

const gibi = 1024 ** 3;

const models: Record<CatalogueName, Omit<CatalogueModel, 'name'>> = {
  'qwen3.5:0.8b': { downloadGB: 1, madeForGB: 0 },
  'qwen3.5:2b': { downloadGB: 2.7, madeForGB: 0 },
  'qwen3.5:4b': { downloadGB: 3.4, madeForGB: 8 },
  'granite4.2:8b': { downloadGB: 5.3, madeForGB: 8 },
  'ministral-3:8b': { downloadGB: 5.2, madeForGB: 8 },
  'qwen3.5:9b': { downloadGB: 6.5, madeForGB: 12 },
  'gemma4:12b': { downloadGB: 7.6, madeForGB: 12 },
  'gpt-oss:20b': { downloadGB: 12.1, madeForGB: 16 },
  'qwen3.8:27b': { downloadGB: 17, madeForGB: 24 },
  'gemma4:26b-a4b': { downloadGB: 16.9, madeForGB: 24 },
  'qwen3.6:35b-a3b': { downloadGB: 22.1, madeForGB: 32 },
};

/** Best first. Cards report a little less than their name says, hence the slack in `atLeast`. */
const choices: { atLeast: number; names: CatalogueName[] }[] = [
  { atLeast: 31, names: ['qwen3.8:27b', 'qwen3.6:35b-a3b', 'qwen3.5:9b'] },
  { atLeast: 23, names: ['qwen3.8:27b', 'gemma4:26b-a4b', 'qwen3.5:9b'] },
  { atLeast: 15, names: ['gemma4:12b', 'qwen3.5:9b', 'gpt-oss:20b'] },
  { atLeast: 11, names: ['qwen3.5:9b', 'gemma4:12b', 'qwen3.5:4b'] },
  { atLeast: 7, names: ['qwen3.5:4b', 'granite4.2:8b', 'ministral-3:8b'] },
  { atLeast: 0, names: ['qwen3.5:2b', 'qwen3.5:0.8b', 'qwen3.5:4b'] },
];
/** Where the VRAM is not known: one of each size, the safest first. */
const forUnknown: CatalogueName[] = ['qwen3.5:4b', 'qwen3.5:9b', 'qwen3.8:27b'];

/** All GPUs together, in bytes. `total` null = not known; `total` 0 = there is no GPU. */
export interface Vram {
  total: number | null;
  free: number | null;
}

/** `busy` = it would fit if other programs gave their VRAM back. */
export type CatalogueFit = 'fits' | 'busy' | 'spills' | 'cpu' | 'unknown';

export function recommendFor({ total }: Vram): CatalogueModel[] {
  const names =
    total === null ? forUnknown : (choices.find(({ atLeast }) => total / gibi >= atLeast)?.names ?? []);
  return names.map((name) => ({ name, ...models[name] }));
}

export function fitOf(model: CatalogueModel, { total, free }: Vram): CatalogueFit {
  if (total === null) return 'unknown';
  if (total === 0) return 'cpu';
  if (total / gibi < model.madeForGB - 1) return 'spills';
  if (model.downloadGB === null) return 'unknown';
  // Weights and a little for the window: enough to tell a GPU that is in use from one that is free.
  const need = model.downloadGB * 1e9 * 1.1;
  return free !== null && free < need ? 'busy' : 'fits';
}
