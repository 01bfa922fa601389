import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlanStep, StepStatus } from '../../protocol/plan.ts';
import { stepOf, todoOf } from './testing.ts';
import {
  addChildren,
  closeLastStep,
  childTodo,
  fromPlan,
  newlyFailed,
  progressOf,
  renderTodo,
  setStatus,
  setSteps,
  summarizeTodo,
  type StatusChange,
} from './todo-list.ts';

const evidence = { text: 'exists, 312 bytes', at: 5 };
const check = { kind: 'file_exists', path: 'a' } as const;

const done = (changes: Partial<StatusChange> = {}): StatusChange => ({
  index: 1,
  status: 'done',
  validation: undefined,
  mustValidate: true,
  ...changes,
});

describe('the todo list', () => {
  it('is what was planned (D12)', () => {
    const steps = [stepOf(1), stepOf(2)];
    expect(fromPlan(steps)).toEqual({ steps });
  });

  it('shows each step in a line, with what proves it', () => {
    const list = todoOf(
      { text: 'Read', status: 'done' },
      { text: 'Write', status: 'done', check, evidence },
      { text: 'Test', status: 'done', check },
      { text: 'Ship', status: 'in_progress', executor: { kind: 'tool', tool: 'run_command' } },
      { text: 'Ask', status: 'failed' },
      { text: 'Sing', status: 'skipped' },
      { text: 'Look', executor: { kind: 'tool', tool: 'read_file' } },
      { text: 'Dig', executor: { kind: 'agent', profileId: 'reader' } },
    );
    expect(renderTodo(list).split('\n')).toEqual([
      '1. ✓ Read',
      '2. ✓ Write (exists, 312 bytes)',
      '3. ✓ Test (unproved)',
      '4. ◎ Ship',
      '5. ✗ Ask',
      '6. — Sing',
      '7. ○ Look (read_file)',
      '8. ○ Dig (agent reader)',
    ]);
    expect(summarizeTodo(list)).toBe('3 of 8 steps done, 1 failed. Now: 4. Ship');
  });

  it('says in one line what is next, and nothing where there is no list', () => {
    expect(summarizeTodo(todoOf({ status: 'done' }, { text: 'Write' }))).toBe(
      '1 of 2 steps done. Next: 2. Write',
    );
    expect(summarizeTodo(todoOf({ status: 'done' }))).toBe('1 of 1 steps done.');
    expect(summarizeTodo({ steps: [] })).toBe('');
  });

  it('keeps what is known of a step whose words stay the same when it is set anew', () => {
    const before = todoOf({ text: 'Read', status: 'done', evidence, check }, { text: 'Write' });
    const after = setSteps(before, [' Read ', 'Rest', '', 'Rest']);
    expect(after).toMatchObject({
      ok: true,
      todo: {
        steps: [
          { id: 'step_1', evidence },
          { id: 'step_3', text: 'Rest', status: 'pending' },
        ],
      },
    });
  });

  it('is not set to nothing, or to more than a list can be', () => {
    expect(setSteps(todoOf({}), [' '])).toMatchObject({ ok: false });
    expect(
      setSteps(
        todoOf({}),
        Array.from({ length: 31 }, (_, index) => String(index)),
      ),
    ).toMatchObject({
      ok: false,
    });
  });
});

describe('step validation', () => {
  it('blocks done without words that prove it, and says what is missing (E6, Q14)', () => {
    const change = setStatus(todoOf({}), done());
    expect(change).toMatchObject({
      ok: false,
      reason: expect.stringContaining('validation is missing') as string,
    });
  });

  it('blocks done with blank words (E6)', () => {
    expect(setStatus(todoOf({}), done({ validation: '  ' }))).toMatchObject({ ok: false });
  });

  it('lets done through with words or with evidence (E6)', () => {
    expect(setStatus(todoOf({}), done({ validation: 'tests pass' }))).toMatchObject({
      todo: { steps: [{ status: 'done', validation: 'tests pass' }] },
    });
    expect(setStatus(todoOf({ status: 'done', evidence }), done())).toMatchObject({ ok: true });
  });

  it.each(['failed', 'skipped', 'in_progress', 'pending'] as const)(
    'done is not validated by words said with an earlier %s (audit-A1, E6)',
    (status) => {
      const said = setStatus(todoOf({}), done({ status, validation: 'no such file' }));
      expect(said).toMatchObject({ ok: true, todo: { steps: [{ status, validation: 'no such file' }] } });
      if (!said.ok) return;
      expect(setStatus(said.todo, done())).toMatchObject({ ok: false });
      const unguarded = setStatus(said.todo, done({ mustValidate: false }));
      expect(unguarded).toMatchObject({ todo: { steps: [{ status: 'done', validation: null }] } });
    },
  );

  it('whatever was said before, a step becomes done only with own words or evidence (audit-A1)', () => {
    const statuses = fc.constantFrom<StepStatus>('pending', 'in_progress', 'done', 'failed', 'skipped');
    const words = fc.option(fc.constantFrom('seen', 'it broke', ' '), { nil: undefined });
    fc.assert(
      fc.property(fc.array(fc.tuple(statuses, words), { maxLength: 8 }), (changes) => {
        let todo = todoOf({});
        for (const [status, validation] of changes) {
          const before = todo.steps[0]?.status;
          const change = setStatus(todo, done({ status, validation }));
          const becomesDone = status === 'done' && before !== 'done';
          expect(change.ok).toBe(!becomesDone || Boolean(validation?.trim()));
          if (change.ok) todo = change.todo;
        }
      }),
    );
  });

  it('a done step stays done with its words when it is marked again without any (audit-A1)', () => {
    const again = setStatus(todoOf({ status: 'done', validation: 'tests pass' }), done());
    expect(again).toMatchObject({ todo: { steps: [{ status: 'done', validation: 'tests pass' }] } });
  });

  it.each(['failed', 'skipped', 'in_progress', 'pending'] as const)('never blocks %s (Q14)', (status) => {
    expect(setStatus(todoOf({}), done({ status }))).toMatchObject({
      ok: true,
      todo: { steps: [{ status }] },
    });
  });

  it('asks for nothing where it is off (E6)', () => {
    expect(setStatus(todoOf({}), done({ mustValidate: false }))).toMatchObject({ ok: true });
  });
});

describe('a change of status', () => {
  it('drops the evidence of a step that is not done any more', () => {
    const change = setStatus(todoOf({ status: 'done', evidence }), done({ status: 'failed' }));
    expect(change).toMatchObject({ todo: { steps: [{ status: 'failed', evidence: null }] } });
  });

  it.each([0, -1, 3, 1.5])('refuses the number %d and names those that exist', (index) => {
    expect(setStatus(todoOf({}, {}), done({ index }))).toMatchObject({
      ok: false,
      reason: `there is no step ${String(index)}; they are numbered 1 to 2`,
    });
  });
});

describe("a subagent's plan", () => {
  const parent = addChildren(todoOf({}, {}, {}), 'step_2', [stepOf(1), stepOf(2)]);

  it("stands below the parent's step and leaves the parent's own steps and numbers as they are (P2)", () => {
    expect(parent.steps.map(({ id, parentId }) => [id, parentId])).toEqual([
      ['step_1', null],
      ['step_2', null],
      ['step_2.step_1', 'step_2'],
      ['step_2.step_2', 'step_2'],
      ['step_3', null],
    ]);
    expect(setStatus(parent, done({ index: 3, mustValidate: false }))).toMatchObject({
      todo: { steps: [{}, {}, {}, {}, { id: 'step_3', status: 'done' }] },
    });
    expect(renderTodo(parent)).toContain('2. ○ Do 2 (0 of 2 parts done)');
  });

  it('is a list of its own for the subagent, and goes back to its place (P2)', () => {
    const own = childTodo(parent, 'step_2');
    expect(own).toEqual(todoOf({}, {}));
    expect(addChildren(parent, 'step_2', own.steps)).toEqual(parent);
    const grown = setSteps(own, ['Do 1', 'New']);
    const back = grown.ok ? addChildren(parent, 'step_2', grown.todo.steps) : parent;
    expect(new Set(back.steps.map(({ id }) => id)).size).toBe(5);
  });

  it('shows how many of its parts are done in the line of the step (audit-A14)', () => {
    const parts = [stepOf(1, { status: 'done' }), stepOf(2, { status: 'failed' }), stepOf(3)];
    expect(renderTodo(addChildren(todoOf({}), 'step_1', parts))).toBe('1. ○ Do 1 (1 of 3 parts done)');
  });

  it('changes nothing where the step is gone', () => {
    expect(addChildren(todoOf({}), 'step_9', [stepOf(1)])).toEqual(todoOf({}));
  });

  it('is no failure of the parent when one of its steps fails, but is progress', () => {
    const after = addChildren(parent, 'step_2', [stepOf(1, { status: 'failed' }), stepOf(2)]);
    expect(newlyFailed(parent, after)).toEqual([]);
    expect(progressOf(after)).not.toBe(progressOf(parent));
  });
});

describe('progress', () => {
  it('is made by steps that end, that are proved or that are planned anew (Q11)', () => {
    const list = todoOf({}, {});
    const changed = [
      todoOf({ status: 'done' }, {}),
      todoOf({ status: 'failed' }, {}),
      todoOf({ status: 'skipped' }, {}),
      todoOf({ status: 'done', evidence }, {}),
      todoOf({ text: 'Other' }, {}),
      todoOf({}, {}, {}),
    ];
    expect(new Set([list, ...changed].map(progressOf)).size).toBe(7);
  });

  it('is not made by beginning a step, and is nothing where no step is open (Q11)', () => {
    expect(progressOf(todoOf({ status: 'in_progress' }, {}))).toBe(progressOf(todoOf({}, {})));
    expect(progressOf({ steps: [] })).toBe('');
    expect(progressOf(todoOf({ status: 'done' }))).toBe('');
  });

  it('names each newly failed step once, by its number (Q13)', () => {
    const before = todoOf({ status: 'failed' }, {}, {});
    const after = todoOf({ status: 'failed' }, { status: 'failed' }, {});
    expect(newlyFailed(before, after).map(({ index }) => index)).toEqual([2]);
    expect(newlyFailed(after, after)).toEqual([]);
  });
});

const byTool: Partial<PlanStep> = { executor: { kind: 'tool', tool: 'read_file' } };
const own: Partial<PlanStep> = { executor: { kind: 'self' } };
const afterAnswer = (...changes: Partial<PlanStep>[]) =>
  closeLastStep(todoOf(...changes)).steps.map(({ status }) => status);

describe('an answer', () => {
  it('is the last step of its own, once it alone is open', () => {
    expect(afterAnswer({ ...byTool, status: 'done' }, own)).toEqual(['done', 'done']);
    expect(afterAnswer({ ...byTool, status: 'failed' }, { ...own, status: 'in_progress' })).toEqual([
      'failed',
      'done',
    ]);
  });

  it('is no other step: not the work before it, not several at once, nothing that a check would prove', () => {
    expect(afterAnswer(byTool, own)).toEqual(['pending', 'pending']);
    expect(afterAnswer(own, own)).toEqual(['pending', 'pending']);
    expect(afterAnswer(own, { ...byTool, status: 'done' })).toEqual(['pending', 'done']);
    expect(afterAnswer({ ...own, check })).toEqual(['pending']);
  });
});
