/**
 * Heights of rows before they are measured, near enough that the scroll bar hardly moves when they are. From what a
 * row holds, in the measures of the style sheet.
 */
import type { GroupEntry, Row } from './rows.ts';

const fixed: Record<Row['kind'], number> = {
  user: 38,
  sending: 76,
  scope: 24,
  thinking: 20,
  text: 28,
  note: 20,
  tools: 2,
  calls: 30,
  agent: 64,
  plan: 40,
  steps: 30,
  summary: 38,
  earlier: 28,
  foot: 24,
  work: 20,
  approval: 220,
  switch: 38,
  stopped: 110,
  error: 110,
  outcome: 38,
  progress: 28,
  changes: 30,
  files: 54,
  sources: 24,
};
/** Above each row, and above one that begins a turn. */
const gap = 8;
const turnGap = 25;
/** Prose: characters that a line of the column holds, and its height with what stands between paragraphs. */
const lineLength = 84;
const lineHeight = 24;
const callHeight = 29;
const planStep = 26;
/** What a call with its result shows below its line, at most. */
const diffLine = 18;
const openDiff = 16;
/** A row of them, and the call below it. */
const openPictures = 300;

export function rowHeight(row: Row, expanded: Readonly<Record<string, boolean>>): number {
  const above = row.newTurn ? turnGap : row.joins === 'above' || row.joins === 'both' ? 0 : gap;
  return above + fixed[row.kind] + content(row, expanded);
}

function content(row: Row, expanded: Readonly<Record<string, boolean>>): number {
  if (row.kind === 'text') return Math.floor(row.part.length / lineLength) * lineHeight;
  if (row.kind === 'user') return Math.floor(row.item.text.length / lineLength) * 22;
  if ((row.kind === 'steps' || row.kind === 'plan') && row.from !== undefined && row.to !== undefined)
    return (row.to - row.from) * planStep - (row.from > 0 ? fixed[row.kind] : 0);
  if (row.kind === 'steps') return row.steps.length * planStep;
  if (row.kind === 'plan') return (row.item.steps.length || row.item.text.split('\n').length) * planStep;
  if (row.kind !== 'tools') return 0;
  return row.entries.reduce((sum, entry) => sum + callHeight + body(entry, expanded), 0);
}

function body(entry: GroupEntry, expanded: Readonly<Record<string, boolean>>): number {
  if (entry.kind !== 'tool' || expanded[entry.id] === false) return 0;
  if (entry.attachments) return openPictures;
  if (entry.display?.kind !== 'diff') return 0;
  const lines = entry.display.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  return entry.state === 'done' && lines <= openDiff ? lines * diffLine + 16 : 0;
}
