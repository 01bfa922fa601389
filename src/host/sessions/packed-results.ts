/** Untruncated tool results on their way into a copy of their session: a fork here, or an export to another machine. */
import { z } from 'zod';
import { inSlices, type Pace } from '../../platform/event-loop.ts';
import type { Item } from '../../protocol/model.ts';
import type { Store } from '../store/store.ts';
import { packText, unpackText } from '../store/tool-results.ts';

/** Characters of all of them together: the rest of an export has to fit beside them. */
const maxPacked = 10_000_000;

export const packedResultSchema = z.object({ itemId: z.string().max(200), text: z.string() });
export type PackedResult = z.infer<typeof packedResultSchema>;

/** As they are kept, by item. */
export type KeptResults = ReadonlyMap<string, Uint8Array>;

export async function keptResults(
  sessionId: string,
  items: readonly Item[],
  store: Pick<Store, 'keptResult'>,
  pace: Pace,
): Promise<KeptResults> {
  const kept = new Map<string, Uint8Array>();
  await inSlices(items, pace, (item) => {
    if (item.kind !== 'tool' || item.wholeLength === undefined) return;
    const packed = store.keptResult(sessionId, item.id);
    if (packed) kept.set(item.id, packed);
  });
  return kept;
}

/** The newest ones first, as far as there is room. */
export async function packResults(
  sessionId: string,
  items: readonly Item[],
  store: Pick<Store, 'keptResult'>,
): Promise<PackedResult[]> {
  const packed: PackedResult[] = [];
  let room = maxPacked;
  for (const item of items.toReversed()) {
    if (item.kind !== 'tool' || item.wholeLength === undefined || item.wholeLength > room) continue;
    const kept = store.keptResult(sessionId, item.id);
    if (!kept) continue;
    const text = await unpackText(kept);
    if (text.length > room) continue;
    room -= text.length;
    packed.push({ itemId: item.id, text });
  }
  return packed;
}

export async function unpackResults(packed: readonly PackedResult[]): Promise<KeptResults> {
  const kept = new Map<string, Uint8Array>();
  for (const { itemId, text } of packed) kept.set(itemId, await packText(text));
  return kept;
}

/** No item of a copy offers what did not come with it. */
export function offeringOnly(results: KeptResults, item: Item): Item {
  if (item.kind !== 'tool' || item.wholeLength === undefined || results.has(item.id)) return item;
  const { wholeLength: _gone, ...rest } = item;
  return rest;
}
