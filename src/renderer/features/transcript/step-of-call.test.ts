import { describe, expect, it } from 'vitest';
import type { Item, PlanStep } from '../../../protocol/model.ts';
import { aPlanStep, anItem, inOrder } from '../../testing/fixtures.ts';
import { stepsOfItems } from './step-of-call.ts';

const mark = (subject: string, state: 'done' | 'failed' | 'running' = 'done'): Item =>
  anItem('tool', { tool: 'todo', subject, state, startedAt: 0, completedAt: 20 });
const call = (subject: string, times: [startedAt: number, completedAt: number | null] = [0, 1]): Item =>
  anItem('tool', { subject, startedAt: times[0], completedAt: times[1] });
const seenAt = (at: number): Partial<PlanStep> => ({ status: 'done', evidence: { text: 'exists', at } });

function placesOf(items: Item[], steps: Partial<PlanStep>[], current: number): string[] {
  const ordered = inOrder(...items);
  const listed = steps.map((step, at) => aPlanStep({ id: `p${String(at)}`, ...step }));
  const places = stepsOfItems(ordered, listed, current);
  return ordered.flatMap((item) =>
    item.kind === 'tool' && places.has(item.id) ? [`${item.subject}: ${String(places.get(item.id))}`] : [],
  );
}

describe('the step of a call', () => {
  it('is the one that the list marks, while nothing says that another step ended', () => {
    expect(placesOf([call('a'), call('b')], [{}, {}], 0)).toEqual(['a: 0', 'b: 0']);
  });

  it('is the one that the model ticked after it', () => {
    const items = [call('a'), call('b'), mark('done 1'), call('c')];
    expect(placesOf(items, [{ status: 'done' }, {}], 1)).toEqual(['a: 0', 'b: 0', 'c: 1']);
  });

  it('is the one that the model began before it, whatever it ticked afterwards', () => {
    const items = [mark('start 2'), call('a'), mark('done 1'), call('b'), mark('fail 2')];
    expect(placesOf(items, [{}, {}], -1)).toEqual(['a: 1', 'b: 1']);
  });

  it('is not moved by a mark that failed or names no step of the list', () => {
    const items = [mark('done 1', 'failed'), call('a'), mark('done 7'), call('b')];
    expect(placesOf(items, [{}, {}], 0)).toContain('b: 0');
    expect(placesOf(items, [{}, {}], 0)).toContain('a: 0');
  });

  it('is the one that the host saw proved after it', () => {
    const items = [call('a', [1, 2]), call('b', [3, 4]), call('c', [6, null])];
    expect(placesOf(items, [seenAt(5), {}], 1)).toEqual(['a: 0', 'b: 0', 'c: 1']);
  });

  it('is told from one reply with both calls, which began together', () => {
    const items = [call('a', [1, 3]), call('b', [1, 6])];
    expect(placesOf(items, [seenAt(4), {}], 1)).toEqual(['a: 0', 'b: 1']);
  });

  it('is not one whose proof is older than the work', () => {
    expect(placesOf([call('a', [6, 8])], [seenAt(5), {}], 1)).toEqual(['a: 1']);
  });

  it('is not the one that was ticked before and proved after it', () => {
    const items = [call('a', [1, 2]), mark('done 1'), call('b', [4, 5]), call('c', [8, 9]), mark('done 2')];
    const steps: Partial<PlanStep>[] = [seenAt(6), { status: 'done' }];
    expect(placesOf(items, steps, -1)).toEqual(['a: 0', 'b: 1', 'c: 1']);
  });

  it('is not told by a mark that is still being made', () => {
    expect(placesOf([call('a'), mark('done 1', 'running')], [{}, {}], 1)).toEqual(['a: 1']);
  });

  it('is none when no step is left', () => {
    expect(placesOf([call('a'), mark('done 1'), call('b')], [{ status: 'done' }], -1)).toEqual(['a: 0']);
  });
});
