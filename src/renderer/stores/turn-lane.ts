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
  const own = items.filter(({ turnId }) => turnId === turn.id);
  for (const item of own) {
    if (item.parentCallId !== undefined) continue;
    const to = item.completedAt ?? end;
    if (item.kind === 'thinking') add('thinks', item.startedAt, to);
    else if (item.kind === 'text') add('writes', item.startedAt, to);
    else if (item.kind === 'tool') addTool(item, to, own, add);
  }
  if (end - at >= gapMs) parts.push({ kind: 'reads', from: at, to: end });
  return parts;
}

/** A call with the questions in it: its own, before its run, and those of the subagent that it spawned. */
function addTool(
  call: ToolItem,
  to: number,
  items: readonly Item[],
  add: (kind: LaneKind, from: number, to: number) => void,
): void {
  let at = call.startedAt;
  for (const item of items) {
    if (item.kind !== 'tool' || (item !== call && item.parentCallId !== call.callId)) continue;
    const asked = askedIn(item, item.completedAt ?? to);
    if (asked === null) continue;
    if (asked.from - at >= gapMs) add('tool', at, asked.from);
    add('asks', asked.from, asked.to);
    at = Math.max(at, asked.to);
  }
  add('tool', at, to);
}

function askedIn(
  { approval, startedAt, state, runMs, answeredAt }: ToolItem,
  to: number,
): { from: number; to: number } | null {
  if (approval === null && state !== 'awaiting_approval') return null;
  const from = Math.max(startedAt, approval?.requestedAt ?? startedAt);
  // What was kept before answers had their time: until it ran.
  return { from, to: answeredAt ?? (runMs === null ? to : Math.max(from, to - runMs)) };
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
