/** What turns said as they opened, and the steps that come of it. */
import type { PlanStep, SessionSnapshot, TurnScope } from '../../protocol/model.ts';
import { openSession } from './fixtures.ts';
import { diffDisplay, fileDisplay } from './session-fixtures.ts';
import { reportStory } from './story.ts';

const looking: TurnScope = {
  change: false,
  run: false,
  steps: [
    { act: 'look', what: 'src/queue/retry.ts' },
    { act: 'answer', what: 'why the delay is doubled' },
  ],
};

/** Earlier turns of each kind, and a newest one that was taken for a question although it asks for a change. */
export function lookingSession(now: number): SessionSnapshot {
  const story = reportStory(now);
  story.turn('Which files read the retry delay?', { scope: looking });
  story.call('search', 'retryDelay', { runMs: 40 });
  story.say({ kind: 'text', text: '`worker.ts` and `heartbeat.ts` read it; nothing else does.' });
  story.turn('Write a test for it.', { scope: { ...looking, change: true } });
  story.say({ kind: 'text', text: 'The test is in `retry.test.ts`.' });
  story.turn('Run it.', { scope: { ...looking, run: true } });
  story.say({ kind: 'text', text: '31 passed.' });
  story.turn('The retry delay is doubled once too often.', { scope: looking });
  story.call('read_file', 'src/queue/retry.ts', { display: fileDisplay, runMs: 40 });
  story.say({
    kind: 'text',
    text: 'I have fixed it: the delay is now doubled only between retries, so the first wait is 200 ms.',
  });
  story.say({ kind: 'note', note: 'unproven', text: 'Nothing was changed or run.' });
  story.usage({});
  return story.snapshot(openSession);
}

const step = (number: number, text: string, changes: Partial<PlanStep> = {}): PlanStep => ({
  id: `scope_${number}`,
  text,
  milestone: null,
  executor: { kind: 'self' },
  status: 'pending',
  check: null,
  validation: null,
  evidence: null,
  parentId: null,
  ...changes,
});

/** Its second step is in work; Andiron keeps the list. */
export function steppedSession(now: number): SessionSnapshot {
  const story = reportStory(now);
  story.turn('The retry delay is doubled once too often. Fix it and run the tests.', {
    status: 'running',
    phase: 'call',
    phaseSince: now - 2_000,
    endedAt: null,
    closed: false,
    scope: {
      change: true,
      run: true,
      steps: [
        { act: 'look', what: 'read src/queue/retry.ts' },
        { act: 'change', what: 'double the delay only between retries' },
        { act: 'run', what: 'npm test' },
        { act: 'answer', what: 'say what was wrong' },
      ],
    },
  });
  const steps = [
    step(1, 'read src/queue/retry.ts', {
      status: 'done',
      evidence: {
        text: 'read src/queue/retry.ts and every file that it imports, 41 lines of 260 in all',
        at: now,
      },
    }),
    step(2, 'double the delay only between retries', { status: 'in_progress' }),
    step(3, 'npm test'),
    step(4, 'say what was wrong'),
  ];
  story.say({ kind: 'plan', source: 'host', text: '', analysis: '', review: null, steps });
  story.call('read_file', 'src/queue/retry.ts', { display: fileDisplay, runMs: 40 });
  story.call('edit_file', 'src/queue/retry.ts', {
    state: 'running',
    display: diffDisplay,
    completedAt: null,
    runMs: null,
  });
  return story.snapshot({ ...openSession, status: 'running' }, { todo: { steps } });
}
