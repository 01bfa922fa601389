/** The list as rows of known height, so that only those in view need to exist. Pure. */
import type { SessionSummary } from '../../../protocol/model.ts';
import type { TextSize } from '../../stores/appearance.ts';
import type { SessionGroup } from './group-sessions.ts';

export interface RowSizes {
  row: number;
  /** Above the first row of a group. */
  heading: number;
}

/** In pixels, as the styles draw them: --h-control, and 16 + --lh-12. */
export const rowSizes: Record<TextSize, RowSizes> = {
  small: { row: 26, heading: 32 },
  normal: { row: 28, heading: 32 },
  large: { row: 32, heading: 36 },
  largest: { row: 36, heading: 38 },
};

/** Key of the session that its first message will make. */
export const draftKey = 'draft';

export interface ListRow {
  /** The session's id, or `draftKey`. */
  key: string;
  /** null = the session that its first message will make. */
  session: SessionSummary | null;
  /** Of the group that begins with this row. */
  heading: SessionGroup['key'] | null;
  top: number;
  height: number;
}

export function listRows(
  groups: SessionGroup[],
  { draft, headings, sizes }: { draft: boolean; headings: boolean; sizes: RowSizes },
): ListRow[] {
  const rows: ListRow[] = [];
  let top = 0;
  const add = (key: string, session: SessionSummary | null, heading: ListRow['heading']): void => {
    const height = sizes.row + (heading === null ? 0 : sizes.heading);
    rows.push({ key, session, heading, top, height });
    top += height;
  };
  if (draft) add(draftKey, null, null);
  for (const { key, sessions } of groups) {
    for (const [index, session] of sessions.entries()) {
      add(session.id, session, headings && index === 0 ? key : null);
    }
  }
  return rows;
}

export function listHeight(rows: ListRow[]): number {
  const last = rows.at(-1);
  return last ? last.top + last.height : 0;
}

/** Pixels of the list, from its beginning. */
export interface Span {
  from: number;
  to: number;
}

/** Those in view, and the one that has or gets the keyboard, wherever it stands. */
export function rowsIn(rows: ListRow[], { from, to }: Span, kept: string | null): ListRow[] {
  return rows.filter(({ key, top, height }) => key === kept || (top + height > from && top < to));
}
