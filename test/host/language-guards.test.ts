/** What `npm run voice` finds of texts that would stay in the wrong language, each with what only looks like it. */
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { keptTexts, moduleOf, moduleTexts } from '../../scripts/voice/module-texts.ts';
import { equalTexts, literalWords } from '../../scripts/voice/untranslated.ts';

const none: ReadonlySet<string> = new Set();

function kept(files: Readonly<Record<string, string>>): string[] {
  const modules = Object.entries(files).map(([name, source]) => {
    const path = `src/renderer/${name}`;
    return [path, moduleOf(path, parseSync(path, source).program.body)] as const;
  });
  return keptTexts(new Map(modules));
}

const from = (names: string): string => `import { ${names} } from './text.ts';\n`;

const row = (body: string): string =>
  `${from('composer')}const Row = memo(() => {${body} return composer.send; });`;

const hook = (name: string): string =>
  `${from('composer')}function A() { return ${name}(() => composer.send, []); }`;

const words = (source: string): string[] => literalWords(parseSync('a.tsx', source).program, none);

test('No module of the window keeps a text of the moment in which it was loaded (lang-3)', () => {
  expect(moduleTexts()).toEqual([]);
});

test.each([
  ['a text', 'const send = composer.send;'],
  ['a text out of a part', 'const { send } = composer;'],
  ['a table of texts', 'const words = { now: composer.send };'],
  ['what a function says', "const words = shell.languageMissing.message('x');"],
  ['a copy of a part', 'const words = { ...composer.placeholder };'],
  ['texts in a list that is made at once', "const words = ['a'].map(() => composer.send);"],
  ['what an own function says', 'const words = say();\nfunction say() {\n  return composer.send;\n}'],
  ['a member by its name', "const words = composer.placeholder[Math.random() > 1 ? 'idle' : 'busy'];"],
])('A module that keeps %s is found', (_, source) => {
  expect(kept({ 'a.ts': `${from('composer, shell')}${source}` })).not.toEqual([]);
});

test.each([
  ['a part', 'const { placeholder } = composer;'],
  ['a function that reads it later', 'const say = () => composer.send;'],
  ['a function of the dictionary', 'const { message } = shell.languageMissing;'],
  ['a type', "type Text = (typeof composer)['send'];"],
  ['a callback for later', 'later(() => composer.send);'],
])('A module that keeps %s is left alone', (_, source) => {
  expect(kept({ 'a.ts': `${from('composer, shell')}${source}` })).toEqual([]);
});

test('A text that another module hands on is found where it is kept', () => {
  const files = { 'a.ts': `${from('composer')}export const { placeholder } = composer;` };
  expect(
    kept({ ...files, 'b.ts': "import { placeholder } from './a.ts';\nconst idle = placeholder.idle;" }),
  ).toEqual([
    'src/renderer/b.ts: idle is read while the module loads',
    expect.stringContaining('src/renderer/b.ts'),
  ]);
});

test('A component that is drawn only when its own data change has to ask for the language', () => {
  expect(kept({ 'a.ts': row('') })).toHaveLength(1);
  expect(kept({ 'a.ts': row('useLanguage();') })).toEqual([]);
  expect(kept({ 'a.ts': 'const Row = memo(({ words }) => words);' })).toEqual([]);
});

test('A value that a component keeps with texts in it has to be made again for another language', () => {
  expect(
    [kept({ 'a.ts': hook('useMemo') }), kept({ 'a.ts': hook('useState') })].map((found) => found.length),
  ).toEqual([1, 1]);
  expect(kept({ 'a.ts': hook('useSpokenMemo') })).toEqual([]);
});

test('A text that is the same in two languages is found, but for names and figures', () => {
  const english = {
    open: 'Open',
    gpu: 'GPU',
    mark: '…',
    files: { many: (n: number) => `${String(n)} files` },
  };
  const other = { open: 'Open', gpu: 'GPU', mark: '…', files: { many: (n: number) => `${String(n)} files` } };
  expect(equalTexts(english, other, new Set(['GPU']))).toEqual(['open: Open', 'files.many: ‹› files']);
  const german = { ...other, open: 'Öffnen', files: { many: (n: number) => `${String(n)} Dateien` } };
  expect(equalTexts(english, german, new Set(['GPU']))).toEqual([]);
});

test('Words that a component says itself are found, in what it draws and in what a screen reader says', () => {
  expect(words('<p aria-label="Close it" id="place">Hello {name}</p>')).toEqual(['Hello', 'Close it']);
  expect(words("<p title={open ? 'Close' : text.open}>{empty && `No ${thing}`}</p>")).toEqual([
    'No',
    'Close',
  ]);
  expect(words('<p className="big words" data-row="row">{text.open} · {3}<code>npm ci</code></p>')).toEqual(
    [],
  );
});
