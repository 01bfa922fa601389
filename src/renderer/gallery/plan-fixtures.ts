/** Planned work: a plan in every state of its steps, subagents in every way they end, summaries, and what steers a turn. */
import type {
  AgentRun,
  AgentStopReason,
  Approval,
  NoteKind,
  PlanStep,
  SessionSnapshot,
  Todo,
} from '../../protocol/model.ts';
import { openSession } from './fixtures.ts';
import { reportStory, type Story } from './story.ts';

export const question =
  'lease.test.ts fails about one run in twenty. Find out why, fix it, and prove it with 200 runs.';

type Told = Pick<PlanStep, 'text' | 'executor'> & Partial<PlanStep>;

const tool = (name: string) => ({ kind: 'tool', tool: name }) as const;
const self = { kind: 'self' } as const;
const explorer = { kind: 'agent', profileId: 'explorer' } as const;

function steps(told: Told[], milestone: (index: number) => string | null = () => null): PlanStep[] {
  return told.map((step, index) => ({
    id: `step_${index + 1}`,
    milestone: milestone(index),
    status: 'pending',
    check: null,
    validation: null,
    evidence: null,
    parentId: null,
    ...step,
  }));
}

export const planned = steps(
  [
    { text: 'Reproduce it: 200 runs', executor: tool('run_command') },
    { text: 'Read the lease module', executor: tool('read_file') },
    { text: 'Find who else renews leases', executor: explorer },
    { text: 'Use the injected clock everywhere', executor: tool('edit_file') },
    {
      text: 'Run the lease tests 200 times',
      executor: tool('run_command'),
      check: { kind: 'command', command: 'npm test -- lease --repeat 200' },
    },
    { text: 'Say what was wrong', executor: self },
  ],
  (index) => (index < 3 ? 'Understand it' : 'Mend it'),
);

const analysis =
  'The failure is rare, so time or order is a suspect.\nWanted: the cause, a change, and 200 runs that pass.\nREFLECT: yes';
const review =
  'Critic: a single passing run proves nothing.\nPragmatist: reading before changing is enough.\nPlan adjustments: run 200 times before and after.';

export const written = planned
  .map(({ text, executor }, index) => `${index + 1}. ${text} (${executor.kind.toUpperCase()})`)
  .join('\n');

/** The first steps done and proved, the third in work with steps of its own. */
function inWork(now: number): Todo {
  const [first, second, third, ...others] = planned;
  if (!first || !second || !third) return { steps: [] };
  const children = steps([
    { text: 'Search for renew(', executor: self, status: 'done', validation: '7 hits in 4 files' },
    { text: 'Read each caller', executor: self, status: 'in_progress' },
  ]).map((child, index): PlanStep => ({ ...child, id: `child_${index}`, parentId: third.id }));
  return {
    steps: [
      { ...first, status: 'done', evidence: { text: 'exit 1, 11 of 200 failed', at: now } },
      { ...second, status: 'done', evidence: { text: 'exists, 6,312 bytes', at: now } },
      { ...third, status: 'in_progress' },
      ...children,
      ...others,
    ],
  };
}

export function agentRun(now: number, changes: Partial<AgentRun> = {}): AgentRun {
  return {
    id: 'subagent_0123456789ab',
    profileId: 'explorer',
    model: 'qwen3.8:27b',
    task: 'find who else renews leases',
    state: 'running',
    stopReason: null,
    iterations: 3,
    toolCalls: 4,
    outputTokens: 3_180,
    startedAt: now - 18_600,
    endedAt: null,
    ...changes,
  };
}

/** What a subagent did: its items carry the call of its card. */
function work(story: Story, callId: string, finished: boolean): void {
  const inside = { parentCallId: callId };
  story.say({ ...inside, kind: 'thinking', text: 'Whoever calls renew() also keeps a clock.' });
  story.call('search', '\\.renew\\(', { ...inside, runMs: 180 });
  story.call('read_file', 'src/queue/heartbeat.ts', { ...inside, runMs: 60 });
  story.call('read_file', 'src/queue/worker.ts', { ...inside, runMs: 50 });
  story.say({
    ...inside,
    kind: 'note',
    note: 'goal',
    text: 'The goal is still: find who else renews leases.',
  });
  if (finished) {
    story.say({
      ...inside,
      kind: 'text',
      text: '`heartbeat.ts:31` renews too, on the **real** clock. Nothing else does.',
    });
  } else {
    story.call('read_file', 'test/helpers/clock.ts', {
      ...inside,
      state: 'running',
      completedAt: null,
      runMs: null,
    });
  }
}

export function delegate(story: Story, callId: string, agent: AgentRun): void {
  const ended = agent.state === 'ended';
  story.call('spawn_agent', agent.task, {
    callId,
    agent,
    state: ended ? (agent.stopReason === 'failed' ? 'failed' : 'done') : 'running',
    result: ended ? 'It was told to stop. Tools that it called: 3.' : '',
    completedAt: ended ? agent.endedAt : null,
    runMs: null,
  });
}

/** A planned task whose third step a subagent works on. */
export function plannedSession(now: number): SessionSnapshot {
  const story = reportStory(now);
  story.turn(question, {
    status: 'running',
    phase: 'tool',
    phaseSince: now - 2_000,
    endedAt: null,
    closed: false,
    iterations: 3,
  });
  story.say({ kind: 'plan', text: written, analysis, review, steps: planned });
  story.call('run_command', 'npm test -- lease --repeat 200', {
    state: 'failed',
    display: { kind: 'command', command: 'npm test -- lease --repeat 200', exitCode: 1, signal: null },
    sandboxed: false,
    runMs: 40_800,
  });
  story.call('todo', 'done 1');
  story.call('read_file', 'src/queue/lease.ts', { repairs: ['took file_path as path'], runMs: 40 });
  story.call('todo', 'done 2');
  delegate(story, 'call_agent', agentRun(now));
  work(story, 'call_agent', false);
  story.usage({});
  story.usage({ cachedTokens: 8_280, evaluatedTokens: 1_204, outputTokens: 310, promptMs: 1_400 });
  story.usage({
    parentCallId: 'call_agent',
    iteration: 0,
    promptTokens: 3_900,
    cachedTokens: 1_640,
    evaluatedTokens: 2_260,
    outputTokens: 3_180,
    promptMs: 2_700,
  });
  return story.snapshot({ ...openSession, status: 'running' }, { todo: inWork(now) });
}

/** What a session that only plans came to. @param isTaken the person approved it, with a step of their own. */
export function proposedPlanSession(now: number, isTaken = false): SessionSnapshot {
  const story = reportStory(now);
  story.turn(question, { status: 'finished' });
  story.call('read_file', 'src/queue/lease.ts', { runMs: 40 });
  story.say({
    kind: 'text',
    text: 'The lease is renewed on two clocks: `heartbeat.ts` uses the real one, the tests an injected one.',
  });
  const steps = planned.map((step) => ({ ...step, milestone: null }));
  story.say({ kind: 'plan', text: written, analysis: '', review: null, steps, proposed: true });
  if (isTaken) {
    const carriedOut = steps.slice(1);
    story.turn('Carry out the plan.', {
      status: 'running',
      phase: 'text',
      endedAt: null,
      closed: false,
      plan: { itemId: 'item_3', steps: carriedOut },
    });
    story.say({ kind: 'plan', text: '', analysis: '', review: null, steps: carriedOut });
  }
  return story.snapshot(
    { ...openSession, status: isTaken ? 'running' : 'idle', approvals: isTaken ? 'auto_read' : 'plan_only' },
    isTaken ? { todo: { steps: steps.slice(1) } } : {},
  );
}

/** The first phase of planning; nothing of the answer is there yet. */
export function planningSession(now: number): SessionSnapshot {
  const story = reportStory(now);
  story.turn(question, {
    status: 'running',
    phase: 'prefill',
    phaseSince: now - 3_400,
    startedAt: now - 3_500,
    endedAt: null,
    closed: false,
    planning: 1,
  });
  return story.snapshot({ ...openSession, status: 'running' }, { context: null });
}

export function askedInAgent(now: number): Approval {
  return {
    id: 'approval_agent',
    tool: 'run_command',
    risk: 'execute',
    summary: 'npm test -- heartbeat',
    mutates: 'Can change files in this folder',
    why: 'In the sandbox it changes this folder alone, and has no network.',
    where: '/home/ada/code/kiln',
    sandboxed: true,
    scopes: ['once'],
    requestedAt: now - 14_000,
  };
}

/** A subagent asks, although its card was folded. */
export function agentAskingSession(now: number): SessionSnapshot {
  const story = reportStory(now);
  story.turn(question, {
    status: 'running',
    phase: 'approval',
    phaseSince: now - 14_000,
    endedAt: null,
    closed: false,
  });
  delegate(story, 'call_agent', agentRun(now));
  work(story, 'call_agent', true);
  story.call('run_command', 'npm test -- heartbeat', {
    parentCallId: 'call_agent',
    state: 'awaiting_approval',
    completedAt: null,
    runMs: null,
    approval: askedInAgent(now),
  });
  return story.snapshot({ ...openSession, status: 'asking' });
}

const endings: AgentStopReason[] = [
  'completed',
  'iteration_limit',
  'output_limit',
  'timeout',
  'stopped',
  'stalled',
  'failed',
];

/** What its log says of an end that came from outside. */
function sayEnd(story: Story, parentCallId: string, stopReason: AgentStopReason): void {
  if (stopReason === 'stopped') {
    story.say({
      parentCallId,
      kind: 'stopped',
      closedMs: 15,
      model: 'qwen3.8:27b',
      stillLoaded: true,
      vramBytes: null,
      during: 'text',
    });
  } else if (stopReason === 'failed') {
    const message = 'The answer broke off.';
    story.say({ parentCallId, kind: 'error', code: 'stream_broken', message, advice: '' });
  }
}

const notes: [note: NoteKind, text: string][] = [
  ['budget', '7 steps are left. Bring the work to an end.'],
  ['goal', `The goal is still: ${question} 3 of 6 steps done. Next: 4. Use the injected clock everywhere.`],
  ['stall', 'No step was finished in the last 8 iterations. Finish one, or try another way.'],
  ['replan', 'Step 4 (Use the injected clock everywhere) failed: the text occurs twice. Change the steps.'],
  ['repeat', 'The same call failed twice with the same error. It is not run again.'],
  ['evidence', 'Step 2: src/queue/lease.ts exists, 6,312 bytes.'],
  ['memory', 'Kept: Ada runs the tests with npm test -- lease.'],
  ['constrained', 'qwen2.5:0.5b calls tools by a fixed form from here on.'],
  ['window', 'The window is 84 % full. Older turns are summarised before it is full.'],
  ['reask', 'The answer was empty. Asked again.'],
  ['lost_call', 'The engine lost a call of 212 tokens. Asked again.'],
  ['reload', 'qwen3.8:27b was reloaded with another context.'],
  ['date', 'Saturday, 14 November 2026, 10:04'],
  [
    'fan_out',
    '3 subagents, one after another on the one GPU: about 2.4k tokens to read before they begin, about 3 s.',
  ],
  [
    'context_size',
    'How much context lab/mixtral holds is unknown, so 8,192 tokens are used. If it holds more, set the context in the profile Developer.',
  ],
  ['too_many_calls', 'The model made 20,000 calls in one reply. Only the first 32 ran; 19,968 did not.'],
  ['unproven', 'Nothing was changed or run.'],
  ['unrun', 'No command was run.'],
  ['only_ran', 'Only a command was run.'],
  ['all_failed', 'Every command ended with an error.'],
  ['guessed', 'Error: There is no saddle.md.'],
  ['toolless', 'No tool fits these words.'],
  [
    'instructions',
    'This folder has instructions or skills for agents. Trust the folder in the settings, under Connections, to use them.',
  ],
];

/** Every way a step stands, a subagent ends, a summary was made, and a note speaks. */
export function everythingPlanned(now: number): SessionSnapshot {
  const story = reportStory(now);
  const todo = reportPlanned(story, now);
  return story.snapshot(openSession, { todo });
}

/** The same as part of another story. */
export function reportPlanned(story: Story, now: number): Todo {
  story.turn('A first try, that was edited later.', { replaced: true });
  story.say({ kind: 'text', text: 'An answer that another one has replaced, with `code` in it.' });
  story.turn('And what came after it.', { replaced: true });
  story.say({ kind: 'text', text: 'Also kept.' });

  story.turn('Every state of a step.', { status: 'max_iterations', iterations: 20 });
  const all = steps([
    { text: 'Done and seen', executor: tool('run_command'), status: 'done' },
    { text: 'Done, the model says why', executor: self, status: 'done' },
    { text: 'Done without what would prove it', executor: tool('write_file'), status: 'done' },
    { text: 'In work when the turn ended', executor: explorer, status: 'in_progress' },
    { text: 'Failed, with a reason that is a good deal longer than its column', executor: self },
    { text: 'Skipped', executor: self, status: 'skipped' },
    { text: 'Waits', executor: self },
    { text: 'Taken off the list', executor: self },
  ]).map((step) => ({ ...step, id: `state_${step.id}` }));
  story.say({ kind: 'plan', text: written, analysis, review: null, steps: all });
  const stood = all.slice(0, 7).map((step, index): PlanStep => {
    if (index === 0) return { ...step, evidence: { text: 'exit 0', at: now } };
    if (index === 1) return { ...step, validation: 'the readme says so' };
    if (index === 2) return { ...step, check: { kind: 'file_exists', path: 'notes.md' } };
    if (index === 4) {
      return { ...step, status: 'failed', validation: 'the text to replace occurs on lines 47 and 112' };
    }
    return step;
  });
  story.say({ kind: 'text', text: 'The part that was written before the limit.' });
  story.usage({});

  story.turn('Every end of a subagent.');
  for (const [index, stopReason] of endings.entries()) {
    const callId = `call_end_${index}`;
    const ended = { state: 'ended', stopReason, endedAt: now - 2_000 } as const;
    delegate(story, callId, agentRun(now, ended));
    work(story, callId, true);
    sayEnd(story, callId, stopReason);
  }
  delegate(
    story,
    'call_waits',
    agentRun(now, { state: 'waiting', toolCalls: 0, outputTokens: null, model: null }),
  );
  story.usage({});
  story.usage({ parentCallId: 'call_end_0', outputTokens: 3_180 });

  story.turn('Summaries.');
  const summary = {
    kind: 'summary',
    text: 'Ada wants the lease test to stop failing.\n- renew() reads the real clock, isExpired() the injected one.\n- lease.ts was changed; 200 runs passed.',
    by: 'model',
    beforeTokens: 12_100,
    afterTokens: 3_400,
    generation: 2,
    undone: false,
  } as const;
  story.say({ ...summary, undone: true });
  story.say({ ...summary, by: 'rules', generation: 3, beforeTokens: 15_930, afterTokens: 8_004 });
  story.say(summary);

  story.turn('Every note, between messages and between calls.');
  for (const [note, text] of notes) story.say({ kind: 'note', note, text });
  story.call('search', 'Date.now', {});
  for (const [note, text] of notes.slice(1, 4)) story.say({ kind: 'note', note, text });
  story.call('read_file', 'src/queue/lease.ts', {
    repairs: ['read from a code fence', 'took file_path as path'],
  });
  return { steps: stood };
}
