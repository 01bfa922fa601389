/** Is there room for a model where Ollama keeps its models? */
import { dirname } from 'node:path';
import { AndironError } from '../../protocol/errors.ts';
import type { EngineDeps } from '../base/engine-deps.ts';

export type Place = 'elsewhere' | 'here' | 'own';

/** Left for everything else on that disk. */
const spareBytes = 1024 ** 3;

/** @param place whether Ollama runs on this machine, and whether it is Andiron's own child. */
export function createDisk({ files, machine, dataFile }: EngineDeps, place: () => Place) {
  const folders = (): string[] => {
    const { platform, env, homeDir } = machine;
    const named = env['OLLAMA_MODELS']?.trim();
    const own = place() === 'own' && dataFile !== null ? [dirname(dataFile)] : [];
    // The service that Ollama's script sets up on Linux has a home of its own.
    const service = platform === 'linux' ? ['/usr/share/ollama/.ollama/models'] : [];
    return [...own, ...(named ? [named] : [`${homeDir}/.ollama/models`, ...service])];
  };
  const freeOf = async (places: readonly string[]): Promise<number[]> => {
    const found = await Promise.all(places.map((folder) => files.freeBytes(folder)));
    return found.filter((bytes) => bytes !== null);
  };
  return {
    /** Free bytes for models; null = unknown: another machine's Ollama, or a folder that is not to be found. */
    async freeBytes(): Promise<number | null> {
      if (place() === 'elsewhere') return null;
      const known = await freeOf(folders());
      // Before the first model none of them may be there: then the disk counts on which it will be made.
      if (known.length === 0) known.push(...(await freeOf(folders().map((folder) => dirname(folder)))));
      // Which of them a running Ollama uses is not told: nobody is refused by the wrong one.
      return known.length === 0 ? null : Math.max(...known);
    },
  };
}

export type Disk = ReturnType<typeof createDisk>;

export const hasRoom = (missingBytes: number, freeBytes: number): boolean =>
  missingBytes + spareBytes <= freeBytes;

/** @param missingBytes what has still to be written, other downloads included; null = unknown. */
export function noRoom(
  model: string,
  missingBytes: number | null,
  freeBytes: number | null,
): AndironError | null {
  if (missingBytes === null || freeBytes === null || hasRoom(missingBytes, freeBytes)) return null;
  return new AndironError(
    'storage',
    `There is no room for ${model}: ${inGigabytes(missingBytes)} are to come, and ${inGigabytes(freeBytes)} are free where Ollama keeps its models.`,
    'Delete a model that you do not need, free some space on that disk, or choose a smaller one.',
  );
}

function inGigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
