/** One session that holds every item kind, every tool state and every way a turn can end. */
import type { SessionSnapshot, ToolDisplay, ToolState } from '../../protocol/model.ts';
import { reportPlanned } from './plan-fixtures.ts';
import {
  answer,
  approvalOf,
  begin,
  busy,
  command,
  commandDisplay,
  diffDisplay,
  fileDisplay,
  listDisplay,
  testOutput,
} from './session-fixtures.ts';
import { reportStory } from './story.ts';

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
  const story = reportStory(now);
  const todo = reportPlanned(story, now);
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

  story.turn('An answer that reached its output limit.', { status: 'finished', cut: true });
  story.say({ kind: 'text', text: 'The table has forty rows, and the last of them is', cut: true });

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
      grant: { tool: 'write_file', folder: '/home/ada/kiln/src/queue', shown: 'src/queue/' },
    }),
    display: diffDisplay,
    completedAt: null,
    runMs: null,
  });
  story.turn('A message that waits.', { status: 'queued', startedAt: null, endedAt: null, closed: false });
  return story.snapshot({ ...busy, status: 'asking' }, { todo });
}
