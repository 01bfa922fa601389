/** A planned task in the middle of its work: what was done is behind its steps, and a command runs. */
import type { PlanStep, SessionSnapshot } from '../../protocol/model.ts';
import { openSession } from './fixtures.ts';
import { agentRun, askedInAgent, delegate, planned, question, written } from './plan-fixtures.ts';
import { reportStory } from './story.ts';

/** Its fifth step runs a command, or asks for it. */
export function plannedCommandSession(now: number, asks = false): SessionSnapshot {
  const story = reportStory(now);
  story.turn(question, {
    status: 'running',
    phase: asks ? 'approval' : 'tool',
    phaseSince: now - 27_000,
    startedAt: now - 225_000,
    endedAt: null,
    closed: false,
    iterations: 9,
  });
  const plain = planned.map((step) => ({ ...step, milestone: null }));
  story.say({ kind: 'plan', text: written, analysis: '', review: null, steps: plain });
  const command = 'npm test -- lease --repeat 200';
  const ran = { kind: 'command', command, exitCode: 1, signal: null } as const;
  story.call('run_command', command, { display: ran, state: 'failed', sandboxed: true, runMs: 40_800 });
  story.call('todo', 'done 1');
  story.call('read_file', 'src/queue/lease.ts', { runMs: 40 });
  story.call('todo', 'done 2');
  delegate(
    story,
    'call_agent',
    agentRun(now, { state: 'ended', stopReason: 'completed', endedAt: now - 60_000 }),
  );
  story.call('todo', 'done 3');
  story.call('edit_file', 'src/queue/lease.ts', { runMs: 30 });
  story.call('edit_file', 'src/queue/heartbeat.ts', { runMs: 30 });
  story.call('todo', 'done 4');
  story.call('run_command', command, {
    state: asks ? 'awaiting_approval' : 'running',
    completedAt: null,
    runMs: null,
    sandboxed: true,
    ...(asks
      ? {
          approval: {
            ...askedInAgent(now),
            id: 'approval_run',
            summary: command,
            scopes: ['once', 'session'],
          },
        }
      : {
          output:
            'run 129  ✓ lease.test.ts (14)  206 ms\nrun 130  ✓ lease.test.ts (14)  203 ms\nrun 131  …\n',
        }),
  });
  const proofs = ['11 of 200 failed', 'lease.ts, 214 lines', 'heartbeat.ts, line 31', '2 files'];
  const steps = plain.map((step, at): PlanStep => {
    const proof = proofs[at];
    if (proof !== undefined) return { ...step, status: 'done', evidence: { text: proof, at: now } };
    return at === 4 ? { ...step, status: 'in_progress' } : step;
  });
  return story.snapshot({ ...openSession, status: asks ? 'asking' : 'running' }, { todo: { steps } });
}
