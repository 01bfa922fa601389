import { expect, it } from 'vitest';
import type { SessionSnapshot, TurnPhase, TurnStatus } from '../../protocol/model.ts';
import { leavesWork } from './turn-end.ts';

/** A session whose one turn ended so; of a stop, what it was stopped in. */
function ended(status: TurnStatus, during?: TurnPhase): Pick<SessionSnapshot, 'turns' | 'items'> {
  const turn = { id: 't', status } as SessionSnapshot['turns'][number];
  const stopped = { kind: 'stopped', turnId: 't', during } as SessionSnapshot['items'][number];
  return { turns: [turn], items: during ? [stopped] : [] };
}

it.each<[TurnStatus, TurnPhase | undefined, boolean]>([
  ['finished', undefined, true],
  ['max_iterations', undefined, true],
  ['failed', undefined, false],
  ['interrupted', undefined, false],
  ['stopped', 'lease', false],
  ['stopped', 'loading', false],
  ['stopped', 'compacting', false],
  ['stopped', 'prefill', false],
  ['stopped', 'thinking', true],
  ['stopped', 'text', true],
  ['stopped', 'call', true],
  ['stopped', 'approval', true],
  ['stopped', 'tool', true],
])('a turn that %s (in %s) leaves a history to be read: %s', (status, during, leaves) => {
  expect(leavesWork(ended(status, during), 't')).toBe(leaves);
});

it('a turn that is not there any more leaves nothing', () => {
  expect(leavesWork(ended('finished'), 'other')).toBe(false);
});
