import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { grammarProblem } from '../../../rules/grammar/check.ts';
import { replySchema } from './constrained.ts';
import type { CallRecord } from './discipline.ts';
import { offered } from './testing.ts';
import { scopeOf } from './scope.ts';

const entries = ['a.txt', 'style.css', 'tool.sh', 'box/', 'box/b.txt'];
const own = {
  name: 'todo',
  about: 'agent' as const,
  mutates: false,
  schema: { type: 'object' as const, properties: {}, required: [] },
};
const scope = (message: string, ...calls: CallRecord[]) =>
  scopeOf({ tools: [...offered, own], message, entries, before: entries, calls });
const names = (message: string, ...calls: CallRecord[]): string[] =>
  scope(message, ...calls).tools.map(({ name }) => name);
const ended = (name: string, args: Record<string, string>, change: Partial<CallRecord> = {}): CallRecord => ({
  name,
  args,
  ok: true,
  mutates: false,
  content: 'lines 1-1 of 1\ncolor: red',
  stale: false,
  ...change,
});
const readA = ended('read_file', { path: 'a.txt' });

test('a named file is looked at before anything else, by its own path', () => {
  const { mayAnswer, values } = scope('what does a.txt say?');
  expect(mayAnswer).toBe(false);
  expect(values('read_file', 'path')).toEqual(['a.txt']);
  expect(names('what does a.txt say?')).toEqual(['read_file', 'search']);
});

test('once it was seen a question is answered', () => {
  expect(scope('what does a.txt say?', readA)).toMatchObject({
    stage: 'answer',
    mayCall: false,
    mayAnswer: true,
  });
});

test('what nobody named is found first, with words of the message', () => {
  expect(names('find the file with KL-20')).toEqual(['search']);
  expect(scope('find the file with KL-20').values('search', 'pattern')).toEqual(['KL-20']);
  const nothing = ended('search', { pattern: 'KL' }, { content: 'Nothing in . matches KL.' });
  expect(scope('find the file with KL-20', nothing)).toMatchObject({ stage: 'find', mayAnswer: false });
});

test('endings of names are found by name', () => {
  expect(names('every .csv please')).toEqual(['glob']);
  expect(scope('every .csv please').values('glob', 'pattern')).toEqual(['*.csv']);
});

test('a program is run by its name, with nothing chained to it, and only once', () => {
  const message = 'run tool.sh and tell me what it says';
  expect(names(message)).toEqual(['run_command']);
  const form = new RegExp(scope(message).pattern('run_command', 'command') ?? '', 'u');
  expect(form.test('sh tool.sh')).toBe(true);
  expect(form.test('sh tool.sh now')).toBe(true);
  expect(form.test('sh tool.sh; rm a.txt')).toBe(false);
  expect(form.test('sh other.sh')).toBe(false);
  expect(form.test('sh tool.sh a", "b')).toBe(false);
  expect(form.test('ls -l tool.sh')).toBe(false);
  expect(form.test('./tool.sh')).toBe(true);
  const failed = ended('run_command', { command: 'sh tool.sh' }, { ok: false, mutates: true });
  expect(scope(message, failed).stage).toBe('answer');
});

test('a new file is written after the look, to the path that was asked for, and then only an answer is left', () => {
  const message = 'save what is in a.txt as new.txt';
  expect(scope(message).stage).toBe('look');
  expect(names(message, readA)).toEqual(['write_file']);
  expect(scope(message, readA).values('write_file', 'path')).toEqual(['new.txt']);
  const written = scopeOf({
    tools: offered,
    message,
    entries: [...entries, 'new.txt'],
    before: entries,
    calls: [
      readA,
      ended('write_file', { path: 'new.txt' }, { mutates: true }),
      ended('read_file', { path: 'new.txt' }),
    ],
  });
  expect(written.stage).toBe('answer');
});

test('a file is changed only after it was read, in a line that it has', () => {
  const message = 'change red to blue in style.css';
  expect(names(message)).not.toContain('edit_file');
  const read = ended('read_file', { path: 'style.css' });
  const { stage, values, mayAnswer } = scope(message, read);
  expect({ stage, mayAnswer }).toEqual({ stage: 'change', mayAnswer: false });
  expect(values('edit_file', 'path')).toEqual(['style.css']);
  expect(values('edit_file', 'old_text')).toEqual(['color: red']);
  const edited = ended('edit_file', { path: 'style.css' }, { mutates: true });
  expect(scope(message, { ...read, stale: true }, edited).stage).toBe('answer');
});

test('what is to be removed is removed by a plain command', () => {
  const message = 'delete box/b.txt';
  expect(names(message)).toEqual(['run_command']);
  const form = new RegExp(scope(message).pattern('run_command', 'command') ?? '', 'u');
  expect(['rm box/b.txt', 'cat box/b.txt', 'rm *', 'rm a.txt; ls'].filter((each) => form.test(each))).toEqual(
    ['rm box/b.txt'],
  );
});

test('what was removed is not written anew', () => {
  const removed = ended('run_command', { command: 'rm box/b.txt' }, { mutates: true });
  const message = 'delete box/b.txt and create nothing';
  const after = { tools: offered, message, entries: ['a.txt'], before: entries, calls: [removed] };
  expect(scopeOf(after).stage).toBe('answer');
});

test('after three failures the model may say what is in the way', () => {
  const failed = [1, 2, 3].map((at) => ended('read_file', { path: String(at) }, { ok: false }));
  expect(scope('what does a.txt say?', ...failed).mayAnswer).toBe(true);
});

test("the agent's own affairs are no look at the workspace", () => {
  expect(names('what does a.txt say?')).not.toContain('todo');
});

test('a whole file is copied by a command, and a part of it is not', () => {
  const whole = scope('make a copy of a.txt named b.bak.txt, then set red to blue in a.txt');
  expect(whole.tools.map(({ name }) => name)).toEqual(['run_command']);
  expect(whole.pattern('run_command', 'command')).toBe(String.raw`^(cp|copy) a\.txt b\.bak\.txt$`);
  expect(scope('copy the first line of a.txt into new.txt').stage).toBe('look');
  expect(scope('copy a.txt to nowhere/new.txt').stage).toBe('look');
});

test('after a copy the file is read before it is changed', () => {
  const copied = ended('run_command', { command: 'cp a.txt b.bak.txt' }, { mutates: true });
  const message = 'make a copy of a.txt named b.bak.txt, then set red to blue in a.txt';
  const after = { tools: offered, message, entries: [...entries, 'b.bak.txt'], before: entries };
  expect(scopeOf({ ...after, calls: [copied] }).tools.map(({ name }) => name)).toEqual(['read_file']);
  expect(scopeOf({ ...after, calls: [copied, readA] }).values('edit_file', 'path')).toEqual(['a.txt']);
});

test('what was only to be read is not changed after the new file is there', () => {
  const message = 'add the numbers in a.txt and style.css and put the sum in sum.txt';
  const reads = ['a.txt', 'style.css'].map((path) => ended('read_file', { path }, { stale: true }));
  const written = ended('write_file', { path: 'sum.txt' }, { mutates: true });
  const after = { tools: offered, message, entries: [...entries, 'sum.txt'], before: entries };
  expect(scopeOf({ ...after, calls: [...reads, written] }).stage).toBe('answer');
});

test('a path that was not found is read where nothing new is to be written: it may lie deeper', () => {
  expect(scope('what does deep/down/there/x.txt say?').values('read_file', 'path')).toEqual([
    'deep/down/there/x.txt',
  ]);
});

const patternFor = (file: string) =>
  scopeOf({ tools: offered, message: `run ${file}`, entries: [file], before: [file], calls: [] }).pattern(
    'run_command',
    'command',
  );

test('A program whose name a shell would take apart is asked for without a pattern (audit-E1)', () => {
  expect(patternFor('my-tool_2.sh')).toContain(String.raw`(my-tool_2\.sh)`);
  expect(patternFor('größe-é.sh')).toContain(String.raw`(größe-é\.sh)`);
  for (const odd of ['my tool.sh', "it's a.sh", '$(x) a.sh', 'say "hi".sh', '; rm -r a.sh']) {
    expect(patternFor(odd)).toBeUndefined();
  }
});

test('Every pattern and value list of a scope is taken, whatever the files are called (audit-E1)', () => {
  const name = fc
    .stringMatching(/^[-\][(){}|*+?.^$/\\"' #&,;:=@%!~`<>a-zé日😀\n]{1,12}$/u)
    .map((text) => text.replaceAll('/', '_'));
  const messages = fc.constantFrom(
    (file: string) => `run ${file}`,
    (file: string) => `copy ${file} to new-1.txt`,
    (file: string) => `delete ${file}`,
    (file: string) => `what does ${file} say?`,
  );
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 5 }), messages, (files, message) => {
      const all = files.map((file) => `${file}.sh`);
      const made = scopeOf({
        tools: offered,
        message: message(all[0] ?? ''),
        entries: all,
        before: all,
        calls: [],
      });
      expect(grammarProblem(replySchema({ ...made, simplified: true }))).toBeNull();
    }),
  );
});

test('After a command for a copy failed the new file is written by the model (audit-A14)', () => {
  const failed = ended('run_command', { command: 'cp a.txt b.bak.txt' }, { ok: false, mutates: true });
  const message = 'make a copy of a.txt named b.bak.txt';
  expect(names(message)).toEqual(['run_command']);
  expect(names(message, failed)).toEqual(['write_file']);
});

test('A folder that was named is looked at, and once it was listed the question is answered (audit-A14)', () => {
  const message = 'what is in the folder box?';
  expect(scope(message).stage).toBe('look');
  expect(scope(message, ended('list_files', { path: 'box' })).stage).toBe('answer');
  expect(scope(message, ended('list_files', { path: '.' })).stage).toBe('look');
});

test.each(['search', 'glob'])('A %s counts as a look at the folder that was named (audit-A14)', (tool) => {
  const message = 'where in box/ is KL-20?';
  expect(scope(message).stage).toBe('look');
  expect(scope(message, ended(tool, { pattern: 'KL-20' })).stage).toBe('answer');
  expect(scope(message, ended(tool, { pattern: 'KL-20' }, { ok: false })).stage).toBe('look');
});

test('A folder is searched before any file of it is read (audit-A14)', () => {
  expect(names('where in box/ is KL-20?')).toEqual(['search']);
});

test('A new file goes to the path that was asked for, also where no other file is named (audit-A14)', () => {
  const message = 'write a poem into new.txt';
  expect(names(message)).toEqual(['write_file']);
  expect(scope(message).values('write_file', 'path')).toEqual(['new.txt']);
});

test('The form of a command binds no other argument and no other tool (audit-A14)', () => {
  const { pattern } = scope('run tool.sh');
  expect(pattern('run_command', 'command')).toBeDefined();
  expect(pattern('run_command', 'timeout')).toBeUndefined();
  expect(pattern('search', 'command')).toBeUndefined();
});
