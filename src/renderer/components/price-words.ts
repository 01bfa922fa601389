import { settings } from '../../../text/en/settings.ts';
import type { Price } from './price.ts';

const text = settings.prices;

/** "loads qwen3.8:27b again, 19.9 GB, and re-reads about 21,480 tokens, about 26 s". */
export function priceWords({ load, reread, unread }: Price): string {
  const parts = [
    load && (load.again ? text.reloads : text.loads)(load.model, load.bytes),
    reread && (reread.maybe ? text.mayReread : text.rereads)(reread.tokens, reread.ms),
  ].filter((part) => part !== null);
  if (parts.length > 0) return parts.join(text.and);
  return unread ? text.unread : text.free;
}
