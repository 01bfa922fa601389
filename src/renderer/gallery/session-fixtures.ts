/** Sessions at the moments that matter, and one that holds every item kind and every tool state. */
import type {
  Approval,
  SessionSnapshot,
  SessionSummary,
  ToolDisplay,
  ToolState,
} from '../../protocol/model.ts';
import { openSession } from './fixtures.ts';
import { tellPlanned } from './plan-fixtures.ts';
import { tellStory, type Story } from './story.ts';

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

const fileDisplay: ToolDisplay = {
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

const listDisplay: ToolDisplay = {
  kind: 'list',
  entries: ['clock.ts', 'heartbeat.ts', 'lease.ts', 'lease.test.ts', 'worker.ts'],
  total: 11,
  truncated: true,
};

const command = 'npm test -- lease --repeat 200';
const commandDisplay = (exitCode: number | null, signal: string | null = null): ToolDisplay => ({
  kind: 'command',
  command,
  exitCode,
  signal,
});
const testOutput = Array.from(
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

function approvalOf(now: number, more: Partial<Approval> = {}): Approval {
  return {
    id: 'approval_1',
    tool: 'run_command',
    risk: 'execute',
    summary: command,
    mutates: 'anything your account may change; it can use the network',
    why: 'Every command asks until commands can be sandboxed.',
    where: '/home/ada/code/kiln',
    sandboxed: false,
    scopes: ['once'],
    requestedAt: now - 14_000,
    ...more,
  };
}

/** The beginning that several moments share: looked around, found it, changed it. */
function begin(story: Story, turn: Parameters<Story['turn']>[1] = {}): void {
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

const busy: SessionSummary = { ...openSession, status: 'running' };

/** A command runs with live output; a message waits. */
export function runningSession(now: number): SessionSnapshot {
  const story = tellStory(now);
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
  const story = tellStory(now);
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

export function askingSession(now: number): SessionSnapshot {
  const story = tellStory(now);
  begin(story, {
    status: 'running',
    phase: 'approval',
    phaseSince: now - 14_000,
    endedAt: null,
    closed: false,
  });
  story.call('run_command', command, {
    state: 'awaiting_approval',
    approval: approvalOf(now),
    completedAt: null,
    runMs: null,
  });
  return story.snapshot({ ...busy, status: 'asking' });
}

export function prefillSession(now: number): SessionSnapshot {
  const story = tellStory(now);
  begin(story);
  story.say({ kind: 'text', text: answer });
  story.turn('And under load? Run the lease tests beside the worker tests.', {
    status: 'running',
    phase: 'prefill',
    phaseSince: now - 4_200,
    startedAt: now - 4_300,
    endedAt: null,
    closed: false,
  });
  return story.snapshot(busy);
}

export function loadingSession(now: number): SessionSnapshot {
  const story = tellStory(now);
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

export function stoppedSession(now: number): SessionSnapshot {
  const story = tellStory(now);
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
  });
  return story.snapshot(openSession);
}

export function failedSession(now: number): SessionSnapshot {
  const story = tellStory(now);
  begin(story, { status: 'failed' });
  story.say({
    kind: 'error',
    code: 'stream_first_token_timeout',
    message: 'No first token within 120 s.',
    advice: 'Ollama answers, but its slot may be lost. Send again, or unload the model and load it anew.',
  });
  return story.snapshot({ ...openSession, status: 'failed' });
}

const toolStates: [
  state: ToolState,
  tool: string,
  subject: string,
  display: ToolDisplay | null,
  result: string,
][] = [
  ['streaming', 'edit_file', 'src/queue/worker.ts', null, ''],
  ['running', 'search', 'renew', null, ''],
  ['done', 'glob', '**/*.test.ts', { ...listDisplay, total: 5, truncated: false }, ''],
  ['failed', 'run_command', command, commandDisplay(1), ''],
  [
    'failed',
    'edit_file',
    'src/queue/lease.ts',
    null,
    'The text to replace occurs on lines 47 and 112. Name more of it.',
  ],
  ['declined', 'run_command', 'rm -rf dist', null, 'Declined by the user.'],
  ['stopped', 'run_command', 'npm run build', commandDisplay(null, 'SIGTERM'), ''],
  ['interrupted', 'run_command', 'npm run migrate', null, ''],
  [
    'done',
    'read_file',
    'src/a-folder-with-a-long-name/another-folder/a-very-long-file-name.generated.test.ts',
    fileDisplay,
    '',
  ],
  ['done', 'telescope_point', 'M31', null, 'Pointing at M31.'],
];

/** Every item kind, every tool state, every way a turn can end. */
export function everything(now: number): SessionSnapshot {
  const story = tellStory(now);
  const todo = tellPlanned(story, now);
  begin(story);
  story.call('write_file', 'docs/leases.md', {
    display: {
      kind: 'diff',
      path: 'docs/leases.md',
      added: 2,
      removed: 0,
      hunks: [{ oldStart: 0, newStart: 1, lines: ['+# Leases', '+One clock, injected.'] }],
    },
  });
  story.say({ kind: 'text', text: answer });

  story.turn('Every state of a tool.', { status: 'interrupted' });
  for (const [state, tool, subject, display, result] of toolStates) {
    const open = state === 'streaming' || state === 'running';
    story.call(tool, subject, {
      state,
      display,
      result,
      output: display?.kind === 'command' ? testOutput : '',
      sandboxed: tool === 'run_command' ? false : null,
      completedAt: open ? null : now,
      repairs: tool === 'search' ? ['limit: "5" to 5'] : [],
      runMs: open || state === 'declined' || state === 'interrupted' ? null : 2_100,
      ...(tool === 'run_command' && { args: { command: subject } }),
    });
  }

  story.turn('Cut thoughts and texts.', { status: 'max_iterations', iterations: 20 });
  story.say({ kind: 'thinking', text: 'Cut in the middle of a thou', cut: true });
  story.say({ kind: 'text', text: 'This was being written when the conn', cut: true });
  story.usage({ cachedTokens: null, evaluatedTokens: null, promptMs: null });

  const reader = { profileId: 'reader', name: 'Reader', model: 'qwen3.8:27b' };
  const writer = { profileId: 'writer', name: 'Writer', model: 'qwen3.5:9b' };
  story.turn('Switches, and what they cost.', { status: 'failed' });
  story.say({
    kind: 'switch',
    from: reader,
    to: writer,
    usage: { promptTokens: 21_480, evaluatedTokens: 21_480 },
  });
  story.say({
    kind: 'switch',
    from: writer,
    to: reader,
    usage: { promptTokens: null, evaluatedTokens: null },
  });
  story.say({ kind: 'switch', from: reader, to: reader, usage: null });
  story.say({
    kind: 'stopped',
    closedMs: null,
    model: 'qwen3.5:9b',
    stillLoaded: false,
    vramBytes: null,
    during: 'lease',
  });
  story.say({
    kind: 'stopped',
    closedMs: 1_240,
    model: 'qwen3.5:9b',
    stillLoaded: null,
    vramBytes: null,
    during: 'prefill',
  });
  story.say({
    kind: 'error',
    code: 'load_failed',
    message: 'qwen3.8:27b could not be loaded: 19.9 GB needed, 14.1 GB free.',
    advice: 'Close what else uses the GPU, choose a smaller window, or another model.',
  });

  story.turn('למה הבדיקה lease.test.ts נכשלת בערך פעם בעשרים?', {
    status: 'running',
    phase: 'approval',
    phaseSince: now,
    endedAt: null,
    closed: false,
  });
  story.call('write_file', 'src/queue/lease.ts', {
    state: 'awaiting_approval',
    approval: approvalOf(now, {
      tool: 'write_file',
      risk: 'write',
      summary: 'src/queue/lease.ts: 3 lines added, 2 removed',
      mutates: 'src/queue/lease.ts',
      why: 'The profile asks for changes.',
      sandboxed: true,
      scopes: ['once', 'session'],
    }),
    display: diffDisplay,
    completedAt: null,
    runMs: null,
  });
  story.turn('A message that waits.', { status: 'queued', startedAt: null, endedAt: null, closed: false });
  return story.snapshot({ ...busy, status: 'asking' }, { todo });
}
