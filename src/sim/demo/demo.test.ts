import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

import type { JsonObject, Message, Tool } from '../render/index.ts';
import { chatScriptRequest } from '../script/script.ts';
import type { Reply } from '../script/reply.ts';
import { transcript as german } from '../../text/de/transcript.ts';
import { transcript as english } from '../../text/en/transcript.ts';
import { demoScript } from './index.ts';

const WORKSPACE = fileURLToPath(new URL('../../../resources/demo-workspace', import.meta.url));
const OPENING =
  'Workspace folder: /home/me/tests/search\nSystem: Linux\nPaths in tool calls are relative to the workspace folder.\n\n';

type RunTool = (args: Record<string, string>) => Promise<string> | string;

const tool = (name: string, ...parameters: string[]): Tool => ({
  type: 'function',
  function: {
    name,
    description: name,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(parameters.map((key) => [key, { type: 'string' }])),
    },
  },
});
const TOOLS = [
  tool('read_file', 'path', 'start_line'),
  tool('write_file', 'path', 'content'),
  tool('edit_file', 'path', 'old_text', 'new_text'),
  tool('list_files', 'path'),
  tool('search', 'pattern', 'path'),
  tool('run_command', 'command'),
];

const inWorkspace: Record<string, RunTool> = {
  list_files: async ({ path = '' }) => {
    const entries = await readdir(join(WORKSPACE, path), { withFileTypes: true });
    return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).join('\n');
  },
  read_file: async ({ path = '' }) => {
    const text = await readFile(join(WORKSPACE, path), 'utf8');
    const lines = text.trimEnd().split('\n').length;
    return `lines 1-${lines} of ${lines}\n${text}`;
  },
  run_command: async () =>
    (await promisify(execFile)(process.execPath, ['--test'], { cwd: WORKSPACE })).stdout,
};

interface Played {
  answer: string;
  calls: { name: string; args: JsonObject }[];
}

/** Plays a whole turn: asks the demo, runs its calls, asks again. */
async function play(
  words: string,
  tools: Record<string, RunTool> = inWorkspace,
  offered: Tool[] = TOOLS,
): Promise<Played> {
  const messages: Message[] = [{ role: 'user', content: OPENING + words }];
  const calls: Played['calls'] = [];
  for (let step = 0; step < 6; step++) {
    const request = chatScriptRequest({
      model: 'm',
      messages,
      tools: offered,
      think: true,
      format: undefined,
    });
    const reply = demoScript({ ...request, nth: step + 1 });
    const call = reply?.steps.find((candidate) => candidate.do === 'call');
    if (call?.do !== 'call') return { answer: textOf(reply), calls };
    calls.push({ name: call.name, args: call.arguments });
    const run = tools[call.name] ?? (() => 'ok');
    messages.push(
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ function: { name: call.name, arguments: call.arguments } }],
      },
      { role: 'tool', content: await run(call.arguments as Record<string, string>), tool_name: call.name },
    );
  }
  throw new Error('The demo did not come to an end.');
}

function textOf(reply: Reply | undefined): string {
  return (reply?.steps ?? []).map((step) => (step.do === 'text' ? step.text : '')).join('');
}

describe('the demo model on the sample workspace', () => {
  test('lists the folder, reads the readme and answers out of it', async () => {
    const { answer, calls } = await play('What is in this folder? Read the readme and tell me what it does.');
    expect(calls).toEqual([
      { name: 'list_files', args: {} },
      { name: 'read_file', args: { path: 'README.md' } },
    ]);
    expect(answer).toContain('**Bookbox**');
    expect(answer).toContain('A ledger for the wooden book box on the corner of Lantern Street.');
    expect(answer).toContain('`src/`');
    expect(answer).toContain('npm start -- overdue');
  });

  test.each([...english.first.suggest, ...german.first.suggest])(
    'does what an empty session suggests: %s',
    async (suggestion) => {
      const { answer, calls } = await play(suggestion);
      expect(calls[0]).toEqual({ name: 'list_files', args: {} });
      expect(answer).toMatch(/Bookbox|3 of 4 source files have no test of their name/);
    },
  );

  test.each(['List the files.', 'list all files in this folder'])(
    'lists the folder for %s',
    async (words) => {
      const { calls } = await play(words);
      expect(calls[0]).toEqual({ name: 'list_files', args: {} });
    },
  );

  test('searches for a text, and not for the files that the text speaks of', async () => {
    const { calls } = await play('Search for "todo list" in all files.');
    expect(calls[0]?.name).toBe('search');
  });

  test('names the sources that no test is named after, and says that it compared no more than names', async () => {
    const { answer, calls } = await play('Find the parts without tests.');
    expect(calls.map(({ args }) => args)).toEqual([{}, { path: 'src/' }, { path: 'test/' }]);
    expect(answer).toContain('- `csv.js`');
    expect(answer).not.toContain('- `ledger.js`');
    expect(answer).toContain('I compared names only.');
  });

  test('says so where it finds no tests to compare with', async () => {
    const { answer } = await play('Find the parts without tests.', {
      list_files: () => 'readme.txt\nengine/',
    });
    expect(answer).toContain('no folder for source beside one for tests');
  });

  test('says what the files say, not what it knows', async () => {
    const { answer } = await play('What is in this folder?', {
      list_files: () => 'readme.txt\nengine/',
      read_file: () => '1\t# Teapot\n2\t\n3\tPours tea into cups.\n4\t\n5\t```sh\n6\tmake tea\n7\t```',
    });
    expect(answer).toContain('**Teapot**');
    expect(answer).toContain('> Pours tea into cups.');
    expect(answer).toContain('make tea');
    expect(answer).not.toMatch(/bookbox|lantern/i);
  });

  test('runs the tests of the workspace, which pass, and counts them', async () => {
    const { answer, calls } = await play('Please run the tests.');
    expect(calls.map((call) => call.name)).toEqual(['read_file', 'run_command']);
    expect(calls[1]?.args).toEqual({ command: 'npm test' });
    expect(answer).toContain('All 5 tests pass.');
  });

  test('searches for what is quoted and shows the hits', async () => {
    const { answer, calls } = await play('Search for "overdue".', {
      search: () => 'src/report.js:4: import { overdue }\nREADME.md:18: npm start -- overdue',
    });
    expect(calls).toEqual([{ name: 'search', args: { pattern: 'overdue' } }]);
    expect(answer).toContain('2 files, 2 lines');
    expect(answer).toContain('| `src/report.js` | 4 |');
  });

  test('reads what was attached, and owns up to what it cannot see', async () => {
    const attached = [
      'What is this?\n\n[Attached files:]',
      '- plan.md (file_id: att_1, 20 bytes, text/markdown)',
      '- shot.png (file_id: att_2, 90 bytes, image/png)',
      'Use read_file to read text files, by these paths:',
      '/data/att_1.md',
      '/data/att_2.png',
    ].join('\n');
    const { answer, calls } = await play(attached, { read_file: () => 'lines 1-1 of 1\n# Soup' });
    expect(calls).toEqual([{ name: 'read_file', args: { path: '/data/att_1.md' } }]);
    expect(answer).toContain('`plan.md` has 1 line');
    expect(answer).toContain('I was shown `shot.png`.');
  });

  test('creates a file with the text it was given', async () => {
    const { calls } = await play('Create a file notes/today.md that says "Soup for Eleven came back".');
    expect(calls).toEqual([
      { name: 'write_file', args: { path: 'notes/today.md', content: 'Soup for Eleven came back\n' } },
    ]);
  });

  test('reads a file before it edits one line of it', async () => {
    const { answer, calls } = await play('Replace "Mira" with "Noor" in data/books.csv.');
    expect(calls.map((call) => call.name)).toEqual(['read_file', 'edit_file']);
    expect(calls[1]?.args).toMatchObject({
      path: 'data/books.csv',
      new_text: '2,Salt and Signal,Tomas Lindqvist,A,Noor,2026-10-28',
    });
    expect(answer).toContain('+ 2,Salt and Signal');
  });

  test('tells of a declined call and does not try it again', async () => {
    const { answer, calls } = await play('Run the tests.', {
      ...inWorkspace,
      run_command: () => 'Error: the person declined this call. Do not repeat it.',
    });
    expect(calls.filter((call) => call.name === 'run_command')).toHaveLength(1);
    expect(answer).toContain('You declined `run_command`');
    // Words for the model are not for the person.
    expect(answer).not.toContain('Do not repeat it');
  });

  test('reads one file and says how long it is and what it offers', async () => {
    const { answer } = await play('Explain src/ledger.js to me.');
    expect(answer).toMatch(/`src\/ledger\.js` has \d+ lines/);
    expect(answer).toContain('Nothing here reads a file or a clock');
    expect(answer).toContain('`lend`');
    expect(answer).not.toContain('lines 1-');
  });

  test('answers without tools when none are offered', async () => {
    const { answer, calls } = await play('What is in this folder?', {}, []);
    expect(calls).toEqual([]);
    expect(answer).toContain('no tools');
  });

  test.each(['Hello!', 'Thank you.', 'Write a long answer.', 'Flumph the glorb?'])(
    'has something to say to %s',
    async (words) => {
      const { answer, calls } = await play(words);
      expect(calls).toEqual([]);
      expect(answer.length).toBeGreaterThan(50);
    },
  );

  test('names arguments as the offered tool does', async () => {
    const { calls } = await play('Read README.md', inWorkspace, [tool('read', 'file_path')]);
    expect(calls[0]).toEqual({ name: 'read', args: { file_path: 'README.md' } });
  });
});
