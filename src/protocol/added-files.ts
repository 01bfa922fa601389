/** Files of one turn, as the reducer keeps them: each place once, as it was brought last. No zod: the window reduces too. */
import type { ResultFile } from './result-files.ts';

/** More is a tool that lists what it found. */
const maxResultFiles = 200;

const placeOf = ({ path, url }: ResultFile): string => (path === null ? `url ${url ?? ''}` : `path ${path}`);

/** A file that comes again keeps its id, so that whoever knows it finds what stands there now. */
export function withFiles(before: readonly ResultFile[], added: readonly ResultFile[]): ResultFile[] {
  const byPlace = new Map(before.map((file) => [placeOf(file), file]));
  for (const file of added) {
    const known = byPlace.get(placeOf(file));
    if (known) byPlace.set(placeOf(file), { ...file, id: known.id });
    else if (byPlace.size < maxResultFiles) byPlace.set(placeOf(file), file);
  }
  return [...byPlace.values()];
}
