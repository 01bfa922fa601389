import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Approval } from '../protocol/model.ts';
import { createQuestions } from './answer-questions.ts';
import { createOutput } from './cli-output.ts';
import { readLines, type LineReader } from './line-reader.ts';
import { hostStub } from './testing/host-stub.ts';

const { signal } = new AbortController();

const approval = (changes: Partial<Approval> = {}): Approval => ({
  id: 'apr_1',
  tool: 'run_command',
  risk: 'execute',
  summary: 'npm test',
  mutates: '',
  why: '',
  where: '/w',
  sandboxed: true,
  scopes: ['once', 'session'],
  requestedAt: 0,
  ...changes,
});

/** What it asks is read from `stderr`; `answered` is the first answer that it sends. */
function questionsOf(lines: LineReader | null) {
  const stderr = new PassThrough().setEncoding('utf8');
  const first = Promise.withResolvers<unknown>();
  const { rpc } = hostStub(({ params }) => {
    first.resolve(params);
    return {};
  });
  const output = createOutput({ stdout: new PassThrough(), stderr }, () => undefined);
  const questions = createQuestions({ rpc, sessionId: 'ses_1', output, lines, signal });
  return { questions, stderr, answered: first.promise };
}

async function untilAsked(stderr: Readable): Promise<void> {
  while (!String(stderr.read() ?? '').includes('[N]o: ')) await once(stderr, 'readable');
}

test('a line that was pasted before a question was asked does not answer it', async () => {
  const stdin = new PassThrough();
  const lines = readLines(stdin);
  stdin.write('Fix the build\ny\ns\n');
  expect(await lines.next(signal)).toBe('Fix the build');
  const { questions, stderr, answered } = questionsOf(lines);
  questions.ask({ itemId: 'item_1', approval: approval(), preview: null });
  await untilAsked(stderr);
  stdin.write('n\n');
  expect(await answered).toEqual({ sessionId: 'ses_1', approvalId: 'apr_1', decision: 'deny' });
});

test('a line that comes after a question was asked answers it', async () => {
  const stdin = new PassThrough();
  const { questions, stderr, answered } = questionsOf(readLines(stdin));
  questions.ask({ itemId: 'item_1', approval: approval(), preview: null });
  await untilAsked(stderr);
  stdin.write('s\n');
  expect(await answered).toMatchObject({ decision: 'allow', scope: 'session' });
});

test('a form that nobody can fill in here counts as denied, and is told apart from what a terminal would ask', () => {
  const { questions } = questionsOf(readLines(new PassThrough()));
  const form = { server: 'notes', message: 'Your name?', wanted: { kind: 'fields' as const, fields: [] } };
  const asked = approval({ tool: 'call_tool', summary: 'notes asks', form });
  questions.ask({ itemId: 'item_1', approval: asked, preview: null });
  expect(questions).toMatchObject({ denied: ['call_tool: notes asks'], forms: 1 });
});

test('what was denied because nobody sits at a terminal is no form', () => {
  const { questions } = questionsOf(null);
  questions.ask({ itemId: 'item_1', approval: approval(), preview: null });
  expect(questions).toMatchObject({ denied: ['run_command: npm test'], forms: 0 });
});
