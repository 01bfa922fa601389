import { describe, expect, it } from 'vitest';
import type { StepCheck } from '../../protocol/plan.ts';
import {
  applyEvidence,
  checksAfter,
  describeEvidence,
  fileSeen,
  looksOf,
  textSeen,
  withoutEmptyChecks,
  type RanCall,
} from './evidence.ts';
import { todoOf } from './testing.ts';

const file: StepCheck = { kind: 'file_exists', path: 'a' };
const test: StepCheck = { kind: 'command', command: 'npm  test' };
const evidence = { text: 'exit 0', at: 1 };

const ran = (changes: Partial<RanCall> = {}): RanCall => ({
  tool: 'run_command',
  args: {},
  mutates: true,
  command: null,
  exitCode: null,
  ...changes,
});

describe('the checks that are due after a call', () => {
  it('are files and texts of open steps once something may have changed', () => {
    const text: StepCheck = { kind: 'text_present', path: 'b', text: 'x' };
    const list = todoOf(
      { check: file },
      { check: text, status: 'in_progress' },
      {},
      { check: file, evidence },
    );
    expect(checksAfter(list, ran()).looks).toEqual([
      { stepId: 'step_1', check: file },
      { stepId: 'step_2', check: text },
    ]);
    expect(checksAfter(list, ran({ mutates: false })).looks).toEqual([]);
  });

  it('are also those of steps that the model calls done, and never of those that it gave up', () => {
    const list = todoOf(
      { check: file, status: 'done' },
      { check: file, status: 'failed' },
      { check: file, status: 'skipped' },
    );
    expect(checksAfter(list, ran({ mutates: false })).looks).toEqual([{ stepId: 'step_1', check: file }]);
    expect(checksAfter(list, ran()).looks).toHaveLength(1);
  });

  it('are answered by the very command, whatever its white space, and by no other', () => {
    const list = todoOf({ check: test });
    expect(checksAfter(list, ran({ command: ' npm test\n', exitCode: 0 })).results).toEqual([
      { stepId: 'step_1', passed: true, text: 'exit 0' },
    ]);
    for (const command of ['npm test -- a', 'echo npm test', 'NPM test', 'npm test; true'])
      expect(checksAfter(list, ran({ command, exitCode: 0 })).results).toEqual([]);
  });

  it('prove only the first of several open steps with the same command', () => {
    const { results } = checksAfter(
      todoOf({ check: test }, { check: test }),
      ran({ command: 'npm test', exitCode: 0 }),
    );
    expect(results.map(({ stepId }) => stepId)).toEqual(['step_1']);
  });

  it('prove every step that was called done when their command succeeds (audit-A14)', () => {
    const list = todoOf({ check: test, status: 'done' }, { check: test, status: 'done' }, { check: test });
    const { results } = checksAfter(list, ran({ command: 'npm test', exitCode: 0 }));
    expect(results.map(({ stepId }) => stepId)).toEqual(['step_1', 'step_2', 'step_3']);
  });

  it('say that a command failed or did not end', () => {
    const list = todoOf({ check: test });
    expect(checksAfter(list, ran({ command: 'npm test', exitCode: 2 })).results).toEqual([
      { stepId: 'step_1', passed: false, text: 'exit 2' },
    ]);
    expect(checksAfter(list, ran({ command: 'npm test' })).results[0]?.passed).toBe(false);
  });
});

describe('evidence', () => {
  const passed = { stepId: 'step_1', passed: true, text: fileSeen(312) };
  const failed = { stepId: 'step_1', passed: false, text: 'exit 1' };

  it('ticks an open step and says what was seen', () => {
    expect(applyEvidence(todoOf({ check: file }, {}), [passed], 7)).toEqual(
      todoOf({ check: file, status: 'done', evidence: { text: 'exists, 312 bytes', at: 7 } }, {}),
    );
    expect(textSeen(3)).toBe('found in line 3');
  });

  it('words of an earlier start do not stay with a step that its check ticks (audit-A1)', () => {
    const said = 'I will look for it';
    const [ticked] = applyEvidence(todoOf({ check: file, validation: said }), [passed], 7).steps;
    expect(ticked).toMatchObject({ status: 'done', validation: null });
    const [proved] = applyEvidence(
      todoOf({ check: file, status: 'done', validation: said }),
      [passed],
      7,
    ).steps;
    expect(proved).toMatchObject({ validation: said, evidence: { at: 7 } });
  });

  it('proves a step that the model called done; without it that step stays done and unproved', () => {
    const list = todoOf({ check: file, status: 'done' });
    expect(applyEvidence(list, [failed], 7)).toEqual(list);
    expect(applyEvidence(list, [passed], 7).steps[0]?.evidence).toMatchObject({ at: 7 });
  });

  it('is taken back when the same command fails later', () => {
    const list = todoOf({ check: test, status: 'done', evidence });
    const { results } = checksAfter(list, ran({ command: 'npm test', exitCode: 1 }));
    const after = applyEvidence(list, results, 9);
    expect(after.steps[0]).toMatchObject({ status: 'done', evidence: null });
    expect(describeEvidence(list, after)).toBe('Step 1 (Do 1) is no longer proved: its check fails now.');
  });

  it.each(['failed', 'skipped'] as const)('does not bring back a step that is %s', (status) => {
    const list = todoOf({ check: file, status });
    expect(applyEvidence(list, [passed], 7)).toEqual(list);
  });

  it('keeps its time when the same is seen again', () => {
    const list = todoOf({ check: file, status: 'done', evidence });
    expect(applyEvidence(list, [passed], 7)).toEqual(list);
  });

  it('is told to the model once', () => {
    const list = todoOf({}, { check: file });
    const after = applyEvidence(list, [{ ...passed, stepId: 'step_2' }], 7);
    expect(describeEvidence(list, after)).toBe('Step 2 (Do 2) is done: exists, 312 bytes.');
    expect(describeEvidence(after, after)).toBeNull();
  });

  it('is no evidence where it was there before the work: such a check is dropped', () => {
    const { steps } = todoOf({ check: file }, { check: file }, { check: test });
    expect(looksOf(steps).map(({ stepId }) => stepId)).toEqual(['step_1', 'step_2']);
    expect(withoutEmptyChecks(steps, [passed, { ...failed, stepId: 'step_2' }])).toEqual(
      todoOf({}, { check: file }, { check: test }).steps,
    );
  });
});
