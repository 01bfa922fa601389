import type { Item } from '../../protocol/model.ts';
import { answerText } from '../stores/answer-text.ts';
import { pageSize } from '../stores/pages.ts';
import type { HostConnection } from './command.ts';

/** The part of a turn's answer that lies before an index, page by page back to where the turn begins. */
export async function answerBefore(
  host: HostConnection,
  sessionId: string,
  turnId: string,
  beforeIndex: number,
): Promise<string> {
  const items: Item[] = [];
  for (let before = beforeIndex; ;) {
    const page = await host.call('item/page', { sessionId, beforeIndex: before, limit: pageSize });
    const own = page.items.filter((item) => item.turnId === turnId);
    items.unshift(...own);
    const [first] = page.items;
    if (!first || own.length < page.items.length || !page.hasOlder) return answerText(items);
    before = first.index;
  }
}
