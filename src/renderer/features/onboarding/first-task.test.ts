import { expect, test } from 'vitest';
import type { SessionSnapshot } from '../../../protocol/model.ts';
import { anItem, aPlanStep, aSnapshot, aTurn } from '../../testing/fixtures.ts';
import { taskHint, type TaskHint } from './first-task.ts';

const running = aTurn({ status: 'running', phase: 'prefill' });
const steps = { todo: { steps: [aPlanStep()] } };
const asked = anItem('tool', { decision: 'allow' });

test.each<[what: string, state: Partial<SessionSnapshot> | null, hint: TaskHint | null]>([
  ['nothing is known of the session', null, null],
  ['no turn has begun', { turns: [aTurn({ status: 'queued' })] }, null],
  ['the turn has just begun', { turns: [running] }, 'begins'],
  ['the plan is there', { turns: [running], ...steps }, 'works'],
  ['it asks', { turns: [aTurn({ status: 'running', phase: 'approval' })], ...steps }, 'asks'],
  ['it was asked, so now is the moment to stop', { turns: [running], items: [asked], ...steps }, 'stop'],
  ['something long was sent to be stopped', { turns: [aTurn({ id: 'turn_0' }), running] }, 'stop'],
  ['it is being stopped', { turns: [aTurn({ status: 'running', phase: 'stopping' })] }, null],
  ['it was stopped', { turns: [aTurn({ status: 'stopped' })] }, 'stopped'],
  ['it is done', { turns: [aTurn({ status: 'finished' })] }, 'finished'],
  ['it failed', { turns: [aTurn({ status: 'failed' })] }, 'failed'],
  ['its steps ran out', { turns: [aTurn({ status: 'max_iterations' })] }, 'failed'],
])('%s', (_, state, hint) => {
  expect(taskHint(state && aSnapshot(state))).toBe(hint);
});
