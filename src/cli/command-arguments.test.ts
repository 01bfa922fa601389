import { expect, test } from 'vitest';
import { CliUsageError, parseCommand } from './command-arguments.ts';

const parse = (...args: string[]) => parseCommand(args, '/here');

test('exec takes a text, files and settings, with paths from where it was called', () => {
  expect(
    parse(
      'exec',
      'Say hello',
      '--file',
      'a.txt',
      '--file=/b.txt',
      '--profile=reader',
      '--model',
      'm',
      '--no-plan',
      '--allow',
      'none',
      '--json',
      '--folder=sub',
      '--data-dir=data',
      '--engine-url=http://x',
    ),
  ).toEqual({
    name: 'exec',
    text: 'Say hello',
    files: ['/here/a.txt', '/b.txt'],
    folder: '/here/sub',
    session: null,
    profile: 'reader',
    model: 'm',
    allow: 'none',
    mayPlan: false,
    json: true,
    dataDir: '/here/data',
    engineUrl: 'http://x',
  });
});

test.each([[['exec']], [['exec', '-']]])('exec reads stdin for %j', (args) => {
  expect(parse(...args)).toMatchObject({ name: 'exec', text: null, folder: '/here' });
});

test('a session that is continued keeps its folder', () => {
  expect(parse('exec', 'x', '--session', 's')).toMatchObject({ session: 's', folder: null });
});

test('the gateway listens on its own port, or on the one that is named', () => {
  expect(parse('gateway')).toMatchObject({ name: 'gateway', port: 11_480 });
  expect(parse('gateway', '--port=0')).toMatchObject({ port: 0 });
});

test('a token is a guest’s with all modules, unless more or less is named', () => {
  expect(parse('token', 'create', 'Editor')).toMatchObject({
    action: 'create',
    title: 'Editor',
    level: 'guest',
    modules: null,
  });
  expect(parse('token', 'create', 'Editor', '--level=admin', '--modules=files,work')).toMatchObject({
    level: 'admin',
    modules: ['files', 'work'],
  });
  expect(parse('token', 'list', '--json')).toMatchObject({ action: 'list', json: true });
  expect(parse('token', 'revoke', 'tok_1')).toMatchObject({ action: 'revoke', id: 'tok_1' });
});

test('a text that begins with a dash follows two of them', () => {
  expect(parse('exec', '--', '--help')).toMatchObject({ name: 'exec', text: '--help' });
});

test.each([
  [['help']],
  [['--help']],
  [['-h']],
  [['exec', '--help']],
  [['chat', '--help']],
  [['stop', '--help']],
])('help is shown for %j', (args) => {
  expect(parse(...args).name).toBe('help');
});

test.each([
  { args: [], message: /Name a command/ },
  { args: ['run'], message: /no command run/ },
  { args: ['exec', 'two', 'words'], message: /quotation marks/ },
  { args: ['exec', '  '], message: /empty/ },
  { args: ['exec', 'x', '--allow', 'all'], message: /reads or none, not all/ },
  { args: ['exec', 'x', '--alow', 'none'], message: /^There is no option --alow. Did you mean --allow\?$/ },
  { args: ['models', '--data', 'x'], message: /Did you mean --data-dir\?$/ },
  { args: ['models', '--jsonl'], message: /Did you mean --json\?$/ },
  { args: ['exec', 'x', '--plan'], message: /^There is no option --plan\.$/ },
  { args: ['exec', 'x', '--fil=a'], message: /Did you mean --file\?$/ },
  { args: ['models', '--colour'], message: /^There is no option --colour\.$/ },
  { args: ['models', '-x'], message: /^There is no option -x\.$/ },
  { args: ['exec', 'x', '--file'], message: /--file/ },
  { args: ['exec', 'x', '--session', 's', '--folder', 'f'], message: /either --session or --folder/ },
  { args: ['exec', 'x', ...Array<string>(11).fill('--file=a')], message: /10 files/ },
  { args: ['chat', 'hello'], message: /hello was not expected/ },
  { args: ['chat', '--file', 'a'], message: /--file/ },
  { args: ['models', 'x'], message: /not expected/ },
  { args: ['stop', 'a', 'b'], message: /b was not expected/ },
  { args: ['stop', '--json'], message: /--json/ },
  { args: ['gateway', '--port=x'], message: /0 to 65535, not x/ },
  { args: ['gateway', '--port='], message: /0 to 65535/ },
  { args: ['gateway', '--port=65536'], message: /0 to 65535/ },
  { args: ['token'], message: /create, list or revoke/ },
  { args: ['token', 'create'], message: /Name the program/ },
  { args: ['token', 'revoke'], message: /Name the id/ },
  { args: ['token', 'create', 'x', '--level=root'], message: /not root/ },
])('wrong arguments are refused in words: $args', ({ args, message }) => {
  expect(() => parse(...args)).toThrow(CliUsageError);
  expect(() => parse(...args)).toThrow(message);
});

const schedule = (...args: string[]) => parse('schedule', ...args);

test('schedule add takes a name, a task and one way to say when', () => {
  expect(
    schedule(
      'add',
      'News',
      'Read the news',
      '--cron',
      '0 7 * * *',
      '--time-zone=Europe/Berlin',
      '--folder=sub',
    ),
  ).toMatchObject({
    name: 'schedule',
    action: 'add',
    job: {
      name: 'News',
      task: 'Read the news',
      when: { kind: 'cron', expression: '0 7 * * *', timeZone: 'Europe/Berlin' },
      workspace: '/here/sub',
      profile: null,
      afterMissed: 'run_once',
    },
  });
  expect(schedule('add', 'News', 'Read', '--every=45', '--skip-missed')).toMatchObject({
    job: { when: { kind: 'interval', everyMs: 2_700_000 }, workspace: null, afterMissed: 'skip' },
  });
  expect(schedule('add', 'News', 'Read', '--at=2026-11-28T07:00Z')).toMatchObject({
    job: { when: { kind: 'once', at: Date.parse('2026-11-28T07:00Z') } },
  });
});

test.each(['2026-11-28T07:00', '2026-11-28T07:00:30', '2026-11-28T07:00+09:00', '2026-11-28T07:00:00.000Z'])(
  'schedule add takes the time %s',
  (at) => {
    expect(schedule('add', 'News', 'Read', `--at=${at}`)).toMatchObject({
      job: { when: { kind: 'once', at: Date.parse(at) } },
    });
  },
);

test.each([
  [['add', 'News', 'Read'], 'one of --at'],
  [['add', 'News', 'Read', '--every=5', '--cron=0 7 * * *'], 'one of --at'],
  [['add', 'News', 'Read', '--every=often'], 'number of minutes'],
  [['add', 'News', 'Read', '--at=tomorrow'], 'a time such as'],
  [['add', 'News', 'Read', '--at=7'], 'a time such as'],
  [['add', 'News', 'Read', '--at=2026-11-28'], 'a time such as'],
  [['add', 'News', 'Read', '--at=2026-02-30T07:00'], 'a time such as'],
  [['add', 'News', 'Read', '--at=2026-02-30T07:00Z'], 'a time such as'],
  [['add', 'News', 'Read', '--at=2026-13-01T07:00'], 'a time such as'],
  [
    ['add', 'News', 'Read', '--at=2026-11-28T07:00', '--time-zone=Asia/Tokyo'],
    '--time-zone belongs to --cron',
  ],
  [['add', 'News', 'Read', '--every=45', '--time-zone=Asia/Tokyo'], '--time-zone belongs to --cron'],
  [['add', 'News', '--every=5'], 'the task'],
  [['remove'], 'the id of a job'],
  [['pause', 'job_1'], 'list, add, remove or run'],
])('schedule %j is refused', (args, words) => {
  expect(() => schedule(...args)).toThrow(words);
});

test('usage is by model unless it is said otherwise', () => {
  expect(parse('usage')).toMatchObject({ name: 'usage', by: 'model', json: false });
  expect(parse('usage', '--by=person', '--json')).toMatchObject({ by: 'person', json: true });
  expect(() => parse('usage', '--by=cat')).toThrow('model, day or person');
});
