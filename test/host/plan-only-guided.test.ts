/** A guided model in a session that only plans: what it says that it is about to do is the plan. */
import { describe, expect, test } from 'vitest';
import { answers, looks, opening, small, touches } from '../helpers/small-models.ts';
import { assertValidHistory } from '../helpers/turn-world.ts';

describe('A model that opens its turns, where the session only plans', () => {
  test('has its plan in its opening, and does nothing of it', async () => {
    const world = small(opening('look', 'change', 'run', 'answer'));
    world.input = { plansOnly: true };
    await world.run('put it in order');
    expect(world.requests).toHaveLength(1);
    expect(world.messages[0]?.content).not.toContain('Only plan');
    expect(world.executed).toEqual([]);
    expect(world.items()).toMatchObject([{ kind: 'user' }, { kind: 'plan', proposed: true }]);
    expect(world.shown().find(({ kind }) => kind === 'plan')).toMatchObject({
      steps: [
        { id: 'step_1', text: 'Look: look at it' },
        { id: 'step_2', text: 'Change: change at it' },
        { id: 'step_3', text: 'Run: run at it' },
      ],
    });
    expect(world.messages.at(-1)?.content).toBe(
      '1. Look: look at it\n2. Change: change at it\n3. Run: run at it',
    );
    expect(world.ending()).toBe('turn/finished');
    assertValidHistory(world.messages);
  });

  test('looks and answers where its opening named no change, and plans nothing', async () => {
    const world = small(opening('look', 'answer'), looks, answers('It says hello.'));
    world.input = { plansOnly: true };
    await world.run('what does it say?');
    expect(world.executed).toEqual(['echo']);
    expect(world.items().map(({ kind }) => kind)).toEqual(['user', 'tool', 'text']);
    expect(world.requests).toHaveLength(3);
  });

  test('carries out a plan by an opening of its own, and does at least one of its acts', async () => {
    const world = small(opening('answer'), touches, answers('Changed.'));
    const step = { milestone: null, executor: { kind: 'self' }, check: null } as const;
    const more = { status: 'pending', validation: null, evidence: null, parentId: null } as const;
    world.input = {
      shown: 'Carry out the plan.',
      steps: [{ id: 'step_1', text: 'Change: it', ...step, ...more }],
    };
    world.allow = ['change'];
    await world.run('Carry out the plan.\n\n1. Change: it');
    expect(world.executed).toEqual(['touch']);
    expect(world.data.todo().steps).toMatchObject([{ text: 'Change: it' }]);
    expect(world.items()[0]).toMatchObject({ kind: 'user', text: 'Carry out the plan.' });
    expect(world.messages[0]?.content).toContain('1. Change: it');
  });
});
