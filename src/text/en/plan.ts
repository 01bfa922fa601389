import { count, plural } from './figures.ts';

/** Plans with their steps, and the subagents that work on them. */
export const plan = {
  label: 'Plan',
  /** Of what the model said as the turn opened, where nothing was planned. */
  steps: 'Steps',
  count: (done: number, steps: number): string => `${count(done)} of ${count(steps)} done`,
  /** Of steps that stand below the work of those before. */
  part: (from: number, to: number): string =>
    from === to ? `Plan step ${count(to)}` : `Plan steps ${count(from)} to ${count(to)}`,
  /** Of a plan whose steps are no longer in the list. */
  replaced: (steps: number): string => `${plural(steps, 'step', 'steps')}, replaced by a later list`,
  /** Of a step that a subagent with this profile works on. */
  subagent: (profile: string): string => `Subagent ${profile}`,
  /** A plan that nothing is done of before the person says so. */
  proposed: {
    waits: 'waits for you',
    taken: 'approved',
    left: 'not carried out',
    note: 'Nothing has changed yet. Edit the steps, or describe changes in a message.',
    approve: 'Carry out the plan',
    approveKey: 'Ctrl Enter',
    approveKeyMac: '⌘ Enter',
    busy: 'The session is still working.',
    empty: 'Add at least one step.',
    full: (steps: number): string => `A plan has at most ${count(steps)} steps.`,
    mode: (mode: string): string => `Approvals from here on: ${mode}`,
    modes: 'Approvals from here on',
    step: (number: number): string => `Step ${count(number)}`,
    up: (number: number): string => `Move step ${count(number)} up`,
    down: (number: number): string => `Move step ${count(number)} down`,
    remove: (number: number): string => `Remove step ${count(number)}`,
    add: 'Add a step',
    restore: 'Discard my changes',
  },
  none: 'no plan was made',
  writing: 'being written',
  unfinished: 'not finished',
  why: 'How it was planned',
  whyReviewed: 'Analysis and review',
  analysis: 'Analysis',
  review: 'Review',
  written: 'As the model wrote it',
  stages: { works: 'working', asks: 'waits for you', over: 'not finished' },
  done: 'done',
  unproved: 'unproved',
  failed: 'failed',
  skipped: 'skipped',
  gone: 'no longer in the list',
  /** While the plan is made, by the phase that runs. */
  phases: {
    1: 'Planning: looking at the task',
    2: 'Planning: reviewing the analysis',
    3: 'Planning: writing the steps',
  },
  /** What stands beside a step that the person ticked. */
  byYou: 'ticked by you',
  actions: (step: string): string => `Actions for the step ${step}`,
  set: { done: 'Mark as done', pending: 'Back to waiting', skipped: 'Skip' },
  remove: 'Remove from the list',
  agents: {
    title: 'Subagents',
    running: (agents: number): string => `${count(agents)} running`,
    ended: (agents: number): string => `${count(agents)} ended`,
    stop: 'Stop agent',
    stopping: 'Stopping',
    head: (profile: string, task: string): string => `${profile}: ${task}`,
    waiting: 'waits for the GPU',
    calls: (calls: number): string => plural(calls, 'call', 'calls'),
    steps: (steps: number): string => plural(steps, 'step', 'steps'),
    tokens: (tokens: number): string => plural(tokens, 'token', 'tokens'),
    /** Of one that did not finish. */
    told: 'What its agent was told',
    reasons: {
      completed: 'done',
      iteration_limit: 'step limit reached',
      output_limit: 'reply cut at its output limit',
      timeout: 'time limit reached',
      stopped: 'stopped by you',
      stalled: 'ended: no progress',
      failed: 'failed',
    },
  },
} as const;
