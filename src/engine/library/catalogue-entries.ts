/** Andiron's own list and Ollama's suggestions → what the library offers. */
import type { Recommendation } from '../../ollama/library.ts';
import type { CatalogueEntry } from '../../protocol/engine-room.ts';
import { canonicalName } from '../models/catalogue.ts';
import { offlineCatalogue } from './offline-catalogue.ts';

export type Offer = Omit<CatalogueEntry, 'verdict'>;

const gib = 1024 ** 3;

/** Own entries first, each once; models that run on ollama.com are left out. */
export function offersOf(
  suggestions: readonly Recommendation[],
  installed: readonly { name: string }[],
): Offer[] {
  const names = new Set(installed.map(({ name }) => canonicalName(name)));
  const isInstalled = (name: string): boolean => names.has(canonicalName(name));
  const local = new Map(
    suggestions.filter(runsHere).map((each) => [canonicalName(each.model), each] as const),
  );
  const own = offlineCatalogue.map((entry): Offer => {
    const suggested = local.get(canonicalName(entry.name));
    local.delete(canonicalName(entry.name));
    return {
      ...entry,
      trainedContext: entry.trainedContext ?? suggested?.context_length ?? null,
      source: 'offline',
      installed: isInstalled(entry.name),
    };
  });
  const others = [...local.values()].map(({ model, description, context_length, vram_bytes }): Offer => ({
    name: model,
    description,
    downloadBytes: null,
    trainedContext: context_length ?? null,
    capabilities: [],
    forVramGib: vram_bytes === undefined ? null : Math.round((vram_bytes / gib) * 10) / 10,
    source: 'ollama',
    installed: isInstalled(model),
  }));
  return [...own, ...others];
}

/** null = not a model of the list, or a size that nobody told. */
export function listedBytes(model: string): number | null {
  const name = canonicalName(model);
  return offlineCatalogue.find((entry) => canonicalName(entry.name) === name)?.downloadBytes ?? null;
}

/** Its name sends every word to ollama.com. */
export function isCloudName(name: string): boolean {
  return /[:-]cloud$/i.test(name);
}

function runsHere({ model, required_plan }: Recommendation): boolean {
  return required_plan === undefined && !isCloudName(model);
}
