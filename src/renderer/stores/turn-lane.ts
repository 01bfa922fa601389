/** What the agent did when, to stand beside what the GPU did. Pure. */
import type { Item, ToolItem, Turn } from '../../protocol/model.ts';

/** `reads` = nothing arrives: it waits for the GPU, loads, or the prompt is read. */
export type LaneKind = 'reads' | 'thinks' | 'writes' | 'tool' | 'asks';

export interface LanePart {
  kind: LaneKind;
  from: number;
  to: number;
}

/** Shorter gaps are the time between two events, not a silence. */
const gapMs = 250;

/** From the start of the turn to its end or `now`, without holes; subagents are part of the call that spawned them. */
export function laneOf(turn: Turn, items: Item[], now: number): LanePart[] {
  if (turn.startedAt === null) return [];
  const end = turn.endedAt ?? now;
  const parts: LanePart[] = [];
  let at = turn.startedAt;
  const add = (kind: LaneKind, from: number, to: number): void => {
    const begin = Math.max(from, at);
    const until = Math.min(to, end);
    if (until <= begin) return;
    if (begin - at >= gapMs) parts.push({ kind: 'reads', from: at, to: begin });
    parts.push({ kind, from: begin - at >= gapMs ? begin : at, to: until });
    at = until;
  };
  for (const item of items) {
    if (item.turnId !== turn.id || item.parentCallId !== undefined) continue;
    const to = item.completedAt ?? end;
    if (item.kind === 'thinking') add('thinks', item.startedAt, to);
    else if (item.kind === 'text') add('writes', item.startedAt, to);
    else if (item.kind === 'tool') addTool(item, to, add);
  }
  if (end - at >= gapMs) parts.push({ kind: 'reads', from: at, to: end });
  return parts;
}

/** A call that asked: first the question, then its run. */
function addTool(
  { startedAt, runMs, state, approval }: ToolItem,
  to: number,
  add: (kind: LaneKind, from: number, to: number) => void,
): void {
  const asked = approval !== null || state === 'awaiting_approval';
  const runs =
    state === 'awaiting_approval' ? to : runMs === null ? startedAt : Math.max(startedAt, to - runMs);
  if (asked) add('asks', startedAt, runs);
  add('tool', asked ? runs : startedAt, to);
}

/** How long each kind took, in the order of `kinds`; kinds that did not occur are left out. */
export function laneTotals(parts: LanePart[]): { kind: LaneKind; ms: number }[] {
  return laneKinds
    .map((kind) => ({
      kind,
      ms: parts.filter((part) => part.kind === kind).reduce((sum, { from, to }) => sum + to - from, 0),
    }))
    .filter(({ ms }) => ms > 0);
}

const laneKinds: LaneKind[] = ['reads', 'thinks', 'writes', 'tool', 'asks'];
