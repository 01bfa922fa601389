/** Tasks that leave something in the workspace. Everybody writes in their own way. */
import { allOf, gone, holds, says } from './checks.ts';
import { anyOf, changes, reads, runs, searches, writes } from './first-call.ts';
import { lines, type FirstCall, type TaskMaker } from './task.ts';

export const doingTasks: readonly TaskMaker[] = [
  {
    id: 'shopping',
    kind: 'write',
    make(draw) {
      const text = `buy ${draw.number(3, 90)} ${draw.noun()}s`;
      return {
        ask: `Create todo.txt containing exactly: ${text}`,
        files: { 'readme.txt': lines('My lists.') },
        asks: 'change',
        changes: ['todo.txt'],
        begins: writes('todo.txt'),
        check: holds('todo.txt', text),
        solution: { files: { 'todo.txt': text }, first: write('todo.txt', text) },
      };
    },
  },
  {
    id: 'hello',
    kind: 'write',
    make(draw) {
      const word = `${draw.noun()}${draw.number(10, 99)}`;
      return {
        ask: `Would you mind making a file called hello.py that prints ${word} when it is run? Thanks!`,
        files: {},
        asks: 'change',
        changes: ['hello.py'],
        begins: writes('hello.py'),
        check: holds('hello.py', new RegExp(`print\\(\\s*f?(['"]+)${word}\\1\\s*\\)`)),
        solution: { files: { 'hello.py': `print('${word}')` }, first: write('hello.py', `print('${word}')`) },
      };
    },
  },
  {
    id: 'heading',
    kind: 'write',
    make(draw) {
      const project = draw.noun();
      return {
        ask: `ok so we need a readme for the ${project} project, nothing fancy, just put one markdown heading with the name of the project into docs/README.md, that's all, I'll write the rest myself over the weekend when the kids are asleep`,
        files: { 'docs/style.md': lines('# Style', '', 'Be brief.') },
        asks: 'change',
        changes: ['docs/README.md'],
        begins: writes('docs/README.md'),
        check: holds('docs/README.md', new RegExp(`^# .*${project}`, 'i')),
        solution: {
          files: { 'docs/README.md': `# The ${project} project` },
          first: write('docs/README.md', `# The ${project} project`),
        },
      };
    },
  },
  {
    id: 'colour',
    kind: 'edit',
    make(draw) {
      const [from, to] = [`#${draw.number(100_000, 999_999)}`, `#${draw.number(100_000, 999_999)}`];
      return {
        ask: `Change the colour ${from} in theme.css to ${to}.`,
        files: { 'theme.css': sheet(from) },
        asks: 'change',
        changes: ['theme.css'],
        begins: anyOf(reads('theme.css'), changes('theme.css'), searches(from)),
        check: holds('theme.css', sheet(to)),
        solution: { files: { 'theme.css': sheet(to) }, first: edit('theme.css', from, to) },
      };
    },
  },
  {
    id: 'typo',
    kind: 'edit',
    make(draw) {
      const [name, code] = [draw.noun(), draw.code()];
      const letter = (word: string): string =>
        lines('Dear Sir or Madam,', '', `please ${word} the ${name}, number ${code}.`, '', 'Kind regards');
      return {
        ask: 'theres a typo in letter.txt it says recieve but must be receive pls fix',
        files: { 'letter.txt': letter('recieve') },
        asks: 'change',
        changes: ['letter.txt'],
        begins: anyOf(reads('letter.txt'), changes('letter.txt'), searches('recieve')),
        check: holds('letter.txt', letter('receive')),
        solution: {
          files: { 'letter.txt': letter('receive') },
          first: edit('letter.txt', 'recieve', 'receive'),
        },
      };
    },
  },
  {
    id: 'overwrite',
    kind: 'edit',
    make(draw) {
      const [first, second, word] = [draw.noun(), draw.noun(), `${draw.noun()}${draw.number(10, 99)}`];
      return {
        ask: `Everything in door.txt is out of date. Replace all of it with the one line ${word}`,
        files: { 'door.txt': lines(first, second), 'window.txt': lines(second) },
        asks: 'change',
        changes: ['door.txt'],
        begins: anyOf(reads('door.txt'), changes('door.txt')),
        check: holds('door.txt', word),
        solution: { files: { 'door.txt': word }, first: write('door.txt', word) },
      };
    },
  },
  {
    id: 'append',
    kind: 'edit',
    make(draw) {
      const [a, b, c] = [draw.noun(), draw.noun(), draw.noun()];
      const list = [a, b];
      return {
        ask: `Add ${c} as new last line to list.txt, but what is already inside must stay.`,
        files: { 'list.txt': lines(...list) },
        asks: 'change',
        changes: ['list.txt'],
        begins: anyOf(reads('list.txt'), changes('list.txt')),
        check: holds('list.txt', lines(...list, c)),
        solution: { files: { 'list.txt': lines(...list, c) }, first: readFile('list.txt') },
      };
    },
  },
  {
    id: 'version',
    kind: 'two steps',
    make(draw) {
      const version = `${draw.number(1, 20)}.${draw.number(20, 60)}.${draw.number(60, 99)}`;
      return {
        ask: 'Read version.txt and write the same version into release/VERSION.',
        files: { 'version.txt': lines(version) },
        asks: 'change',
        changes: ['release/VERSION'],
        begins: reads('version.txt'),
        check: holds('release/VERSION', version),
        solution: { files: { 'release/VERSION': version }, first: readFile('version.txt') },
      };
    },
  },
  {
    id: 'remove',
    kind: 'two steps',
    make(draw) {
      const [code, a, b] = [draw.code(), `inbox/${draw.noun()}.txt`, `inbox/${draw.noun()}.txt`];
      return {
        ask: `one of the files in inbox has ${code} in it. find out which one and delete it, leave the other one alone`,
        files: { [a]: lines('Invoice', draw.code()), [b]: lines('Invoice', code) },
        asks: 'change',
        changes: [b],
        begins: anyOf(searches(code), reads(a), reads(b)),
        check: gone(b),
        solution: { files: { [b]: null }, first: readFile(a) },
      };
    },
  },
  {
    id: 'generate',
    kind: 'two steps',
    make(draw) {
      const [a, b] = [draw.number(), draw.number()];
      return {
        ask: 'Please: execute node gen.js, it gives one number. This number you save to result.txt. Then say me that is done.',
        files: { 'gen.js': lines(`console.log(${a} * 3 + ${b});`) },
        asks: 'change',
        changes: ['result.txt'],
        begins: runs(/\bnode\s+(\.\/)?gen\.js/),
        check: holds('result.txt', String(a * 3 + b)),
        solution: { files: { 'result.txt': `${a * 3 + b}\n` }, first: run('node gen.js') },
      };
    },
  },
  {
    id: 'birthday',
    kind: 'two steps',
    make(draw) {
      const [name, day, other] = [draw.person(), draw.number(1, 28), draw.person()];
      return {
        ask: `When is ${name}'s birthday? I need it in a file birthday.txt (only the date please) - family.csv knows it.`,
        files: {
          'family.csv': lines('name,birthday', `${other},1 June`, `${name},${day} October`),
        },
        asks: 'change',
        changes: ['birthday.txt'],
        begins: anyOf(reads('family.csv'), searches(name)),
        check: holds('birthday.txt', `${day} October`),
        solution: { files: { 'birthday.txt': `${day} October` }, first: readFile('family.csv') },
      };
    },
  },
  {
    id: 'sum',
    kind: 'three steps',
    make(draw) {
      const [a, b] = [draw.number(10, 50), draw.number(50, 99)];
      return {
        ask: 'Look into a.txt and b.txt, add the two numbers that you find there and put the sum in sum.txt.',
        files: { 'a.txt': lines(a), 'b.txt': lines(b) },
        asks: 'change',
        changes: ['sum.txt'],
        begins: anyOf(reads('a.txt'), reads('b.txt')),
        check: holds('sum.txt', String(a + b)),
        solution: { files: { 'sum.txt': String(a + b) }, first: readFile('a.txt') },
      };
    },
  },
  {
    id: 'backup',
    kind: 'three steps',
    make(draw) {
      const settings = (debug: boolean): string =>
        lines('{', `  "port": ${port},`, `  "debug": ${debug}`, '}');
      const port = draw.number();
      return {
        ask: 'could you make a copy of settings.json named settings.backup.json first, and after that set debug to true in settings.json? cheers',
        files: { 'settings.json': settings(false) },
        asks: 'change',
        changes: ['settings.json', 'settings.backup.json'],
        begins: anyOf(reads('settings.json'), runs(/\bcp\b.*settings\.json/)),
        check: allOf(holds('settings.backup.json', settings(false)), holds('settings.json', settings(true))),
        solution: {
          files: { 'settings.backup.json': settings(false), 'settings.json': settings(true) },
          first: run('cp settings.json settings.backup.json'),
        },
      };
    },
  },
  {
    id: 'price',
    kind: 'three steps',
    make(draw) {
      const [item, price, other] = [draw.noun(), draw.number(), draw.noun()];
      return {
        ask: `We have three stock lists in stock/. I want to know in which one the ${item} is. Write its price into price.txt and tell me the name of the list.`,
        files: {
          'stock/north.csv': lines('item,price', `${draw.noun()},${draw.number()}`),
          'stock/south.csv': lines('item,price', `${other},${draw.number()}`, `${item},${price}`),
          'stock/west.csv': lines('item,price', `${draw.noun()},${draw.number()}`),
        },
        asks: 'change',
        changes: ['price.txt'],
        begins: anyOf(
          searches(item),
          reads('stock/north.csv'),
          reads('stock/south.csv'),
          reads('stock/west.csv'),
        ),
        check: allOf(holds('price.txt', String(price)), says(['south'], ['north', 'west'])),
        solution: {
          answer: 'It is in south.csv.',
          files: { 'price.txt': String(price) },
          first: readFile('stock/north.csv'),
        },
      };
    },
  },
];

function sheet(colour: string): string {
  return lines('body {', '  margin: 0;', `  color: ${colour};`, '}', '', 'a {', '  color: blue;', '}');
}

const readFile = (path: string): FirstCall => ({ tool: 'read_file', args: { path } });
const run = (command: string): FirstCall => ({ tool: 'run_command', args: { command } });

const write = (path: string, content: string): FirstCall => ({ tool: 'write_file', args: { path, content } });
const edit = (path: string, old: string, next: string): FirstCall => ({
  tool: 'edit_file',
  args: { path, old_text: old, new_text: next },
});
