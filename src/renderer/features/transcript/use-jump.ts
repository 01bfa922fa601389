import { useEffect, useRef } from 'react';
import type { Item, PlanStep } from '../../../protocol/model.ts';
import { useCommands } from '../../commands/commands.ts';
import { useStores, useUi } from '../../stores/stores.ts';
import type { TranscriptInput } from './build-rows.ts';
import { earlierKey, earlierVersions } from './earlier-versions.ts';
import { foldedWords } from './found-words.ts';
import { foldKey } from './fold-calls.ts';
import { workKey } from './fold-work.ts';
import { placesInPlan, stepKey } from './plan-rows.ts';
import type { Row, RowOf } from './rows.ts';

/**
 * Goes to the item that a search has found: fetches the page around it when it is not here, opens what it is folded
 * into, and scrolls to its row, which is then marked.
 */
export function useJump(shown: TranscriptInput | null, rows: Row[], scrollTo: (index: number) => void): void {
  const { ui, session } = useStores();
  const { run } = useCommands();
  const jump = useUi((store) => store.jump);
  const lookup = useRef<{ itemId: string; over: boolean } | null>(null);
  useEffect(() => {
    if (!jump || !shown || session.getState().sessionId !== jump.sessionId) return;
    const { itemId } = jump;
    const item = shown.items.find(({ id }) => id === itemId);
    if (!item && lookup.current?.itemId !== itemId) {
      const begun = { itemId, over: false };
      lookup.current = begun;
      const look = async (): Promise<void> => {
        await run('transcript/page-of', { itemId });
        begun.over = true;
        // Looks once more, also where the page brought nothing.
        ui.setState((now) => (now.jump?.itemId === itemId ? { jump: { ...now.jump } } : {}));
      };
      void look();
      return;
    }
    if (!item && lookup.current?.over === false) return;
    lookup.current = null;
    const expand = (id: string): boolean => {
      if (ui.getState().expanded[id]) return false;
      ui.setState(({ expanded }) => ({ expanded: { ...expanded, [id]: true } }));
      return true;
    };
    const index = placeOf(rows, itemId, jump.words);
    const row = rows[index];
    if (item && !row && unfold(shown, rows, item, expand)) return;
    // Found, or nowhere to be found: once is enough.
    ui.setState({ jump: null, sought: row?.key ?? null });
    if (row) scrollTo(index);
  }, [jump, shown, rows, run, ui, session, scrollTo]);
}

/** Of a long answer the part that holds the words; where none holds them whole, its beginning. */
function placeOf(rows: Row[], itemId: string, words: string | undefined): number {
  const first = rows.findIndex((row) => shows(row, itemId));
  if (words === undefined) return first;
  const wanted = foldedWords(words);
  const exact = rows.findIndex((row) => {
    if (row.kind !== 'text' || !shows(row, itemId)) return false;
    return foldedWords(row.part.blocks.map(({ token }) => token.raw).join('')).includes(wanted);
  });
  return exact === -1 ? first : exact;
}

function shows(row: Row, itemId: string): boolean {
  if (row.kind === 'tools') return row.entries.some(({ id }) => id === itemId);
  if (row.kind === 'text') return row.key.startsWith(`${itemId}:`);
  return 'item' in row && row.item.id === itemId;
}

/** Opens what an item is folded into; false when it is folded into nothing that was closed. */
function unfold(
  { turns, items }: TranscriptInput,
  rows: Row[],
  item: Item,
  expand: (id: string) => boolean,
): boolean {
  const line = rows.find((row) => row.kind === 'calls' && row.entries.some(({ id }) => id === item.id));
  const folded = line?.kind === 'calls' ? line.entries[0] : undefined;
  if (folded) return expand(foldKey(folded.id));
  if (unfoldStep(items, rows, item, expand)) return true;
  const work = rows.find((row) => row.kind === 'work' && row.turnId === item.turnId);
  if (work?.kind === 'work' && !work.open) return expand(workKey(item.turnId));
  const version = earlierVersions(turns).get(item.turnId);
  const opened = version ? expand(earlierKey(version.firstTurnId)) : false;
  const { parentCallId } = item;
  const card = items.find((other) => other.kind === 'tool' && other.callId === parentCallId);
  return card ? expand(card.id) || opened : opened;
}

/** Of work on a step of a running turn: first its plan, then its step. */
function unfoldStep(
  items: readonly Item[],
  rows: readonly Row[],
  item: Item,
  expand: (id: string) => boolean,
): boolean {
  const list = rows.find(
    (row) => (row.kind === 'plan' || row.kind === 'steps') && row.turnId === item.turnId,
  );
  if (list?.kind !== 'plan' && list?.kind !== 'steps') return false;
  const card = items.find((other) => other.kind === 'tool' && other.callId === item.parentCallId);
  const own = items.filter(({ turnId }) => turnId === item.turnId);
  const place = placesInPlan(own, listOf(list), list.kind === 'steps').get(card?.id ?? item.id);
  if (place === undefined) return false;
  return (list.kind === 'plan' && expand(list.item.id)) || expand(stepKey(item.turnId, place));
}

function listOf(list: RowOf<'plan'> | RowOf<'steps'>): { steps: PlanStep[] } {
  return { steps: list.kind === 'plan' ? list.now.filter((step) => step !== null) : list.steps };
}
