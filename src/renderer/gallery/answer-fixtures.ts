/** A task that was done: the question, its work in one line, the answer, and the quiet line below. */
import type { SessionSnapshot, ToolDisplay } from '../../protocol/model.ts';
import { openSession } from './fixtures.ts';
import { reportStory } from './story.ts';

const answer = `The delay was doubled before the first retry, so the first wait was 400 ms instead of 200 ms. It now grows only between retries: 200, 400, 800 ms, up to one minute. All 31 tests pass.

\`\`\`ts
export function retryDelay(attempt: number, base = 200, max = 60_000) {
  return Math.min(base * 2 ** (attempt - 1), max);
}
\`\`\`

\`worker.ts\` and \`heartbeat.ts\` only read the result, so nothing else had to change.
`;

const file = (path: string, totalLines: number): ToolDisplay => ({
  kind: 'file',
  path,
  text: '',
  firstLine: 1,
  lastLine: totalLines,
  totalLines,
});

export function answeredSession(now: number): SessionSnapshot {
  const story = reportStory(now);
  story.turn('The retry delay is doubled once too often. Fix it and run the tests.', {
    startedAt: now - 8_000,
  });
  story.say({ kind: 'thinking', text: 'First the function, then who calls it.' });
  story.call('read_file', 'src/queue/retry.ts', { display: file('src/queue/retry.ts', 41), runMs: 60 });
  story.call('read_file', 'src/queue/worker.ts', { display: file('src/queue/worker.ts', 260), runMs: 70 });
  story.call('read_file', 'src/queue/heartbeat.ts', {
    display: file('src/queue/heartbeat.ts', 74),
    runMs: 50,
  });
  story.call('edit_file', 'src/queue/retry.ts', {
    display: { kind: 'diff', path: 'src/queue/retry.ts', added: 1, removed: 2, hunks: [] },
    runMs: 90,
  });
  story.call('run_command', 'npm test', {
    display: { kind: 'command', command: 'npm test', exitCode: 0, signal: null },
    sandboxed: true,
    runMs: 1_000,
  });
  story.say({ kind: 'text', text: answer });
  const reads = { promptTokens: 10_807, cachedTokens: 10_413, evaluatedTokens: 394, promptMs: 480 };
  for (let step = 0; step < 3; step += 1) story.usage({ ...reads, outputTokens: 60, outputMs: 1_770 });
  return story.snapshot(openSession);
}
