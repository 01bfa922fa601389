import { describe, expect, it } from 'vitest';
import { personMessage } from '../prompt/person-message.ts';
import {
  createSteering,
  type IterationEnd,
  type Steering,
  type SteeringFlags,
  type SteeringNote,
} from './steering.ts';
import { todoOf } from './testing.ts';

const off: SteeringFlags = {
  iterationBudgetEnabled: false,
  goalAnchoringEnabled: false,
  goalAnchoringInterval: 5,
  antiStallEnabled: false,
  antiStallThreshold: 8,
  adaptiveReplanEnabled: false,
};
const empty = { steps: [] };

const steeringFor = (goal: string): Steering => createSteering(personMessage(goal));

const end = (changes: Partial<IterationEnd> = {}): IterationEnd => ({
  iteration: 1,
  left: 100,
  calls: [{ tool: 'read_file', args: { path: String(changes.iteration ?? 1) } }],
  todoBefore: empty,
  todoAfter: empty,
  ...changes,
});

/** The iterations, from 1, after which something was said. */
function spokenAt(
  flags: SteeringFlags,
  count: number,
  at: (iteration: number) => Partial<IterationEnd> = () => ({}),
): number[] {
  const steering = steeringFor('Tidy up');
  return Array.from({ length: count }, (_, index) => index + 1).filter(
    (iteration) => steering.afterIteration(flags, end({ iteration, ...at(iteration) })).length > 0,
  );
}

const only = (notes: SteeringNote[]): string => {
  expect(notes).toHaveLength(1);
  return notes[0]?.text ?? '';
};

describe('flags that are off', () => {
  it('add not one character, whatever happens (X12 f, E2, E4, E5, E7)', () => {
    const steering = steeringFor('Tidy up');
    expect(steering.atStart(off, 20)).toEqual([]);
    for (let iteration = 1; iteration <= 40; iteration += 1) {
      const left = 40 - iteration;
      const call = { tool: 'read_file', args: { path: 'a' } };
      const todoAfter = todoOf({ status: iteration % 2 === 0 ? 'failed' : 'pending' }, {});
      expect(
        steering.afterIteration(
          off,
          end({ iteration, left, calls: [call], todoBefore: todoOf({}, {}), todoAfter }),
        ),
      ).toEqual([]);
    }
  });
});

describe('the iteration budget', () => {
  const flags = { ...off, iterationBudgetEnabled: true };

  it('speaks at the start and at 7, 3 and 1 left (E2, R)', () => {
    const steering = steeringFor('Tidy up');
    expect(only(steering.atStart(flags, 20))).toBe('You have 20 steps for this.');
    expect(only(steering.atStart(flags, 1))).toContain('last step');
    const lefts = spokenAt(flags, 20, (iteration) => ({ left: 20 - iteration })).map(
      (iteration) => 20 - iteration,
    );
    expect(lefts).toEqual([7, 3, 1]);
  });
});

describe('the goal anchor', () => {
  const flags = { ...off, goalAnchoringEnabled: true };

  it('speaks every N iterations and not before the first (E4, Q12)', () => {
    expect(spokenAt(flags, 16)).toEqual([5, 10, 15]);
    expect(spokenAt({ ...flags, goalAnchoringInterval: 1 }, 3)).toEqual([1, 2, 3]);
  });

  it.each([0, -1])('is off with the interval %d (Q12)', (goalAnchoringInterval) => {
    expect(spokenAt({ ...flags, goalAnchoringInterval }, 16)).toEqual([]);
  });

  it('has the goal in one line, cut where it is long, and how far the list is (E4)', () => {
    const steering = steeringFor(`Tidy\n\nup [andiron note] ${'x'.repeat(9000)}`);
    const [note] = steering.afterIteration(
      flags,
      end({ iteration: 5, todoAfter: todoOf({ status: 'done' }, {}) }),
    );
    expect(note?.kind).toBe('goal');
    expect(note?.text).toMatch(/^The goal is still: Tidy up .*… 1 of 2 steps done\. Next: 2\. Do 2$/);
    expect(note?.text).not.toContain('[andiron note]');
    expect(note?.text.length).toBeLessThan(600);
  });

  it('is only the goal, without the white space around it, where there is no list (audit-A14)', () => {
    const notes = steeringFor('\n  Tidy up \n').afterIteration(flags, end({ iteration: 5 }));
    expect(only(notes)).toBe('The goal is still: Tidy up');
  });
});

describe('anti-stall', () => {
  const flags = { ...off, antiStallEnabled: true, antiStallThreshold: 4 };
  const open = todoOf({}, {});
  const same = { calls: [{ tool: 'read_file', args: { path: 'a', from: 1 } }] };

  it('warns after N iterations without progress of the list, and again only after N more (E5, Q11)', () => {
    expect(spokenAt(flags, 12, () => ({ todoBefore: open, todoAfter: open }))).toEqual([4, 8, 12]);
  });

  it('is idle where there is no list, or none of its steps is open (Q11)', () => {
    expect(spokenAt(flags, 12)).toEqual([]);
    const ended = todoOf({ status: 'done' });
    expect(spokenAt(flags, 12, () => ({ todoBefore: ended, todoAfter: ended }))).toEqual([]);
  });

  it('begins to count anew with progress and with a new plan (Q11)', () => {
    const moved = [todoOf({ status: 'done' }, {}), todoOf({ text: 'Other' })];
    for (const todoAfter of moved) {
      const spoken = spokenAt(flags, 7, (iteration) => ({
        todoBefore: iteration <= 3 ? open : todoAfter,
        todoAfter: iteration < 3 ? open : todoAfter,
      }));
      expect(spoken).toEqual([7]);
    }
  });

  it('begins to count anew with a new message (Q11)', () => {
    for (const goal of ['Tidy up', 'Go on']) {
      const steering = steeringFor(goal);
      const iteration = end({ ...same, todoBefore: open, todoAfter: open });
      for (let count = 0; count < 3; count += 1)
        expect(steering.afterIteration(flags, iteration)).toEqual([]);
    }
  });

  it('warns after N equal calls in a row, without a list too, and again only after N more (E5, Q11)', () => {
    expect(spokenAt(flags, 8, () => same)).toEqual([4, 8]);
  });

  it('takes arguments as equal in any order of their keys, and counts the calls of one reply', () => {
    const other = { tool: 'read_file', args: { from: 1, path: 'a' } };
    const steering = steeringFor('Tidy up');
    const notes = steering.afterIteration(
      flags,
      end({ calls: [...same.calls, other, ...same.calls, other] }),
    );
    expect(only(notes)).toContain('4 times in a row');
  });

  it('does not count calls that others stand between', () => {
    const spoken = spokenAt(flags, 12, (iteration) =>
      iteration % 4 === 0 ? { calls: [{ tool: 'todo', args: {} }] } : same,
    );
    expect(spoken).toEqual([]);
  });

  it('counts nothing while it is off', () => {
    const spoken = spokenAt({ ...flags, antiStallEnabled: false }, 12, () => same);
    expect(spoken).toEqual([]);
    const steering = steeringFor('Tidy up');
    for (let index = 0; index < 3; index += 1)
      steering.afterIteration({ ...flags, antiStallEnabled: false }, end(same));
    expect(steering.afterIteration(flags, end(same))).toEqual([]);
  });
});

describe('adaptive replan', () => {
  const flags = { ...off, adaptiveReplanEnabled: true };
  const before = todoOf({ text: 'Read' }, { text: 'Write' }, {});

  it('asks once for each newly failed step (E7, Q13)', () => {
    const after = todoOf(
      { text: 'Read', status: 'failed', validation: 'no such file' },
      { text: 'Write' },
      {},
    );
    const steering = steeringFor('Tidy up');
    const text = only(steering.afterIteration(flags, end({ todoBefore: before, todoAfter: after })));
    expect(text).toContain('Step 1 (Read) failed: no such file.');
    expect(steering.afterIteration(flags, end({ todoBefore: after, todoAfter: after }))).toEqual([]);
  });

  it('names two that failed in one iteration in one text (Q13)', () => {
    const after = todoOf({ text: 'Read', status: 'failed' }, { text: 'Write', status: 'failed' }, {});
    const text = only(
      steeringFor('Tidy up').afterIteration(flags, end({ todoBefore: before, todoAfter: after })),
    );
    expect(text).toContain('Step 1 (Read) failed. Step 2 (Write) failed.');
  });

  it('says nothing where no request follows (Q13)', () => {
    const after = todoOf({ text: 'Read', status: 'failed' }, { text: 'Write' }, {});
    const last = end({ left: 0, todoBefore: before, todoAfter: after });
    expect(steeringFor('Tidy up').afterIteration(flags, last)).toEqual([]);
  });
});

describe('all of them together', () => {
  const both = { ...off, antiStallEnabled: true, antiStallThreshold: 4, adaptiveReplanEnabled: true };
  const before = todoOf({}, {});
  const fails = { todoBefore: before, todoAfter: todoOf({ status: 'failed' }, {}) };
  const reads = { tool: 'read_file', args: { path: 'a' } };

  it('a stall warning stands before the re-plan of the same iteration (audit-A8, F2)', () => {
    const calls = [reads, reads, reads, reads, { tool: 'todo', args: { action: 'fail', step: 1 } }];
    const notes = steeringFor('Tidy up').afterIteration(both, end({ calls, ...fails }));
    expect(notes.map(({ kind }) => kind)).toEqual(['stall', 'replan']);
  });

  it('after a re-plan equal calls are counted from the start (audit-A8, Q11)', () => {
    const steering = steeringFor('Tidy up');
    const spoken = [fails, {}, {}, {}, {}].map((more) =>
      steering.afterIteration(both, end({ calls: [reads, reads], ...more })).map(({ kind }) => kind),
    );
    expect(spoken).toEqual([['replan'], [], ['stall'], [], ['stall']]);
  });

  it('speak in one order, each once, and the budget last', () => {
    const flags = {
      ...off,
      iterationBudgetEnabled: true,
      goalAnchoringEnabled: true,
      antiStallEnabled: true,
      antiStallThreshold: 5,
    };
    const open = todoOf({});
    const steering = steeringFor('Tidy up');
    const notes = [1, 2, 3, 4, 5].map((iteration) =>
      steering.afterIteration(
        flags,
        end({ iteration, left: 8 - iteration, todoBefore: open, todoAfter: open }),
      ),
    );
    expect(notes[4]?.map(({ kind }) => kind)).toEqual(['stall', 'goal', 'budget']);
  });
});
