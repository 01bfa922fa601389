/**
 * Long runs of calls in pieces: each is a row of its own, and those far behind fold into one line. A piece is cut by
 * the places of its items, so it stays what it is when an older page is put in front of it.
 */
import type { GroupEntry, Row } from './rows.ts';

type ToolsRow = Extract<Row, { kind: 'tools' }>;

/** Places that one piece covers. */
const pieceSize = 20;
/** So many entries of the same run must follow before a piece folds. */
const keptOpen = 40;
/** A shorter piece would save nothing. */
const minFold = 8;

/** Where it is kept whether a piece was opened by hand. */
export function foldKey(firstId: string): string {
  return `calls:${firstId}`;
}

/** `edge`: the first of the newest items; pages are cut there. */
export function foldCalls(rows: Row[], edge: number, expanded: Readonly<Record<string, boolean>>): Row[] {
  return rows.flatMap((row): Row[] => {
    if (row.kind !== 'tools') return [row];
    let after = row.entries.length;
    return pieces(row, edge).flatMap((entries): Row[] => {
      const [first] = entries;
      if (!first) return [];
      after -= entries.length;
      const piece: Row = { ...row, key: `tools:${first.id}`, entries };
      const far = after >= keptOpen && entries.length >= minFold;
      if (!far || entries.some(({ completedAt }) => completedAt === null)) return [piece];
      const key = foldKey(first.id);
      const open = expanded[key] ?? false;
      const line: Row = { ...row, key, kind: 'calls', entries, open };
      return open ? [line, piece] : [line];
    });
  });
}

function pieces({ entries }: ToolsRow, edge: number): GroupEntry[][] {
  const cut: GroupEntry[][] = [];
  let before: GroupEntry | undefined;
  for (const entry of entries) {
    if (before && samePiece(before, entry, edge)) cut.at(-1)?.push(entry);
    else cut.push([entry]);
    before = entry;
  }
  return cut;
}

function samePiece(a: GroupEntry, b: GroupEntry, edge: number): boolean {
  return (
    Math.floor(a.index / pieceSize) === Math.floor(b.index / pieceSize) && a.index < edge === b.index < edge
  );
}

/** Of folded calls: how many of each tool, most first, and how many failed. */
export function countCalls(entries: readonly GroupEntry[]): {
  tools: [tool: string, calls: number][];
  failed: number;
} {
  const calls = entries.filter((entry) => entry.kind === 'tool');
  const byTool = Map.groupBy(calls, ({ tool }) => tool);
  return {
    tools: [...byTool]
      .map(([tool, own]): [string, number] => [tool, own.length])
      .toSorted(([, a], [, b]) => b - a),
    failed: calls.filter(({ state }) => state === 'failed').length,
  };
}
