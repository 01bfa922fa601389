import { describe, expect, it } from 'vitest';
import type { TimelinePoint } from '../../protocol/model.ts';
import { anApproval, anItem, aTurn, noon } from '../testing/fixtures.ts';
import { joined, pointOf, withPoint } from './gpu-history.ts';
import { turnTime } from './figures.ts';
import { laneOf, laneTotals } from './turn-lane.ts';

const gib = 1024 ** 3;
const point = (at: number): TimelinePoint => ({
  at,
  vramUsedBytes: null,
  vramModelBytes: null,
  utilization: 5,
  temperatureC: null,
  powerW: null,
});
const gpu = (at: number, utilization: number | null) => ({
  name: 'RTX 3090',
  vramTotalBytes: 24 * gib,
  vramUsedBytes: 7 * gib,
  utilization,
  temperatureC: 60,
  powerW: 100,
  at,
});

describe('the history of the GPU', () => {
  it('takes the sum of VRAM and the busiest of several', () => {
    expect(pointOf({ gpus: [gpu(1, 20), gpu(2, null)], loaded: [] })).toMatchObject({
      at: 2,
      vramUsedBytes: 14 * gib,
      utilization: 20,
    });
    expect(pointOf({ gpus: [gpu(1, null)], loaded: [] })?.utilization).toBeNull();
    expect(pointOf({ gpus: [], loaded: [] })).toBeNull();
  });

  it('goes on with each new sample, and only with new ones', () => {
    const two = withPoint([point(1)], point(2));
    expect(two.map(({ at }) => at)).toEqual([1, 2]);
    expect(withPoint(two, point(2))).toBe(two);
    expect(withPoint(two, null)).toBe(two);
  });

  it('forgets what is older than half an hour', () => {
    const old = [point(0), point(60_000)];
    expect(withPoint(old, point(30 * 60_000 + 30_000)).map(({ at }) => at)).toEqual([60_000, 1_830_000]);
  });

  it('joins what was kept with what came meanwhile', () => {
    expect(joined([point(1), point(3)], [point(2), point(4)]).map(({ at }) => at)).toEqual([1, 3, 4]);
    expect(joined([], [point(2)])).toHaveLength(1);
  });
});

const at = (from: number, to: number | null) => ({
  startedAt: noon + from * 1000,
  completedAt: to === null ? null : noon + to * 1000,
});

describe('the lane of a turn', () => {
  const turn = aTurn({ startedAt: noon, endedAt: noon + 60_000 });
  const lane = (...items: Parameters<typeof laneOf>[1]) =>
    laneOf(turn, items, noon + 90_000).map(({ kind, from, to }) => [
      kind,
      (from - noon) / 1000,
      (to - noon) / 1000,
    ]);

  it('has no holes: where nothing arrives, the prompt is read', () => {
    expect(
      lane(
        anItem('thinking', at(5, 8)),
        anItem('text', at(8.1, 12)),
        anItem('tool', { ...at(12, 40), runMs: 28_000 }),
      ),
    ).toEqual([
      ['reads', 0, 5],
      ['thinks', 5, 8],
      ['writes', 8, 12],
      ['tool', 12, 40],
      ['reads', 40, 60],
    ]);
  });

  it('shows the question before the run of a call that asked', () => {
    const asked = { ...at(0, 30), runMs: 10_000, approval: anApproval() };
    expect(lane(anItem('tool', asked))).toEqual([
      ['asks', 0, 20],
      ['tool', 20, 30],
      ['reads', 30, 60],
    ]);
    const asking = anItem('tool', { ...at(0, null), runMs: null, state: 'awaiting_approval' });
    expect(lane(asking)).toEqual([['asks', 0, 60]]);
  });

  it('asks as long as the turn waited, for a declined call and inside a subagent too (audit-U4)', () => {
    const approval = anApproval({ requestedAt: noon + 2_000 });
    const spawn = anItem('tool', { ...at(1, 59), id: 'i0', callId: 'c1', runMs: 58_000 });
    const inside = { ...at(2, 58), parentCallId: 'c1', callId: 'c2', answeredAt: noon + 57_000 };
    const declined = anItem('tool', {
      ...inside,
      approval,
      decision: 'deny',
      state: 'declined',
      runMs: null,
    });
    expect(lane(spawn, declined)).toEqual([
      ['reads', 0, 1],
      ['tool', 1, 2],
      ['asks', 2, 57],
      ['tool', 57, 59],
      ['reads', 59, 60],
    ]);
    const { askedMs } = turnTime({ ...turn, askedMs: 55_000 }, noon);
    expect(laneTotals(laneOf(turn, [spawn, declined], noon))).toContainEqual({ kind: 'asks', ms: askedMs });
  });

  it('leaves out subagents, other turns, and a turn that has not begun', () => {
    expect(
      lane(anItem('text', { ...at(1, 9), parentCallId: 'c1' }), anItem('text', { ...at(1, 9), turnId: 'x' })),
    ).toEqual([['reads', 0, 60]]);
    expect(laneOf(aTurn({ startedAt: null }), [], noon)).toEqual([]);
  });

  it('goes on until now while the turn runs', () => {
    const parts = laneOf(aTurn({ startedAt: noon }), [anItem('text', at(2, null))], noon + 10_000);
    expect(laneTotals(parts)).toEqual([
      { kind: 'reads', ms: 2000 },
      { kind: 'writes', ms: 8000 },
    ]);
  });
});
