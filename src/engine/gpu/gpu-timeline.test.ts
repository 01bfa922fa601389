import { expect, test } from 'vitest';
import type { TimelinePoint } from '../../protocol/model.ts';
import { createTimeline, timelinePoint } from './gpu-timeline.ts';

const point = (at: number): TimelinePoint => ({
  at,
  vramUsedBytes: at,
  vramModelBytes: null,
  utilization: null,
  temperatureC: null,
  powerW: null,
});

function fill(everyMs: number, untilMs: number): TimelinePoint[] {
  const timeline = createTimeline();
  for (let at = 0; at <= untilMs; at += everyMs) timeline.add(point(at));
  return timeline.points(untilMs);
}

test('the last half hour is kept, oldest first', () => {
  const points = fill(30_000, 3_600_000);
  expect(points).toHaveLength(61);
  expect(points[0]?.at).toBe(1_800_000);
  expect(points.at(-1)?.at).toBe(3_600_000);
});

test('the pace of a watched window is kept whole', () => {
  expect(fill(2_000, 1_800_000)).toHaveLength(901);
});

test('what is sampled faster is thinned, and the newest is always there', () => {
  const points = fill(100, 1_800_000);
  expect(points.length).toBeLessThan(950);
  expect(points.at(-1)?.at).toBe(1_800_000);
});

test('old points go with time alone, and a clock that was set back begins anew', () => {
  const timeline = createTimeline();
  timeline.add(point(10_000_000));
  expect(timeline.points(10_000_000 + 1_800_001)).toEqual([]);
  timeline.add(point(5_000_000));
  expect(timeline.points(5_000_000)).toEqual([point(5_000_000)]);
});

test('several cards are one point; what no card says is unknown', () => {
  const card = {
    name: 'A',
    vramTotalBytes: 9,
    vramUsedBytes: 4,
    utilization: 10,
    temperatureC: 50,
    powerW: null,
  };
  const other = { ...card, vramUsedBytes: null, utilization: 90, temperatureC: null, vramModelBytes: 3 };
  expect(timelinePoint([card, other], 7, 1)).toEqual({
    at: 1,
    vramUsedBytes: 4,
    vramModelBytes: 3,
    utilization: 90,
    temperatureC: 50,
    powerW: null,
  });
  expect(timelinePoint([card], 7, 1).vramModelBytes).toBe(7);
});
