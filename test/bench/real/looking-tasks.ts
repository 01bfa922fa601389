/** Tasks that are done once the right thing was found. Everybody writes in their own way. */
import { says } from './checks.ts';
import type { Draw } from './draw.ts';
import { anyOf, finds, lists, reads, runs, searches } from './first-call.ts';
import { lines, type FirstCall, type TaskMaker } from './task.ts';

export const lookingTasks: readonly TaskMaker[] = [
  {
    id: 'port',
    kind: 'read',
    make(draw) {
      const [port, timeout] = [draw.number(), draw.number()];
      return {
        ask: 'config/server.toml - which port?',
        files: {
          'config/server.toml': lines(
            '[server]',
            'host = "127.0.0.1"',
            `port = ${port}`,
            `timeout_ms = ${timeout}`,
          ),
        },
        asks: 'nothing',
        changes: [],
        begins: reads('config/server.toml'),
        check: says([port]),
        solution: { answer: String(port), first: readFile('config/server.toml') },
      };
    },
  },
  {
    id: 'projector',
    kind: 'read',
    make(draw) {
      const [chair, helper, late] = [draw.person(), draw.person(), draw.person()];
      return {
        ask: 'Hi! Could you please have a look at notes/meeting.md and tell me who is going to bring the projector? Thank you so much.',
        files: {
          'notes/meeting.md': lines(
            '# Meeting on Thursday',
            '',
            `- ${chair} leads the meeting.`,
            `- ${helper} brings the projector.`,
            `- ${late} will be half an hour late.`,
          ),
          'notes/shopping.md': lines('- coffee', '- biscuits'),
        },
        asks: 'nothing',
        changes: [],
        begins: reads('notes/meeting.md'),
        check: says([helper], [late]),
        solution: { answer: helper, first: readFile('notes/meeting.md') },
      };
    },
  },
  {
    id: 'lease',
    kind: 'read',
    make(draw) {
      const [contract, customer] = [draw.code(), draw.code()];
      return {
        ask: "So I was on the phone with my landlord this morning and he kept asking for the contract number and I really couldn't remember it, it must be in letters/lease.txt because that's where I put everything when we moved in, anyway, what is that contract number?",
        files: {
          'letters/lease.txt': lines(
            'Dear tenant,',
            '',
            `thank you for signing. Your customer number is ${customer}.`,
            `Contract number: ${contract}`,
            'Please quote the contract number in every letter.',
          ),
        },
        asks: 'nothing',
        changes: [],
        begins: reads('letters/lease.txt'),
        check: says([contract]),
        solution: { answer: contract, first: readFile('letters/lease.txt') },
      };
    },
  },
  {
    id: 'wifi',
    kind: 'read',
    make(draw) {
      const password = `${draw.noun()}-${draw.number()}-${draw.noun()}`;
      return {
        ask: 'Hello, I am need the password that stay in file wifi.txt, can you say me it?',
        files: { 'wifi.txt': lines('network: Attic', `password: ${password}`) },
        asks: 'nothing',
        changes: [],
        begins: reads('wifi.txt'),
        check: says([password]),
        solution: { answer: `The password is ${password}.`, first: readFile('wifi.txt') },
      };
    },
  },
  {
    id: 'journal',
    kind: 'read',
    make(draw) {
      const things = Array.from({ length: 6 }, () => draw.noun());
      const last = draw.number();
      return {
        ask: 'whats the last line in journal.log say',
        files: {
          'journal.log': lines(
            ...things.map((thing, day) => `2031-04-0${day + 1} checked the ${thing}`),
            `2031-04-07 shipped order ${last}`,
          ),
        },
        asks: 'nothing',
        changes: [],
        begins: reads('journal.log'),
        check: says([last], things.slice(0, 3)),
        solution: { answer: `2031-04-07 shipped order ${last}`, first: readFile('journal.log') },
      };
    },
  },
  {
    id: 'guest',
    kind: 'read',
    make(draw) {
      const guests = Array.from({ length: 9 }, () => draw.person());
      const [wanted = '', ...others] = [guests[6], ...guests.slice(0, 6), ...guests.slice(7)];
      return {
        ask: 'Which name stands on line 7 of guests.txt?',
        files: { 'guests.txt': lines(...guests) },
        asks: 'nothing',
        changes: [],
        begins: reads('guests.txt'),
        check: says(
          [wanted],
          others.filter((each) => each !== undefined),
        ),
        solution: { answer: wanted, first: readFile('guests.txt') },
      };
    },
  },
  {
    id: 'folder',
    kind: 'read',
    make(draw) {
      const names = Array.from({ length: 3 }, () => `${draw.noun()}-${draw.number()}.txt`);
      return {
        ask: "What's in the folder reports?",
        files: Object.fromEntries(names.map((name) => [`reports/${name}`, lines('A report.')])),
        asks: 'nothing',
        changes: [],
        begins: lists('reports'),
        check: says(names),
        solution: { answer: names.join(', '), first: { tool: 'list_files', args: { path: 'reports' } } },
      };
    },
  },
  {
    id: 'find-word',
    kind: 'search',
    make(draw) {
      const [word, paths] = [draw.code(), severalTexts(draw)];
      const [wanted = '', ...others] = paths;
      return {
        ask: `Find the file that contains ${word}. Answer with its path only.`,
        files: {
          ...Object.fromEntries(
            others.map((path) => [path, lines('Nothing of interest here.', draw.code())]),
          ),
          [wanted]: lines('Some notes.', `The spare part is ${word}.`),
        },
        asks: 'nothing',
        changes: [],
        begins: searches(word),
        check: says([wanted], others),
        solution: { answer: wanted, first: search(word) },
      };
    },
  },
  {
    id: 'phone',
    kind: 'search',
    make(draw) {
      const [name, other, phone, wrong] = [draw.person(), draw.person(), draw.number(), draw.number()];
      const [mine = '', theirs = ''] = severalTexts(draw);
      return {
        ask: `i forgot where i wrote down ${name.toLowerCase()}s phone number, its in one of these text files somewhere, what is it`,
        files: {
          [mine]: lines('People to call', `${name}: 555 ${phone}`),
          [theirs]: lines('People to write to', `${other}: 555 ${wrong}`),
        },
        asks: 'nothing',
        changes: [],
        begins: searches(name),
        check: says([phone], [wrong]),
        solution: { answer: `555 ${phone}`, first: search(name) },
      };
    },
  },
  {
    id: 'thrown',
    kind: 'search',
    make(draw) {
      const code = `E${draw.number()}`;
      const [right, wrong] = [draw.noun(), draw.noun()];
      return {
        ask: `In which function is throwed the error ${code}? I not find it.`,
        files: {
          'src/first.js': source(wrong, `E${draw.number()}`),
          'src/second.js': source(right, code),
        },
        asks: 'nothing',
        changes: [],
        begins: searches(code),
        check: says([`${right}Check`], [`${wrong}Check`]),
        solution: { answer: `${right}Check`, first: search(code) },
      };
    },
  },
  {
    id: 'count',
    kind: 'search',
    make(draw) {
      const [word, times] = [draw.noun(), draw.number(11, 20)];
      return {
        ask: `How many lines under logs mention the word ${word}?`,
        files: {
          'logs/app.log': lines(
            ...Array.from({ length: times }, (_, at) => `10:${10 + at} ${word} opened`),
            '11:00 closed',
            '11:01 done',
          ),
        },
        asks: 'nothing',
        changes: [],
        begins: searches(word),
        check: says([times]),
        solution: { answer: String(times), first: search(word) },
      };
    },
  },
  {
    id: 'csv',
    kind: 'search',
    make(draw) {
      const [a, b, c] = [draw.noun(), draw.noun(), draw.noun()];
      const other = draw.noun();
      return {
        ask: 'list me every .csv you can find, subfolders too pls',
        files: {
          [`${a}.csv`]: lines('a,b'),
          [`data/${b}.csv`]: lines('a,b'),
          [`data/old/${c}.csv`]: lines('a,b'),
          [`data/${other}.md`]: lines('# Not a table'),
        },
        asks: 'nothing',
        changes: [],
        begins: finds('csv'),
        check: says([`${a}.csv`, `${b}.csv`, `${c}.csv`], [`${other}.md`]),
        solution: {
          answer: `${a}.csv, data/${b}.csv, data/old/${c}.csv`,
          first: { tool: 'glob', args: { pattern: '**/*.csv' } },
        },
      };
    },
  },
  {
    id: 'checksum',
    kind: 'command',
    make(draw) {
      const [a, b] = [draw.number(100, 1000), draw.number(100, 1000)];
      return {
        ask: 'Run `node tools/checksum.js` and tell me the number it prints.',
        files: { 'tools/checksum.js': lines(`console.log(${a} * ${b} + 7);`) },
        asks: 'run',
        changes: [],
        begins: runs(/\bnode\s+(\.\/)?tools\/checksum\.js/),
        check: says([a * b + 7]),
        solution: { answer: String(a * b + 7), first: run('node tools/checksum.js') },
      };
    },
  },
  {
    id: 'greet',
    kind: 'command',
    make(draw) {
      const [a, b, noun] = [draw.number(), draw.number(), draw.noun()];
      return {
        ask: 'could u run greet.sh with sh for me and say what comes out',
        files: { 'greet.sh': lines(`n=$((${a} + ${b}))`, `echo "hello $n ${noun}s"`) },
        asks: 'run',
        changes: [],
        begins: runs(/\b(ba)?sh\s+(\.\/)?greet\.sh|\.\/greet\.sh/),
        check: says([a + b, `${noun}s`]),
        solution: { answer: `hello ${a + b} ${noun}s`, first: run('sh greet.sh') },
      };
    },
  },
  {
    id: 'tests',
    kind: 'command',
    make(draw) {
      const [good, bad, n] = [draw.noun(), draw.noun(), draw.number()];
      return {
        ask: "Do the tests pass? They are in test.js, just run it with node. If one fails I'd like to know its name.",
        files: {
          'test.js': lines(
            `const report = (name, ok) => { console.log((ok ? 'ok ' : 'FAILED ') + name); if (!ok) process.exitCode = 1; };`,
            `const half = (n) => n / 2;`,
            `report('${good} test', half(${2 * n}) === ${n});`,
            `report('${bad} test', half(${n}) === ${n});`,
          ),
        },
        asks: 'run',
        changes: [],
        begins: runs(/\bnode\s+(\.\/)?test\.js/),
        check: says([bad], [good]),
        solution: { answer: `${bad} test`, first: run('node test.js') },
      };
    },
  },
  {
    id: 'size',
    kind: 'command',
    make(draw) {
      const bytes = draw.number(600, 1000);
      return {
        ask: 'Please be so kind and count with wc how many bytes there are in data.txt.',
        files: { 'data.txt': 'x'.repeat(bytes) },
        asks: 'run',
        changes: [],
        begins: anyOf(runs(/\bwc\b.*data\.txt/), runs(/data\.txt.*\bwc\b/)),
        check: says([bytes]),
        solution: { answer: `${bytes} bytes`, first: run('wc -c data.txt') },
      };
    },
  },
];

function severalTexts(draw: Draw): string[] {
  return ['notes', 'private', 'old'].map((folder) => `${folder}/${draw.noun()}.txt`);
}

function source(name: string, error: string): string {
  return lines(
    `export function ${name}Check(value) {`,
    `  if (!value) throw new Error('${error}');`,
    '  return value;',
    '}',
  );
}

const readFile = (path: string): FirstCall => ({ tool: 'read_file', args: { path } });
const search = (pattern: string): FirstCall => ({ tool: 'search', args: { pattern } });
const run = (command: string): FirstCall => ({ tool: 'run_command', args: { command } });
