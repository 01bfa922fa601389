/** A diff as the lines that are shown: numbered, with what changed inside them, long unchanged stretches apart. Pure. */
import type { ToolDisplay } from '../../protocol/model.ts';
import { changedWords, type Stretch } from './diff-words.ts';

export type Diff = Extract<ToolDisplay, { kind: 'diff' }>;

export interface DiffLine {
  sign: ' ' | '+' | '-';
  /** In the new file; of a removed line, in the old one. */
  number: number;
  text: string;
  /** Its place among all lines of its side, which are coloured as one text. */
  place: number;
  changed: readonly Stretch[];
  /** Unchanged characters that were left out of it, each before the character at its place. */
  same: readonly { at: number; count: number }[];
  /** So many empty lines in a row, as one. */
  empty?: number;
}

/** `lines`: those that can be shown; without them only how many lie between two hunks is known. */
export interface DiffGap {
  count: number;
  lines: DiffLine[];
}
export type DiffPart = { gap: DiffGap } | { lines: DiffLine[] };

export interface DiffText {
  parts: DiffPart[];
  /** Both sides as they would be read, for colours. */
  before: string;
  after: string;
}

/** Unchanged lines that stay beside a change. */
const context = 3;
/** A fold that hides fewer is longer than what it hides. */
const minFold = 4;

export function diffText({ hunks }: Diff): DiffText {
  const parts: DiffPart[] = [];
  const sides = { before: [] as string[], after: [] as string[] };
  let nextLine: number | null = null;
  for (const hunk of hunks) {
    if (nextLine !== null && hunk.newStart > nextLine) {
      parts.push({ gap: { count: hunk.newStart - nextLine, lines: [] } });
    }
    const lines = numbered(hunk, sides);
    nextLine = hunk.newStart + lines.filter(({ sign }) => sign !== '-').length;
    parts.push(...folded(marked(lines)).map(withoutEmptyRuns));
  }
  return { parts, before: sides.before.join('\n'), after: sides.after.join('\n') };
}

function numbered(hunk: Diff['hunks'][number], sides: { before: string[]; after: string[] }): DiffLine[] {
  let [old, now] = [hunk.oldStart, hunk.newStart];
  const same = Map.groupBy(hunk.same ?? [], ({ line }) => line);
  return hunk.lines.map((raw, index) => {
    const sign = raw.startsWith('+') ? '+' : raw.startsWith('-') ? '-' : ' ';
    const text = raw.slice(1);
    const number = sign === '-' ? old : now;
    const place = sign === '-' ? sides.before.length : sides.after.length;
    // A return would end a line for whoever colours them.
    const line = text.replaceAll('\r', ' ');
    if (sign !== '+') {
      sides.before.push(line);
      old += 1;
    }
    if (sign !== '-') {
      sides.after.push(line);
      now += 1;
    }
    return { sign, number, text, place, changed: [], same: same.get(index) ?? [] };
  });
}

/** Longer runs are rewritten, not changed. */
const maxRun = 12;

/** A removed line and the added one that reads like it are compared word by word, in order. */
function marked(lines: DiffLine[]): DiffLine[] {
  const result = [...lines];
  let at = 0;
  while (at < lines.length) {
    const removed = runFrom(lines, at, '-');
    const added = runFrom(lines, at + removed, '+');
    if (removed <= maxRun && added <= maxRun) pairUp(result, at, at + removed, at + removed + added);
    at += Math.max(1, removed + added);
  }
  return result;
}

/** Removed lines from `from`, added ones from `middle` to before `end`. */
function pairUp(lines: DiffLine[], from: number, middle: number, end: number): void {
  let next = middle;
  for (let old = from; old < middle; old++) {
    for (let now = next; now < end; now++) {
      const [gone, come] = [lines[old], lines[now]];
      const changed = gone && come && changedWords(gone.text, come.text);
      if (!changed || changed.before.length + changed.after.length === 0) continue;
      lines[old] = { ...gone, changed: changed.before };
      lines[now] = { ...come, changed: changed.after };
      next = now + 1;
      break;
    }
  }
}

function runFrom(lines: DiffLine[], from: number, sign: DiffLine['sign']): number {
  let end = from;
  while (lines[end]?.sign === sign) end++;
  return end - from;
}

/** Long unchanged stretches of one hunk behind a line of their own. */
function folded(lines: DiffLine[]): DiffPart[] {
  const parts: DiffPart[] = [];
  let shown: DiffLine[] = [];
  let at = 0;
  while (at < lines.length) {
    const same = runFrom(lines, at, ' ');
    const first = at === 0 ? 0 : context;
    const last = at + same === lines.length ? 0 : context;
    const hidden = same - first - last;
    if (hidden >= minFold) {
      shown.push(...lines.slice(at, at + first));
      if (shown.length > 0) parts.push({ lines: shown });
      const inside = lines.slice(at + first, at + first + hidden);
      parts.push({ gap: { count: hidden, lines: inside } });
      shown = lines.slice(at + first + hidden, at + same);
      at += same;
      continue;
    }
    const step = Math.max(1, same);
    shown.push(...lines.slice(at, at + step));
    at += step;
  }
  if (shown.length > 0) parts.push({ lines: shown });
  return parts;
}

/** From here on empty lines push what follows out of sight. */
const maxEmpty = 3;

function withoutEmptyRuns(part: DiffPart): DiffPart {
  if ('gap' in part) return { gap: { ...part.gap, lines: joinedEmpty(part.gap.lines) } };
  return { lines: joinedEmpty(part.lines) };
}

function joinedEmpty(lines: DiffLine[]): DiffLine[] {
  const result: DiffLine[] = [];
  let at = 0;
  while (at < lines.length) {
    const first = lines[at];
    let end = at;
    while (isEmpty(lines[end]) && lines[end]?.sign === first?.sign) end += 1;
    if (first && end - at > maxEmpty) result.push({ ...first, text: '', changed: [], empty: end - at });
    else result.push(...lines.slice(at, Math.max(end, at + 1)));
    at = Math.max(end, at + 1);
  }
  return result;
}

const isEmpty = (line: DiffLine | undefined): boolean =>
  line !== undefined && line.same.length === 0 && /^[ \t]*$/.test(line.text);

/** How many lines the parts show; a fold counts as one. */
export function shownLines(parts: readonly DiffPart[]): number {
  return parts.reduce((sum, part) => sum + ('gap' in part ? 1 : part.lines.length), 0);
}

/** The first parts, up to so many lines in all. */
export function firstLines(parts: readonly DiffPart[], most: number): DiffPart[] {
  let left = most;
  return parts.flatMap((part): DiffPart[] => {
    if (left <= 0) return [];
    if ('gap' in part) {
      left -= 1;
      return [part];
    }
    const lines = part.lines.slice(0, left);
    left -= lines.length;
    return [{ lines }];
  });
}

/** The first line of a run of changed ones: where a person goes from change to change. */
export function beginsChange(lines: readonly DiffLine[], at: number): boolean {
  return lines[at]?.sign !== ' ' && (at === 0 || lines[at - 1]?.sign === ' ');
}
