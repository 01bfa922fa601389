/** Sessions at the moments that matter, and one that holds every item kind and every tool state. */
import type {
  Approval,
  ItemOf,
  Prefill,
  SessionSnapshot,
  SessionSummary,
  ToolDisplay,
  ToolItem,
} from '../../protocol/model.ts';
import { openSession } from './fixtures.ts';
import { reportStory, type Story } from './story.ts';

const question = 'Why does lease.test.ts fail about one time in twenty? Find the cause, fix it and prove it.';
const gib = 1024 ** 3;

const leaseFile = `import type { Clock } from './clock.ts';

export class Lease {
  constructor(readonly clock: Clock, readonly ttlMs: number) {}

  renew(): void {
    this.renewedAt = Date.now();
    this.expiresAt = Date.now() + this.ttlMs;
  }
}
`;

export const fileDisplay: ToolDisplay = {
  kind: 'file',
  path: 'src/queue/lease.ts',
  text: leaseFile,
  firstLine: 1,
  lastLine: 11,
  totalLines: 214,
};

export const diffDisplay = {
  kind: 'diff',
  path: 'src/queue/lease.ts',
  added: 3,
  removed: 2,
  hunks: [
    {
      oldStart: 45,
      newStart: 45,
      lines: [
        ' ',
        '   renew(): void {',
        '-    this.renewedAt = Date.now();',
        '-    this.expiresAt = Date.now() + this.ttlMs;',
        '+    const now = this.clock.now();',
        '+    this.renewedAt = now;',
        '+    this.expiresAt = now + this.ttlMs;',
        '   }',
        ' ',
      ],
    },
  ],
} satisfies ToolDisplay;

const matchDisplay: ToolDisplay = {
  kind: 'matches',
  files: 2,
  total: 3,
  truncated: false,
  matches: [
    { path: 'src/queue/lease.ts', line: 47, text: '    this.renewedAt = Date.now();' },
    { path: 'src/queue/lease.ts', line: 48, text: '    this.expiresAt = Date.now() + this.ttlMs;' },
    {
      path: 'src/queue/heartbeat.ts',
      line: 31,
      text: '    if (Date.now() > lease.expiresAt) lease.renew();',
    },
  ],
};

export const listDisplay = {
  kind: 'list',
  entries: ['clock.ts', 'heartbeat.ts', 'lease.ts', 'lease.test.ts', 'worker.ts'],
  total: 11,
  truncated: true,
} satisfies ToolDisplay;

export const command = 'npm test -- lease --repeat 200';
export const commandDisplay = (exitCode: number | null, signal: string | null = null): ToolDisplay => ({
  kind: 'command',
  command,
  exitCode,
  signal,
});
export const testOutput = Array.from(
  { length: 14 },
  (_, run) => `run ${118 + run}  ok  lease.test.ts (14 tests) ${(190 + ((run * 37) % 60)).toString()} ms`,
).join('\n');

export const answer = `### What was wrong

Two clocks. \`renew()\` read the real one, \`isExpired()\` the injected one; a test that ran across a millisecond failed. See [the issue](https://github.com/kiln/kiln/issues/412).

1. \`lease.ts\` takes the time **once**, from the injected clock
2. \`heartbeat.ts\` compares on the same clock
   - it renewed twice before

> A lease is valid until its clock says otherwise.

\`\`\`ts
// the two clocks must not drift apart
it('renews on the injected clock', () => {
  const lease = new Lease(fakeClock(1_000), 500);
  expect(lease.renew(2)).toBe(true);
});
\`\`\`

| Run | Before | After |
|:--|--:|--:|
| 200 times | 11 failed | 0 failed |
| under load | 19 failed | 0 failed |

- [x] cause found
- [ ] the same in \`worker.ts\`, if you want it

---

A name without spaces wraps: \`a-file-name-without-any-space-a-file-name-without-any-space-a-file-name-without-any-space.txt\``;

export function approvalOf(now: number, more: Partial<Approval> = {}): Approval {
  return {
    id: 'approval_1',
    tool: 'run_command',
    risk: 'execute',
    summary: command,
    mutates: 'Can change files in this folder',
    why: 'In the sandbox it changes this folder alone, and has no network.',
    isUsual: true,
    where: '/home/ada/code/kiln',
    sandboxed: true,
    network: 'none',
    scopes: ['once'],
    editable: { argument: 'command', text: command },
    rules: [
      { words: command.split(' '), isExact: true },
      { words: ['npm', 'test'], isExact: false },
    ],
    undo: { kind: 'covered', files: 312, notKept: 1, uncovered: ['.git', 'node_modules'], moreUncovered: 0 },
    requestedAt: now - 14_000,
    ...more,
  };
}

/** The beginning that several moments share: looked around, found it, changed it. */
export function begin(story: Story, turn: Parameters<Story['turn']>[1] = {}): void {
  story.turn(question, turn);
  story.say({
    kind: 'thinking',
    text: 'The test fails rarely, so time is a suspect. I look for clocks first.',
  });
  story.call('search', 'Date.now\\(\\)', { display: matchDisplay, runMs: 180 });
  story.call('read_file', 'src/queue/lease.ts', { display: fileDisplay, runMs: 40 });
  story.call('list_files', 'src/queue', { display: listDisplay, runMs: 20 });
  story.say({
    kind: 'text',
    text: '`renew()` reads the real clock, `isExpired()` the injected one. I make both use the injected clock.',
  });
  story.call('edit_file', 'src/queue/lease.ts', { display: diffDisplay, runMs: 30 });
  story.usage({});
  story.usage({
    promptTokens: 9_400,
    cachedTokens: 8_492,
    evaluatedTokens: 908,
    outputTokens: 160,
    promptMs: 1_110,
  });
}

export const busy: SessionSummary = { ...openSession, status: 'running' };

/** A command runs with live output; a message waits. */
export function runningSession(now: number): SessionSnapshot {
  const story = reportStory(now);
  begin(story, { status: 'running', phase: 'tool', phaseSince: now - 27_000, endedAt: null, closed: false });
  story.call('run_command', command, {
    state: 'running',
    output: `${testOutput}\n`,
    sandboxed: false,
    startedAt: now - 27_000,
    completedAt: null,
    runMs: null,
  });
  story.turn('Then write a line for the changelog.', {
    status: 'queued',
    startedAt: null,
    endedAt: null,
    closed: false,
  });
  return story.snapshot(busy);
}

/** The answer streams. */
export function writingSession(now: number): SessionSnapshot {
  const story = reportStory(now);
  begin(story, { status: 'running', phase: 'text', phaseSince: now - 3_000, endedAt: null, closed: false });
  story.call('run_command', command, {
    output: testOutput,
    sandboxed: false,
    display: commandDisplay(0),
    runMs: 40_800,
  });
  story.say({ kind: 'text', text: answer.slice(0, 520), completedAt: null });
  return story.snapshot(busy);
}

/** `call`: what it asks about in place of the usual command. */
export function askingSession(
  now: number,
  call: Partial<ToolItem> & { approval: Approval } = { approval: approvalOf(now) },
): SessionSnapshot {
  const story = reportStory(now);
  begin(story, {
    status: 'running',
    phase: 'approval',
    phaseSince: now - 14_000,
    endedAt: null,
    closed: false,
  });
  story.call(call.approval.tool, call.approval.summary, {
    state: 'awaiting_approval',
    completedAt: null,
    runMs: null,
    ...call,
  });
  return story.snapshot({ ...busy, status: 'asking' });
}

export function prefillSession(now: number, prefill: Partial<Prefill> = {}): SessionSnapshot {
  const story = reportStory(now);
  begin(story);
  story.say({ kind: 'text', text: answer });
  story.turn('And under load? Run the lease tests beside the worker tests.', {
    status: 'running',
    phase: 'prefill',
    phaseSince: now - 6_200,
    startedAt: now - 6_300,
    endedAt: null,
    closed: false,
    prefill: {
      since: now - 6_200,
      promptTokens: 9_920,
      cachedTokens: 1_640,
      readTokens: 5_120,
      secondsLeft: 3.9,
      overrun: false,
      source: 'measured',
      ...prefill,
    },
  });
  return story.snapshot(busy);
}

/** Predicted, and longer than predicted. */
export function latePrefillSession(now: number): SessionSnapshot {
  return prefillSession(now, { source: 'predicted', readTokens: 8_280, secondsLeft: null, overrun: true });
}

export function loadingSession(now: number): SessionSnapshot {
  const story = reportStory(now);
  story.turn(question, {
    status: 'running',
    phase: 'loading',
    phaseSince: now - 3_600,
    startedAt: now - 3_700,
    endedAt: null,
    closed: false,
  });
  return story.snapshot(busy, { context: null });
}

export function stoppedSession(now: number, proof: Partial<ItemOf<'stopped'>> = {}): SessionSnapshot {
  const story = reportStory(now);
  begin(story, { status: 'stopped' });
  story.call('run_command', command, {
    state: 'stopped',
    output: testOutput,
    sandboxed: false,
    display: commandDisplay(null, 'SIGTERM'),
    runMs: 3_200,
  });
  story.say({
    kind: 'stopped',
    closedMs: 38,
    model: 'qwen3.8:27b',
    stillLoaded: true,
    vramBytes: 19.9 * gib,
    during: 'tool',
    promptTokens: 21_480,
    keptTokens: 21_090,
    ...proof,
  });
  return story.snapshot(openSession);
}

/** The answer was stopped, and the engine has not come to rest yet. */
export function finishingSession(now: number): SessionSnapshot {
  return stoppedSession(now, { during: 'text', slot: 'unproved', startedAt: now - 400, completedAt: now });
}

/** The stop cost Ollama its slot; it was loaded again. */
export function curedSession(now: number): SessionSnapshot {
  return stoppedSession(now, { during: 'text', slot: 'cured', reloadMs: 9_100, idleMs: 620 });
}

export function lostSlotSession(now: number): SessionSnapshot {
  return stoppedSession(now, { during: 'text', slot: 'lost', idleMs: null, keptTokens: null });
}

/** A turn that read the whole session again, with the text at which the prompts part. */
export function rereadSession(now: number): SessionSnapshot {
  const story = reportStory(now);
  begin(story);
  story.usage({
    promptTokens: 19_400,
    cachedTokens: 1_640,
    evaluatedTokens: 17_760,
    outputTokens: 96,
    promptMs: 21_660,
    loadMs: 9_100,
    waitedMs: 31_000,
    reading: {
      predictedCached: 1_640,
      cachedTokens: 1_640,
      newTokens: 320,
      rereadTokens: 17_440,
      cause: 'reload',
      owner: 'other_program',
      detail: 'ComfyUI had taken 6.8 GB at 10:38',
      parting: null,
      settledBy: 'engine',
    },
  });
  story.usage({
    promptTokens: 20_100,
    cachedTokens: 19_480,
    evaluatedTokens: 620,
    outputTokens: 210,
    promptMs: 760,
    reading: {
      predictedCached: 20_020,
      cachedTokens: 19_480,
      newTokens: 80,
      rereadTokens: 540,
      cause: 'date_changed',
      owner: 'andiron',
      detail: '',
      parting: {
        before: 'Today is Friday, 13 November 2026.',
        after: 'Today is Saturday, 14 November 2026.',
      },
      settledBy: 'runner',
    },
  });
  story.say({ kind: 'text', text: 'Both read the same clock now; 200 runs passed.' });
  return story.snapshot(openSession);
}

export function failedSession(now: number): SessionSnapshot {
  const story = reportStory(now);
  begin(story, { status: 'failed' });
  story.say({
    kind: 'error',
    code: 'stream_first_token_timeout',
    message: 'No first token within 120 s.',
    advice: 'Ollama answers, but its slot may be lost. Send again, or reload the model.',
  });
  return story.snapshot({ ...openSession, status: 'failed' });
}
