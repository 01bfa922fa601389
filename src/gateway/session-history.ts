/** What a session holds, as the host pages it. */
import type { HostRpc } from '../cli/host-rpc.ts';
import { AndironError } from '../protocol/errors.ts';
import { answerMark } from '../rules/answer-mark.ts';
import type { Item, Turn } from '../protocol/model.ts';

const pageItems = 500;

export interface HistoryPart {
  /** In their order, each turn whole. */
  items: Item[];
  /** Those of the items, and perhaps others. */
  turns: Turn[];
  /** There are older ones, before the first of these. */
  hasOlder: boolean;
}

/** The last `maxTurns` turns before an index, which has to be where a turn begins. */
export async function readHistory(
  rpc: HostRpc,
  sessionId: string,
  maxTurns = Infinity,
  before = Number.MAX_SAFE_INTEGER,
): Promise<HistoryPart> {
  const items: Item[] = [];
  const turns: Turn[] = [];
  let hasOlder = true;
  while (hasOlder && orderOf(items).length <= maxTurns) {
    const beforeIndex = items[0]?.index ?? before;
    const page = await rpc.call('item/page', { sessionId, beforeIndex, limit: pageItems });
    items.unshift(...page.items);
    turns.push(...page.turns);
    ({ hasOlder } = page);
  }
  const order = orderOf(items);
  const kept = new Set(order.slice(Math.max(order.length - maxTurns, 0)));
  return {
    items: items.filter(({ turnId }) => kept.has(turnId)),
    turns,
    hasOlder: hasOlder || kept.size < order.length,
  };
}

/** The items, and of tools the whole result where a model read less of it (G9), as long as it is kept. */
export function withWholeResults(rpc: HostRpc, sessionId: string, items: readonly Item[]): Promise<Item[]> {
  return Promise.all(
    items.map(async (item) =>
      item.kind === 'tool' && item.wholeLength !== undefined
        ? { ...item, result: (await readWholeResult(rpc, sessionId, item.id)) ?? item.result }
        : item,
    ),
  );
}

async function readWholeResult(rpc: HostRpc, sessionId: string, itemId: string): Promise<string | null> {
  let text = '';
  try {
    for (let from: number | null = 0; from !== null;) {
      const piece: { text: string; next: number | null } = await rpc.call('item/whole-result', {
        sessionId,
        itemId,
        from,
      });
      text += piece.text;
      from = piece.next;
    }
    return text;
  } catch (error) {
    if (error instanceof AndironError && error.code === 'not_found') return null;
    throw error;
  }
}

const orderOf = (items: readonly Item[]): string[] => [...new Set(items.map(({ turnId }) => turnId))];

/** Between texts of one answer between which tools ran. */
export const betweenTexts = '\n\n';

function saidIn(item: Item): string {
  if (item.kind === 'text' && item.parentCallId === undefined) return item.text;
  return answerMark(item) ?? '';
}

export interface SaidTurn {
  id: string;
  message: string;
  /** As it was sent: all texts of the agent itself, and what marks them. */
  answer: string;
}

/** Turns that have been answered or broken off, in their order. */
export function saidTurns({ items, turns }: HistoryPart): SaidTurn[] {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  return orderOf(items).map((id) => {
    const texts = items.filter(({ turnId }) => turnId === id).map(saidIn);
    const answer = texts.filter((text) => text !== '').join(betweenTexts);
    return { id, message: byId.get(id)?.text ?? '', answer };
  });
}
