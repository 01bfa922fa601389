import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TurnPermission } from '../../../protocol/model.ts';
import { scopeOf, type Act, type ScopeStep } from '../opening/turn-acts.ts';
import { Steps, unsaidScope, workOf, type EndedCall } from './steps.ts';

const readFile = { name: 'read_file', mutates: false };
const search = { name: 'search', mutates: false };
const glob = { name: 'glob', mutates: false };
const writeFile = { name: 'write_file', mutates: true };
const runCommand = { name: 'run_command', mutates: true };
const tools = { look: readFile, change: writeFile, run: runCommand };
const fine = { ok: true, content: 'lines 1-1 of 1\nhello' };
const failed = { ok: false, content: 'Tool error: no such file' };
const found = { ok: true, content: 'Nothing in src matches teapot.' };

/** Those that a plain profile has. */
type Work = keyof typeof tools;

/** Many calls, more than any step may take. */
const many = 50;

function stepsOf(...acts: Act[]): Steps {
  return allowing([], ...acts);
}

/** The person allowed more than the model had thought of. */
function allowing(allowed: TurnPermission[], ...acts: Act[]): Steps {
  const listed = acts.map((act, at): ScopeStep => ({ act, what: `step ${at + 1}` }));
  return new Steps(scopeOf([...listed, { act: 'answer', what: 'the end' }], allowed), allowed);
}

/** How many calls it takes until another step begins, or until none is forced. */
function callsUntilNext(steps: Steps, tool: typeof readFile, result: typeof fine): number {
  for (let count = 1; count <= many; count += 1) if (steps.ended(tool, result)) return count;
  return Infinity;
}

/** How many failing calls it takes until nothing but this may come. */
function callsUntilOnly(act: Act, steps: Steps, tool: typeof readFile): number {
  for (let count = 0; count <= many; count += 1) {
    if (steps.acts.join() === act) return count;
    steps.ended(tool, failed);
  }
  return Infinity;
}

/** What may come behind a turn's only step. */
function actsAfter(act: Work): readonly string[] {
  const steps = stepsOf(act);
  steps.ended(tools[act], fine);
  return steps.acts.toSorted();
}

test.each([
  ['replace all of a.txt', 'answer'],
  ['old to new in a.txt', 'change'],
  ['write a.txt', 'change'],
])('Where the file of a step to %s cannot be read, what may come is: %s', (what, next) => {
  const steps = new Steps(
    scopeOf(
      [
        { act: 'change', what },
        { act: 'answer', what: 'the end' },
      ],
      [],
    ),
  );
  steps.ended(readFile, failed);
  expect(steps.acts).toEqual([next]);
});

test('A tool runs, changes or looks', () => {
  expect([runCommand, writeFile, readFile, search].map(workOf)).toEqual(['run', 'change', 'look', 'look']);
  expect(workOf({ name: 'run_command', mutates: false })).toBe('run');
});

test.each(['look', 'change', 'run'] as const)(
  'A step that is to %s forces that, and ends with its call',
  (act) => {
    const steps = stepsOf(act);
    expect([steps.acts, steps.now.what]).toEqual([[act], 'step 1']);
    expect(steps.ended(tools[act], fine)).toBe(true);
    expect(steps.now).toEqual({ act: 'answer', what: 'the end' });
    expect(steps.acts).toContain('answer');
  },
);

test('The steps come in the order in which they were listed, each once', () => {
  const acts: Work[] = ['look', 'run', 'change', 'look'];
  const steps = stepsOf(...acts);
  const seen = acts.map((act) => {
    const { now } = steps;
    steps.ended(tools[act], fine);
    return now;
  });
  expect(seen.map(({ act }) => act)).toEqual(acts);
  expect(seen.map(({ what }) => what)).toEqual(['step 1', 'step 2', 'step 3', 'step 4']);
  expect(steps.now.act).toBe('answer');
});

test('A step that looks goes on after names that no file has', () => {
  const steps = stepsOf('look');
  expect(steps.ended(glob, { ok: true, content: 'No file matches *.tsx.' })).toBe(false);
  expect(steps.acts).toEqual(['look']);
  expect(steps.ended(readFile, fine)).toBe(true);
});

test('A step that looks ends with a file whose text only speaks of nothing', () => {
  const steps = stepsOf('look');
  expect(steps.ended(readFile, { ok: true, content: 'lines 1-1 of 1\nNothing in it' })).toBe(true);
});

test('A step that looks ends after a few searches that find nothing, and the next one begins', () => {
  const steps = stepsOf('look', 'look');
  const [first] = steps.scope.steps;
  expect(callsUntilNext(steps, search, found)).toBeLessThanOrEqual(5);
  expect(steps.now).not.toBe(first);
});

test('A search that found neither text nor name leaves only the answer, or the next place to look', () => {
  const alone = stepsOf('look', 'change');
  expect(alone.ended(search, found)).toBe(true);
  expect(alone.acts).toEqual(['answer']);
  const another = stepsOf('look', 'look');
  expect(another.ended(search, found)).toBe(true);
  expect(another.now).toBe(another.scope.steps[1]);
});

test('A step that fails goes on', () => {
  for (const act of ['look', 'change'] as const) {
    const steps = stepsOf(act, 'run');
    expect(steps.ended(tools[act], failed)).toBe(false);
    expect(steps.acts).toEqual([act]);
    expect(steps.ended(tools[act], fine)).toBe(true);
    expect(steps.now.act).toBe('run');
  }
});

test('A command that ends with an error has run', () => {
  const steps = stepsOf('run', 'look');
  expect(steps.ended(runCommand, failed)).toBe(true);
  expect(steps.now.act).toBe('look');
});

test('A step that only fails ends its turn: what follows would build on it', () => {
  const steps = stepsOf('change', 'run');
  expect(callsUntilNext(steps, writeFile, failed)).toBeLessThanOrEqual(5);
  expect(steps.now.act).toBe('answer');
  expect(steps.acts).toContain('answer');
});

test('The failures of one step are not counted for the next', () => {
  const steps = stepsOf('change', 'change', 'run');
  const most = callsUntilNext(stepsOf('change'), writeFile, failed);
  for (let count = 1; count < most; count += 1) steps.ended(writeFile, failed);
  steps.ended(writeFile, fine);
  expect(steps.ended(writeFile, failed)).toBe(false);
  expect(steps.now.what).toBe('step 2');
});

test('A look into a file before it is changed does not end the change', () => {
  const steps = stepsOf('change');
  expect(steps.ended(readFile, fine)).toBe(false);
  expect(steps.acts).toEqual(['change']);
  expect(steps.ended(writeFile, fine)).toBe(true);
});

test('A turn that was to be answered at once is answered', () => {
  expect(stepsOf().acts).toEqual(['answer']);
  expect(stepsOf().now.act).toBe('answer');
});

const unsaid = (): Steps => new Steps(unsaidScope);

test('A turn whose model did not say what it will do may do anything, and answers only after a call', () => {
  const steps = unsaid();
  expect(steps.acts.toSorted()).toEqual(['change', 'look', 'run', 'use']);
  steps.ended(readFile, failed);
  expect(steps.acts.toSorted()).toEqual(['answer', 'change', 'look', 'run', 'use']);
});

test('A turn whose model did not say what it will do comes to its answer', () => {
  const steps = unsaid();
  for (let count = 0; count < many; count += 1) steps.ended(readFile, fine);
  expect(steps.acts).toEqual(['answer']);
  const repeating = unsaid();
  repeating.ended(readFile, fine);
  repeating.repeated(true);
  expect(repeating.acts).toContain('look');
  repeating.repeated(true);
  expect(repeating.acts).toEqual(['answer']);
  const declined = unsaid();
  declined.ended(writeFile, { ...failed, isDeclined: true });
  expect(declined.acts).toEqual(['answer']);
});

test('A turn whose model did not say what it will do has only looked until something was changed or run', () => {
  const steps = unsaid();
  steps.ended(readFile, fine);
  expect([steps.unsaidUndone, steps.isUnproven]).toEqual(['work', false]);
  steps.ended(writeFile, fine);
  expect(steps.unsaidUndone).toBeNull();
  expect(stepsOf('look').unsaidUndone).toBeNull();
});

test('A turn whose model did not say what it will do has done nothing by commands that failed', () => {
  const steps = unsaid();
  steps.ended(runCommand, failed);
  expect(steps.unsaidUndone).toBe('failed');
  steps.ended(readFile, fine);
  expect(steps.unsaidUndone).toBe('failed');
  steps.ended(runCommand, fine);
  expect(steps.unsaidUndone).toBeNull();
});

test('An opening came true when what it was to change and run was, and nobody said no', () => {
  const story = (...ends: [typeof readFile, EndedCall][]): boolean | null => {
    const steps = stepsOf('change', 'run');
    for (const [tool, end] of ends) steps.ended(tool, end);
    return steps.cameTrue;
  };
  expect(story([writeFile, fine], [runCommand, fine])).toBe(true);
  expect(story([writeFile, failed], [writeFile, fine], [runCommand, fine])).toBe(true);
  expect(story([writeFile, fine])).toBe(false);
  expect(story([writeFile, fine], [runCommand, failed])).toBe(false);
  expect(story([writeFile, { ...failed, isDeclined: true }])).toBe(false);
  expect(stepsOf('look').cameTrue).toBeNull();
  expect(stepsOf().cameTrue).toBeNull();
});

test('An answer that is nothing but the words of its opening is an echo', () => {
  const steps = new Steps(scopeOf([{ act: 'answer', what: 'the file' }], []));
  expect([steps.isEcho('the file\n'), steps.isEcho('the file a.txt'), unsaid().isEcho('')]).toEqual([
    true,
    false,
    false,
  ]);
});

test('A file that is not there is not made up for by what a search finds: its change is not made', () => {
  const steps = stepsOf('look', 'change');
  steps.ended(readFile, failed);
  steps.ended(search, { ok: true, content: 'other.txt:1: teapot' });
  expect(steps.acts).toEqual(['answer']);
  expect(steps.missed).toBe(failed.content);
  const close = stepsOf('look', 'change');
  close.ended(readFile, failed);
  close.ended(readFile, fine);
  expect(close.acts).toEqual(['change']);
});

test('A look that names several files ends when the last of them was read', () => {
  const steps = stepsOf('look', 'change');
  expect(steps.ended(readFile, { ...fine, isMoreToRead: true })).toBe(false);
  expect(steps.acts).toEqual(['look']);
  expect(steps.ended(readFile, fine)).toBe(true);
  expect(steps.acts).toEqual(['change']);
});

test('Before its answer a model may look again, and do no other work than its scope names', () => {
  expect(actsAfter('look')).toEqual(['answer', 'look']);
  expect(actsAfter('change')).toEqual(['answer', 'change', 'look']);
  expect(actsAfter('run')).toEqual(['answer', 'look', 'run']);
});

test('What a person allowed besides may be done before the answer', () => {
  const steps = new Steps({
    change: true,
    run: false,
    steps: [
      { act: 'look', what: 'x' },
      { act: 'answer', what: '' },
    ],
  });
  expect(steps.acts).toEqual(['look']);
  steps.ended(readFile, fine);
  expect(steps.acts.toSorted()).toEqual(['answer', 'change', 'look']);
});

test('The steps that a model adds before its answer are few', () => {
  for (const result of [fine, failed, found]) {
    const steps = stepsOf('look');
    steps.ended(readFile, fine);
    let added = 0;
    for (; steps.acts.length > 1 && added < many; added += 1) steps.ended(search, result);
    expect(added).toBeGreaterThan(0);
    expect(added).toBeLessThanOrEqual(4);
    expect(steps.acts).toEqual(['answer']);
  }
});

test('A call that is made once more ends its step, and no step is added after that', () => {
  const steps = stepsOf('look', 'change');
  steps.ended(glob, found);
  steps.repeated(true);
  expect(steps.acts).toEqual(['change']);
  steps.ended(writeFile, fine);
  expect(steps.acts).toEqual(['answer']);
});

test('A change of what was not found is not made, and the turn is unproven', () => {
  for (const miss of [failed, found]) {
    const steps = stepsOf('look', 'change');
    steps.ended(search, miss);
    steps.ended({ name: 'list_files', mutates: false }, fine);
    expect(steps.acts).toEqual(['answer']);
    expect(steps.isUnproven).toBe(true);
  }
});

test('A change follows what was found at the second look', () => {
  const steps = stepsOf('look', 'change');
  steps.ended(glob, found);
  steps.ended(readFile, fine);
  expect(steps.acts).toEqual(['change']);
});

test('A call that had failed and is made once more leaves only the answer', () => {
  const steps = stepsOf('run', 'run', 'change');
  steps.ended(runCommand, failed);
  steps.repeated(false);
  expect(steps.acts).toEqual(['answer']);
});

test('A call that is made once more before the answer leaves only the answer', () => {
  const steps = stepsOf('look');
  steps.ended(readFile, fine);
  steps.repeated(true);
  steps.repeated(true);
  expect(steps.acts).toEqual(['answer']);
  expect(steps.now.what).toBe('the end');
});

test('A turn stays unproven when its change only fails, or is skipped', () => {
  const steps = stepsOf('change');
  callsUntilNext(steps, writeFile, failed);
  expect(steps.now.act).toBe('answer');
  expect(steps.isUnproven).toBe(true);
  const skipped = stepsOf('change');
  skipped.repeated(true);
  expect(skipped.isUnproven).toBe(true);
});

test('A turn is proven by a change that its model adds before the answer', () => {
  const steps = stepsOf('change');
  callsUntilNext(steps, writeFile, failed);
  steps.ended(writeFile, fine);
  expect(steps.isUnproven).toBe(false);
});

test.each([[[]], [['look']]] as const)(
  'A turn that listed only %j does what the person allowed before it answers',
  (acts) => {
    const steps = allowing(['change', 'run'], ...acts);
    for (const _ of acts) steps.ended(readFile, fine);
    expect(steps.acts).toEqual(['look', 'change', 'run']);
    expect(steps.isUnproven).toBe(true);
    steps.ended(readFile, fine);
    expect(steps.acts).not.toContain('answer');
    steps.ended(writeFile, fine);
    expect(steps.acts).toContain('answer');
    expect(steps.isUnproven).toBe(false);
  },
);

test('A turn that may change things looks only so often before it has to', () => {
  const steps = allowing(['change']);
  expect(callsUntilOnly('change', steps, readFile)).toBeLessThanOrEqual(2);
  const repeating = allowing(['change']);
  repeating.repeated(true);
  expect(repeating.acts).toEqual(['change']);
});

test('A turn whose allowed change only fails comes to an answer, unproven', () => {
  const steps = allowing(['change']);
  expect(callsUntilOnly('answer', steps, writeFile)).toBeLessThanOrEqual(4);
  expect(steps.isUnproven).toBe(true);
});

test('A turn whose allowed change is declined only answers', () => {
  const steps = allowing(['change', 'run']);
  steps.ended(writeFile, { ...failed, isDeclined: true });
  expect(steps.acts).toEqual(['answer']);
});

test('Whatever its calls do, a turn comes to its answer after a bounded number of calls', () => {
  const act = fc.constantFrom<Work>('look', 'change', 'run');
  const none = { pick: 0, looks: false, result: failed, repeats: 1 };
  const call = fc.record({
    // Of the tools that a step offers: those of its acts, and reading before a change.
    pick: fc.nat(),
    looks: fc.boolean(),
    result: fc.constantFrom(fine, failed, found),
    repeats: fc.integer({ min: 0, max: 9 }),
  });
  fc.assert(
    fc.property(
      fc.array(act, { maxLength: 4 }),
      fc.subarray<TurnPermission>(['change', 'run']),
      fc.array(call, { minLength: 1, maxLength: 40 }),
      (acts, allowed, calls) => {
        const steps = allowing(allowed, ...acts);
        let forced = 0;
        let free = 0;
        for (let at = 0; steps.acts.some((each) => each !== 'answer') && at < 10 * many; at += 1) {
          const { pick, looks, result, repeats } = calls[at % calls.length] ?? none;
          if (steps.acts.includes('answer')) free += 1;
          else forced += 1;
          const works = steps.acts.filter((each): each is Work => Object.hasOwn(tools, each));
          const work = looks && works.includes('change') ? 'look' : (works[pick % works.length] ?? 'look');
          if (repeats === 0) steps.repeated(true);
          else steps.ended(tools[work], result);
        }
        expect(steps.acts).toEqual(['answer']);
        expect(forced).toBeLessThanOrEqual(6 * acts.length + (allowed.length > 0 ? 4 : 0));
        expect(free).toBeLessThanOrEqual(4);
      },
    ),
  );
});

test('A step stays where it is until it ends, and never goes back', () => {
  const any = fc.tuple(
    fc.constantFrom(readFile, search, writeFile, runCommand),
    fc.constantFrom(fine, failed, found),
  );
  fc.assert(
    fc.property(fc.array(any, { maxLength: 40 }), (calls) => {
      const steps = stepsOf('look', 'change', 'look', 'run');
      let before = steps.now;
      for (const [tool, result] of calls) {
        const isNext = steps.ended(tool, result);
        const [was, is] = [steps.scope.steps.indexOf(before), steps.scope.steps.indexOf(steps.now)];
        expect(isNext ? is > was || before.act === 'answer' : is === was).toBe(true);
        before = steps.now;
      }
    }),
  );
});
