import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { grammarProblem } from '../../../rules/grammar/check.ts';
import { details, replySchema, type ReplyOptions } from '../calls/constrained.ts';
import { personMessage } from '../../prompt/person-message.ts';
import type { CallRecord } from '../calls/discipline.ts';
import { offered as tools } from '../calls/testing.ts';
import type { Act } from '../opening/turn-acts.ts';
import { offerOf, type StepSituation } from './offer.ts';

const said = (message = '', step = ''): StepSituation['named'] => ({
  message: personMessage(message),
  step,
});
const begin: StepSituation = { tools, acts: ['look'], named: said(), entries: [], calls: [] };
const offer = (situation: Partial<StepSituation>): ReplyOptions => offerOf({ ...begin, ...situation });
const namesOf = ({ tools: some }: ReplyOptions): string[] => some.map(({ name }) => name);

function did(name: string, args: object, more: Partial<CallRecord> = {}): CallRecord {
  const mutates = tools.some((tool) => tool.name === name && tool.mutates);
  return { name, args, mutates, ok: true, content: 'lines 1-1 of 1\nhello', stale: false, ...more };
}
const read = (path: string, content = 'lines 1-1 of 1\nhello', more: Partial<CallRecord> = {}): CallRecord =>
  did('read_file', { path }, { content, ...more });

const entries = ['memo.txt', 'data.csv', 'docs/', 'docs/plan.md'];
const changing = tools.flatMap(({ name, mutates }) => (mutates ? name : []));

test.each<Act[][]>([[['look']], [['change']], [['look', 'change']]])(
  'A file that is named and was not read can only be read when the step is to %s',
  (acts) => {
    const options = offer({ acts, entries, named: said('What is in memo.txt?') });
    expect(namesOf(options)).toEqual(['read_file']);
    expect(options.values?.('read_file', 'path')).toEqual(['memo.txt']);
    expect(options).toMatchObject({ mayCall: true, mayAnswer: false });
  },
);

test('Only the files that are named and were not read can be read', () => {
  const named = said('Compare memo.txt with data.csv');
  const paths = (calls: CallRecord[]) => offer({ entries, named, calls }).values?.('read_file', 'path');
  expect(paths([])).toEqual(['memo.txt', 'data.csv']);
  expect(paths([read('memo.txt')])).toEqual(['data.csv']);
  expect(paths([read('./memo.txt')])).toEqual(['data.csv']);
  expect(paths([read('memo.txt', '', { ok: false })])).toEqual(['data.csv']);
  expect(paths([read('memo.txt', '', { stale: true })])).toEqual(['memo.txt', 'data.csv']);
});

test('A step that runs is not held up by a file that it names', () => {
  expect(namesOf(offer({ acts: ['run'], entries, named: said('Run memo.txt') }))).toEqual(['run_command']);
});

test('A file that nobody named is found before it is read', () => {
  expect(namesOf(offer({ entries, named: said('Where is the teapot?') }))).not.toContain('read_file');
  const calls = [did('search', { pattern: 'teapot' }, { content: 'docs/plan.md:1: teapot' })];
  expect(namesOf(offer({ entries, named: said('Where is the teapot?'), calls }))).toContain('read_file');
});

test('A file can be changed only when it was read, and at a line that was read', () => {
  const acts: Act[] = ['change'];
  expect(namesOf(offer({ acts, entries }))).not.toContain('edit_file');
  const calls = [read('memo.txt', 'lines 1-3 of 3\nred\ngreen\nred')];
  const options = offer({ acts, entries, calls, named: said('Make green and red blue') });
  expect(namesOf(options)).toContain('edit_file');
  expect(options.values?.('edit_file', 'path')).toEqual(['memo.txt']);
  expect(options.values?.('edit_file', 'old_text')).toEqual(['green']);
  expect(options.values?.('edit_file', 'new_text')).toBeUndefined();
});

test.each([
  ['colour = red', 'Make the colour blue in place of red', ['red', 'colour = red']],
  ['"colour": "red",', 'The colour is blue now, not red', ['red', '"colour": "red",']],
  ['colour = red', 'Set the colour to blue', ['red', 'colour = red']],
])('In the line %s and for "%s" a change can replace %j', (line, message, pieces) => {
  const calls = [read('memo.txt', `lines 1-2 of 2\nsize = 4\n${line}`)];
  const options = offer({ acts: ['change'], entries, named: said(message), calls });
  expect(options.values?.('edit_file', 'old_text')).toEqual(pieces);
});

test('A change that names a file that is not there makes that file and changes no other', () => {
  const named = said('Put the sum of memo.txt into sum.txt', 'write the sum into docs/sum.txt');
  const options = offer({ acts: ['change'], entries, named, calls: [read('memo.txt')] });
  expect(namesOf(options)).toEqual(['write_file']);
  expect(options.values?.('write_file', 'path')).toEqual(['docs/sum.txt']);
});

test.each([
  ['write "a list.md", then sum.txt.', ['a list.md', 'sum.txt']],
  ['write “a/b.txt” and `mein Plan.md`', ['a/b.txt', 'mein Plan.md']],
  ['新建`篮子.md`吗', ['篮子.md']],
  ['write version 2.0 of it', undefined],
  ['s/old/new/g', undefined],
  ['make memo.txt and docs/plan.md shorter', []],
  ['find *.ts and a:b.txt', undefined],
  ['', undefined],
])('The step "%s" may write %j', (step, paths) => {
  const options = offer({
    acts: ['change'],
    entries,
    named: said('', step),
    calls: [read('memo.txt'), read('docs/plan.md')],
  });
  expect(options.values?.('write_file', 'path')).toEqual(paths);
});

test('A new file without an ending is one that the person wrote', () => {
  const step = 'write the same into release/VERSION';
  const named = said('Put it into release/VERSION.', step);
  const options = offer({ acts: ['change'], entries, named, calls: [read('memo.txt')] });
  expect(options.values?.('write_file', 'path')).toEqual(['release/VERSION']);
});

test('A file with blanks in its name is no new file by its last word', () => {
  const options = offer({
    acts: ['change'],
    entries: ['tunnel 56.ini'],
    named: said('Replace 1 by 2 in `tunnel 56.ini`', 'replace 1 with 2 in tunnel 56.ini'),
    calls: [read('tunnel 56.ini', 'lines 1-1 of 1\nid = 1')],
  });
  expect(namesOf(options)).toContain('edit_file');
  expect(namesOf(options)).not.toContain('write_file');
});

test('A change is held to the file that it names, whatever else was read', () => {
  const calls = [read('memo.txt', 'lines 1-1 of 1\nid = 1'), read('docs/plan.md', 'lines 1-1 of 1\nid = 2')];
  const options = offer({ acts: ['change'], entries, named: said('', 'set id to 3 in docs/plan.md'), calls });
  expect(options.values?.('edit_file', 'path')).toEqual(['docs/plan.md']);
  expect(options.values?.('edit_file', 'old_text')).toEqual(['2', 'id = 2']);
});

test('A folder that nobody named is listed only after another look', () => {
  expect(namesOf(offer({ entries, named: said('Where is the teapot?') }))).not.toContain('list_files');
  const calls = [did('glob', { pattern: 'teapot*' }, { content: 'docs/teapot.md' })];
  expect(namesOf(offer({ entries, named: said('Where is the teapot?'), calls }))).toContain('list_files');
});

test('What a search did not find is not searched for once more', () => {
  const nothing = { content: 'Nothing in . matches teapot.' };
  const named = said('Where is the teapot?');
  expect(namesOf(offer({ entries, named, calls: [did('glob', { pattern: 'teapot' }, nothing)] }))).toEqual([
    'search',
  ]);
  expect(namesOf(offer({ entries, named, calls: [did('search', { pattern: 'teapot' }, nothing)] }))).toEqual(
    [],
  );
});

test('A new file with blanks in its name is made under the whole of it', () => {
  const named = said('Write Bread into `tunnel 56.bak`', 'write Bread into tunnel 56.bak');
  expect(offer({ acts: ['change'], entries, named }).values?.('write_file', 'path')).toEqual([
    'tunnel 56.bak',
  ]);
});

const writtenFor = (message: string) =>
  offer({ acts: ['change'], entries, named: said(message, 'write basket.md') }).values?.(
    'write_file',
    'path',
  );

test('A file whose name the model translated has the name that the person wrote', () => {
  expect(writtenFor('能帮我新建`篮子.md`吗？')).toEqual(['篮子.md']);
  expect(writtenFor('Make `a.md` and `b.md`')).toEqual(['basket.md']);
});

const commands = (step: string, acts: Act[] = ['run']) =>
  offer({ acts, named: said('Do the tests pass?', step) }).values?.('run_command', 'command');

test('A file that is to be made has the folder that the message names', () => {
  const named = said('Put the number into docs/sum.txt', 'write sum.txt');
  expect(
    offer({ acts: ['change'], entries, named, calls: [read('memo.txt')] }).values?.('write_file', 'path'),
  ).toEqual(['docs/sum.txt']);
});

test('What is to be written into a new file is not read once more after a command told it', () => {
  const named = said('Run memo.txt and write what it says into sum.txt', 'write sum.txt');
  const first = offer({ acts: ['change'], entries, named });
  expect(namesOf(first)).toEqual(['read_file']);
  const calls = [did('run_command', { command: 'sh memo.txt' }, { ok: false })];
  expect(namesOf(offer({ acts: ['change'], entries, named, calls }))).toEqual(['write_file']);
});

test('A step that was cut finds the new file in the message', () => {
  const step = `add the numbers in memo.txt and data.csv and write them ${'x'.repeat(4)}`;
  const named = said('Add memo.txt and data.csv and put it in sum.txt', step);
  const calls = [read('memo.txt'), read('data.csv')];
  expect(offer({ acts: ['change'], entries, named, calls }).values?.('write_file', 'path')).toEqual([
    'sum.txt',
  ]);
});

test('A step that runs may only run what it said, unless that was cut', () => {
  expect(commands('node test.js')).toEqual(['node test.js']);
  expect(commands('')).toBeUndefined();
  expect(commands('x'.repeat(60))).toBeUndefined();
  expect(commands('node test.js', ['answer', 'run'])).toBeUndefined();
});

test('A text to be replaced is free when no line that was read would do', () => {
  for (const content of [
    'lines 1-2 of 2\nred\nred',
    'lines 1-1 of 1\n',
    `lines 1-1 of 1\n${'x'.repeat(5_000)}`,
  ]) {
    const options = offer({ acts: ['change'], entries, calls: [read('memo.txt', content)] });
    expect(options.values?.('edit_file', 'old_text')).toBeUndefined();
  }
});

test('A folder that was listed is not listed once more', () => {
  const named = said('What is in docs?');
  const before = offer({ entries, named });
  expect(before.values?.('list_files', 'path')).toEqual(['docs']);
  const after = offer({ entries, named, calls: [did('list_files', { path: 'docs' })] });
  expect(after.values?.('list_files', 'path')).not.toContain('docs');
});

test('A tool whose paths are used up is not offered', () => {
  const calls = [read('memo.txt'), did('list_files', { path: '.' })];
  const names = namesOf(offer({ entries: ['memo.txt'], named: said('memo.txt'), calls }));
  expect(names).not.toContain('read_file');
  expect(names).not.toContain('list_files');
});

test('A step that answers calls nothing', () => {
  expect(offer({ acts: ['answer'], entries, named: said('memo.txt') })).toMatchObject({
    tools: [],
    mayCall: false,
    mayAnswer: true,
  });
});

test('Before its answer a turn may answer whatever is named', () => {
  expect(offer({ acts: ['answer', 'look'], entries, named: said('memo.txt') }).mayAnswer).toBe(true);
});

const oddName = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
  fc.constantFrom(
    'a"b',
    'a\\b',
    '\ud800',
    'a\nb',
    '-rf',
    '..',
    '.',
    '$&',
    'a/b',
    '__proto__',
    'constructor',
    '\u202e.txt',
  ),
);
const entry = fc.oneof(
  oddName,
  oddName.map((name) => `${name}/`),
  fc.tuple(oddName, oddName).map((names) => names.join('/')),
);

const situations: fc.Arbitrary<StepSituation> = fc
  .record({ entries: fc.array(entry, { maxLength: 12 }), fill: fc.constantFrom(0, 0, 0, 199, 201, 400) })
  .chain(({ entries: some, fill }) => {
    const all = [...some, ...Array.from({ length: fill }, (_, at) => `f${at}`)];
    const path = all.length > 0 ? fc.oneof(fc.constantFrom(...all), entry) : entry;
    const words = fc.oneof(
      fc.constant(''),
      path,
      path.map((each) => `Read "${each}" now.`),
    );
    const args = fc.oneof(fc.record({ path }), fc.constantFrom({}, null, 7, { path: 7 }, { path: null }));
    const call = fc.record({
      name: fc.constantFrom(...tools.map(({ name }) => name), 'gone', '__proto__'),
      args,
      ok: fc.boolean(),
      mutates: fc.boolean(),
      content: fc.oneof(
        fc.string({ unit: 'binary' }),
        entry.map((text) => `lines 1-2 of 2\n${text}\n\ud800 x`),
      ),
      stale: fc.boolean(),
    });
    return fc.record({
      tools: fc.subarray(tools),
      acts: fc.subarray<Act>(['answer', 'look', 'change', 'run'], { minLength: 1 }),
      named: fc.record({ step: words, message: words.map(personMessage) }),
      entries: fc.constant(all),
      calls: fc.array(call, { maxLength: 6 }),
    });
  });

test('Whatever a workspace holds, a step has a grammar that an engine takes', () => {
  fc.assert(
    fc.property(situations, (situation) => {
      const options = offerOf(situation);
      for (const detail of details) expect(grammarProblem(replySchema(options, detail))).toBeNull();
    }),
  );
});

test('Whatever a workspace holds, nothing is changed or run by a step that neither changes nor runs', () => {
  fc.assert(
    fc.property(situations, (situation) => {
      const names = namesOf(offerOf(situation));
      const { acts } = situation;
      const mayNot = new Set(
        changing.filter((name) => !acts.includes(name === 'run_command' ? 'run' : 'change')),
      );
      expect(names.filter((name) => mayNot.has(name))).toEqual([]);
      expect(names.length === 0 || acts.some((act) => act !== 'answer')).toBe(true);
    }),
  );
});

test('Whatever a workspace holds, a step offers tools of its own and paths that exist', () => {
  fc.assert(
    fc.property(situations, (situation) => {
      const options = offerOf(situation);
      expect(situation.tools).toEqual(expect.arrayContaining([...options.tools]));
      const exist = new Set(['.', ...situation.entries.map((path) => path.replace(/\/$/, ''))]);
      for (const tool of ['read_file', 'list_files'])
        expect(
          (options.values?.(tool, 'path') ?? []).filter(
            // A file that the step itself names is looked for, so that the answer can say it is not there.
            (path) => !exist.has(path) && !(tool === 'read_file' && situation.named.step.includes(path)),
          ),
        ).toEqual([]);
    }),
  );
});

test('A file that the step names and that is not there is read once, so that the answer can say so', () => {
  const missing = { entries, named: said('What does pumpkin/towel.md say?', 'read pumpkin/towel.md') };
  const first = offer(missing);
  expect(namesOf(first)).toEqual(['read_file']);
  expect(first.values?.('read_file', 'path')).toEqual(['pumpkin/towel.md']);
  expect(namesOf(offer({ ...missing, calls: [read('pumpkin/towel.md', '', { ok: false })] }))).toContain(
    'search',
  );
});

test('A step is never left without anything that it may do', () => {
  const options = offer({ entries, named: said('Change memo.txt'), acts: ['change'], tools: [] });
  expect(options.mayAnswer).toBe(true);
});

test('A file that came with the message is read without being looked for, by its name or without one', () => {
  const attached = ['/data/att/report.md', '/data/att/list.csv'];
  const unnamed = offer({ entries, attached, named: said('Sum up what I sent') });
  expect(namesOf(unnamed)).toContain('read_file');
  expect(unnamed.values?.('read_file', 'path')).toEqual(expect.arrayContaining(attached));
  const named = offer({ entries, attached, named: said('Sum up report.md') });
  expect(namesOf(named)).toEqual(['read_file']);
  expect(named.values?.('read_file', 'path')).toEqual(['/data/att/report.md']);
});

test('A file that is not there is looked for by what stands in files, not among names of others', () => {
  const calls = [read('gone.md', 'Error: There is no gone.md.', { ok: false })];
  const options = offer({
    entries,
    named: said('What is the order number in gone.md?', 'read gone.md'),
    calls,
  });
  expect(namesOf(options)).toEqual(['search']);
});

test('A file that is close to the name of a missing one is read next', () => {
  const calls = [read('memmo.txt', 'Error: There is no memmo.txt. Close to it: memo.txt.', { ok: false })];
  const options = offer({ entries, named: said('What is in memmo.txt?', 'read memmo.txt'), calls });
  expect(namesOf(options)).toEqual(['read_file']);
  expect(options.values?.('read_file', 'path')).toEqual(['memo.txt']);
});

test('A step that begins with the name of a tool looks with that tool first', () => {
  const named = said('Where is the teapot?', 'search for teapot');
  expect(namesOf(offer({ entries, named }))).toEqual(['search']);
  expect(namesOf(offer({ entries, named: said('What is here?', 'list_files') }))).toEqual(['list_files']);
  const calls = [did('search', { pattern: 'teapot' }, { content: 'docs/plan.md:1: teapot' })];
  expect(namesOf(offer({ entries, named, calls })).length).toBeGreaterThan(1);
});

test('A folder that only the message names does not keep a step from the tool that it begins with', () => {
  const message = 'Which file in docs has tea?';
  const plain = offer({ entries, named: said(message, 'search for tea') });
  const inFolder = offer({ entries, named: said(message, 'search for tea in docs') });
  expect(namesOf(plain)).toEqual(['search']);
  expect(namesOf(inFolder).length).toBeGreaterThan(1);
});

test('A file of which nothing is named can only get a line at one of its ends', () => {
  const calls = [read('memo.txt', 'lines 1-2 of 2\nred\ngreen')];
  const formsOf = (message: string) =>
    offer({ acts: ['change'], entries, named: said(message), calls }).forms;
  expect(formsOf('Add yogurt to memo.txt')).toHaveLength(1);
  expect(formsOf('Add yogurt below green in memo.txt')).toEqual([]);
});

test('Nothing is written over a file that has text, and a new file still is made', () => {
  const calls = [read('memo.txt', 'lines 1-2 of 2\nred\ngreen')];
  const namesFor = (message: string, step: string) =>
    namesOf(offer({ acts: ['change'], entries, named: said(message, step), calls }));
  expect(namesFor('Add yogurt to memo.txt', 'write yogurt in memo.txt')).toEqual(['edit_file']);
  expect(namesFor('Sum memo.txt up in sum.txt', 'write sum.txt')).toEqual(['write_file']);
  expect(namesFor('Make green blue in memo.txt', 'write memo.txt')).toEqual(['edit_file']);
});

test('A step that replaces all of a file writes it anew, and one that only writes to it adds a line', () => {
  const calls = [read('memo.txt', 'lines 1-2 of 2\nred\ngreen')];
  const offerFor = (step: string) =>
    offer({ acts: ['change'], entries, named: said('Empty memo.txt, then "milk"', step), calls });
  const namesFor = (step: string) => namesOf(offerFor(step));
  const pathsFor = (step: string) => offerFor(step).values?.('write_file', 'path');
  expect(namesFor('replace all of memo.txt')).toEqual(['write_file']);
  expect(namesFor('replace all of "memo.txt" with milk')).toEqual(['write_file']);
  expect(namesFor('replace all of it with milk')).toEqual(['write_file']);
  expect(pathsFor('replace all of it with milk')).toEqual(['memo.txt']);
  expect(namesFor('replace all of its marks')).toContain('edit_file');
  expect(namesFor('write memo.txt')).toEqual(['edit_file']);
  expect(namesFor('write milk into memo.txt')).toEqual(['edit_file']);
});

test.each([
  ['x'.repeat(500), ['edit_file']],
  ['', ['write_file', 'edit_file']],
])('A file with lines too long to be named is not written over, and an empty one can be', (text, names) => {
  const calls = [read('memo.txt', `lines 1-1 of 1\n${text}`)];
  const options = offer({ acts: ['change'], entries, named: said('Count memo.txt', 'wc memo.txt'), calls });
  expect(namesOf(options)).toEqual(names);
});

const anything: Act[] = ['look', 'change', 'run'];

test('Where anything may be done, a named file is read or run first', () => {
  const names = namesOf(offer({ acts: anything, entries, named: said('Run memo.txt') }));
  expect(names.toSorted()).toEqual(['read_file', 'run_command']);
});

test('Where anything may be done, only a file that the person named is made', () => {
  expect(namesOf(offer({ acts: anything, entries, named: said('What is 11 + 51?') }))).not.toContain(
    'write_file',
  );
  const options = offer({ acts: anything, entries, named: said('Make new.txt') });
  expect(namesOf(options)).toContain('write_file');
  expect(options.values?.('write_file', 'path')).toEqual(['new.txt']);
});
