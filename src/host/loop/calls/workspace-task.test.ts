import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { growth } from './testing.ts';
import { workspaceWords } from './workspace-task.ts';

const names = ['src', 'src/app.ts', 'my-app', 'Procfile2', 'test', 'notes'];

const speaks = [
  'Read README.md and tell me what it says.',
  'How many lines does src/main.ts have?',
  'open ./build',
  'what does ~/.config/x say',
  'C:\\work\\a is what?',
  'Is there a LICENSE file?',
  'whats in the readme',
  'Run the tests with npm test.',
  'run `make all`',
  '$ ls',
  'git status please',
  'Find every TODO in the project.',
  "Which files mention 'invoice'?",
  'What files are in this folder?',
  'List the files in src.',
  'Search for the word timeout in all files.',
  'Create a file that says hello.',
  'could you make a folder for drafts',
  'Which node version is installed?',
  'what is in "notes"?',
  'explain my-app to me',
  'How do I start src/app.ts?',
  'Lies die Datei und fasse sie zusammen.',
  'Welche Ordner gibt es hier?',
  'Liste les fichiers',
  '¿Qué archivos hay?',
  'Quais arquivos existem?',
  'Какие файлы здесь есть?',
  '列出所有文件',
  'ファイルを読んで',
  '파일을 읽어줘',
  'notes.txt を読んで',
  'Oku: veri/rapor.csv',
];

test.each(speaks)('speaks of the workspace: %s', (message) => {
  expect(workspaceWords(message, names)).not.toBeNull();
});

const silent = [
  'Hello!',
  'What is the capital of France?',
  'Write a haiku about rain.',
  'Thanks, that is all.',
  'How do I read a file in Python?',
  'What is a file system?',
  'What is Node.js good for?',
  'Explain how Vue.js and React.js differ.',
  'Is 3.5 more than 3.45, e.g. in money?',
  'See https://example.com/a/b.html for that.',
  'Mail me at jo@example.md.',
  'This is a test.',
  'What are the functions of the liver?',
  'Tell me of the Manhattan project.',
  'Take some notes of what I say: I am well.',
  'Either and/or both.',
  'Translate "good morning" into German.',
  'Go on.',
  'Make sure to be brief.',
  'Was ist die Hauptstadt von Peru?',
  '1/2 + 3/4 = ?',
  '',
];

test.each(silent)('does not: %s', (message) => {
  expect(workspaceWords(message, names)).toBeNull();
});

test.each(['a/', '.', 'a.', ' the a', '`', '"a', '/home', 'how many ', 'please run ', '@a.', 'ls '])(
  'a long message of %j is judged in bounded time',
  (unit) => {
    const text = unit.repeat(100_000);
    expect(growth((length) => workspaceWords(text.slice(0, length), names))).toBeLessThan(32);
  },
);

const records = `${process.env['ENGINE_TRUTH'] ?? '../shared/engine-truth'}/toolcalls.json`;

test.skipIf(!existsSync(records))('every recorded task speaks of it', () => {
  const { rows } = JSON.parse(readFileSync(records, 'utf8')) as { rows: { ask: string }[] };
  const missed = new Set(rows.map(({ ask }) => ask).filter((ask) => workspaceWords(ask, []) === null));
  expect([...missed]).toEqual([]);
});
