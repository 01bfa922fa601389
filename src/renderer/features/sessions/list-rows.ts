/** The list as rows of known height, so that only those in view need to exist. Pure. */
import type { SessionSummary } from '../../../protocol/model.ts';
import type { TextSize } from '../../stores/appearance.ts';
import type { SessionGroup } from '../../stores/session-groups.ts';
import type { Hit } from './found.ts';
import { headingOf, type Heading } from './group-words.ts';

export interface RowSizes {
  row: number;
  /** Above the first row of a group. */
  heading: number;
  /** Two lines of what was found. */
  hit: number;
}

/** In pixels, as the styles draw them: --h-control, 16 + --lh-12, and 4 + twice --lh-12. */
export const rowSizes: Record<TextSize, RowSizes> = {
  small: { row: 26, heading: 32, hit: 36 },
  normal: { row: 28, heading: 32, hit: 36 },
  large: { row: 32, heading: 36, hit: 44 },
  largest: { row: 36, heading: 38, hit: 48 },
};

/** Key of the session that its first message will make. */
export const draftKey = 'draft';

type RowContent =
  /** The session that its first message will make. */
  | { kind: 'draft' }
  /** `found`: how often, where the list shows what was found. */
  | { kind: 'session'; session: SessionSummary; found: number | null }
  | { kind: 'hit'; session: SessionSummary; hit: Hit }
  /** So many were found besides. */
  | { kind: 'more'; session: SessionSummary; count: number };

export interface ListRow {
  /** The session's id, `draftKey`, or one that no session has. */
  key: string;
  content: RowContent;
  /** Of the group that begins with this row. */
  heading: Heading | null;
  top: number;
  height: number;
}

export const sessionIn = ({ content }: ListRow): SessionSummary | null =>
  content.kind === 'session' ? content.session : null;

export function listRows(
  groups: readonly SessionGroup[],
  { draft, headings, sizes }: { draft: boolean; headings: boolean; sizes: RowSizes },
): ListRow[] {
  const rows = stack(sizes);
  if (draft) rows.add(draftKey, { kind: 'draft' });
  for (const each of groups) {
    for (const [index, session] of each.sessions.entries()) {
      const heading = headings && index === 0 ? headingOf(each) : null;
      rows.add(session.id, { kind: 'session', session, found: null }, heading);
    }
  }
  return rows.all;
}

/** Each session once, and below it the first places in which the words stand. */
export function foundRows(
  found: readonly { session: SessionSummary; hits: readonly Hit[] }[],
  { opened, sizes }: { opened: ReadonlySet<string>; sizes: RowSizes },
): ListRow[] {
  const rows = stack(sizes);
  for (const { session, hits } of found) {
    rows.add(session.id, { kind: 'session', session, found: hits.length });
    const shown =
      opened.has(session.id) || hits.length === hitsAtFirst + 1 ? hits : hits.slice(0, hitsAtFirst);
    for (const hit of shown) rows.add(`hit:${hit.itemId}`, { kind: 'hit', session, hit });
    const count = hits.length - shown.length;
    if (count > 0) rows.add(`more:${session.id}`, { kind: 'more', session, count });
  }
  return rows.all;
}

const hitsAtFirst = 2;

function stack(sizes: RowSizes) {
  const all: ListRow[] = [];
  let top = 0;
  return {
    all,
    add(key: string, content: RowContent, heading: Heading | null = null): void {
      const own = content.kind === 'hit' ? sizes.hit : sizes.row;
      const height = own + (heading === null ? 0 : sizes.heading);
      all.push({ key, content, heading, top, height });
      top += height;
    },
  };
}

export function listHeight(rows: readonly ListRow[]): number {
  const last = rows.at(-1);
  return last ? last.top + last.height : 0;
}

/** Pixels of the list, from its beginning. */
export interface Span {
  from: number;
  to: number;
}

/** Those in view, and the one that has or gets the keyboard, wherever it stands. */
export function rowsIn(rows: readonly ListRow[], { from, to }: Span, kept: string | null): ListRow[] {
  return rows.filter(({ key, top, height }) => key === kept || (top + height > from && top < to));
}
