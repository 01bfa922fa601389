import { prices as text } from '../text.ts';

/** What a change costs; the shape that the stores work out. */
export interface PriceText {
  load: {
    model: string;
    again: boolean;
    bytes: number | null;
    ms?: number;
    unloads?: string[];
    verdict?: string;
  } | null;
  reread: { tokens: number | null; ms: number | null; maybe: boolean } | null;
  unread: boolean;
}

/** "loads qwen3.8:27b again, 19.9 GB, about 9 s, and re-reads about 21,480 tokens, about 26 s". */
export function priceWords({ load, reread, unread }: PriceText): string {
  const others = load?.unloads?.filter((model) => model !== load.model) ?? [];
  const parts = [
    others.length > 0 ? text.unloads(others.join(', ')) : null,
    load && (load.again ? text.reloads : text.loads)(load.model, load.bytes, load.ms ?? null),
    load && verdictWords(load.verdict),
    reread && (reread.maybe ? text.mayReread : text.rereads)(reread.tokens, reread.ms),
  ].filter((part) => part !== null);
  const last = parts.pop();
  if (last === undefined) return unread ? text.unread : text.free;
  return parts.length === 0 ? last : `${parts.join(', ')}${text.and}${last}`;
}

/** The same as a sentence of its own. */
export function priceSentence(price: PriceText): string {
  const words = priceWords(price);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

function verdictWords(verdict: string | undefined): string | null {
  if (verdict === 'spills') return text.spills;
  if (verdict === 'too_big') return text.tooBig;
  return verdict === 'tight' ? text.tight : null;
}
