/** Tasks of at least four replies, as a model does them that makes no mistake. */
import type { JsonObject } from '../../../src/sim/render/index.ts';
import { holds, says } from '../real/checks.ts';
import { Draw } from '../real/draw.ts';
import { lines, type Task } from '../real/task.ts';

export interface ScriptedCall {
  name: string;
  arguments: JsonObject;
}

/** `seen`: every result that the model has read in this task. */
export interface Step {
  isDone(seen: string): boolean;
  call(seen: string): ScriptedCall;
}

export interface ScriptedTask extends Pick<Task, 'ask' | 'files' | 'check'> {
  id: string;
  steps: readonly Step[];
  /** Made from what was read, so a model that read nothing cannot give it. */
  answer(seen: string): string;
}

/** The same seed and number give the same task. */
export function makeTask(seed: number, number: number): ScriptedTask {
  const [id, make] = makers[number % makers.length] ?? ['change', change];
  return { id: `${id}-${number}`, ...make(new Draw(seed * 10_000 + number)) };
}

type Maker = (draw: Draw) => Omit<ScriptedTask, 'id'>;

const search = (pattern: string): ScriptedCall => ({ name: 'search', arguments: { pattern } });
const glob = (pattern: string): ScriptedCall => ({ name: 'glob', arguments: { pattern } });
const read = (path: string): ScriptedCall => ({ name: 'read_file', arguments: { path } });
const run = (command: string): ScriptedCall => ({ name: 'run_command', arguments: { command } });
const write = (path: string, content: string): ScriptedCall => ({
  name: 'write_file',
  arguments: { path, content },
});
const edit = (path: string, oldText: string, newText: string): ScriptedCall => ({
  name: 'edit_file',
  arguments: { path, old_text: oldText, new_text: newText },
});

/** The step is done once its result was read: something that stands nowhere else. */
const step = (sign: RegExp, call: Step['call']): Step => ({ isDone: (seen) => sign.test(seen), call });

/** What the newest match tells; empty where there is none, so that a guess is never right. */
function told(seen: string, sign: RegExp): string {
  return [...seen.matchAll(new RegExp(sign, 'gm'))].at(-1)?.[1] ?? '';
}

const written = (path: string): RegExp =>
  new RegExp(`(Created|Replaced) ${path}|${path} already has exactly`);
/** As a search tells it: before its line, or behind the lines around it. */
const foundAt = (path: string, line: number): RegExp =>
  new RegExp(`${path}:${line}:|\\(${path}, line ${line}\\)`);
const edited = (path: string): RegExp => new RegExp(`Edited ${path} `);

const change: Maker = (draw) => {
  const [name, folder, mark] = [draw.noun(), draw.noun(), draw.noun()];
  const [before, after] = [draw.number(), draw.number()];
  const path = `${folder}/${name}.js`;
  const limitLine = (limit: number): string => `export const ${name}Limit = ${limit};`;
  // So many that the lines around what is found do not tell the mark.
  const between = Array.from({ length: 9 }, () => '//');
  const source = (limit: number): string => lines(`// ${mark}`, ...between, limitLine(limit));
  return {
    ask: `Set the ${name} limit to ${after}, and show that it is so.`,
    files: { [path]: source(before), 'readme.md': lines(`# ${draw.noun()}`) },
    steps: [
      step(foundAt(path, 11), () => search(`${name}Limit`)),
      step(new RegExp(`// ${mark}`), (seen) => read(told(seen, /^\(?(\S+\.js)(?::11:|, line 11\))/))),
      step(edited(path), () => edit(path, limitLine(before), limitLine(after))),
      step(new RegExp(`stdout:[^]*Limit = ${after}`), () => run(`cat ${path}`)),
    ],
    answer: (seen) => `The limit is ${told(seen, /Limit = (\d+)/)} now.`,
    check: both(holds(path, source(after)), says([after])),
  };
};

const bothParts = (seen: string): string =>
  lines(told(seen, /^first part (\S+)/), told(seen, /^second part (\S+)/));

const join: Maker = (draw) => {
  const [a, b, target] = [`${draw.noun()}.txt`, `${draw.noun()}.txt`, `${draw.noun()}.md`];
  const [first, second] = [draw.code(), draw.code()];
  return {
    ask: `Put the part numbers of ${a} and ${b} into ${target}.`,
    files: { [a]: lines(`first part ${first}`), [b]: lines(`second part ${second}`) },
    steps: [
      step(/first part /, () => read(a)),
      step(/second part /, () => read(b)),
      step(written(target), (seen) => write(target, bothParts(seen))),
    ],
    answer: (seen) => `Both are in ${target}: ${bothParts(seen).trim().replace('\n', ' and ')}.`,
    check: both(holds(target, lines(first, second)), says([first, second])),
  };
};

const totalOf = (seen: string): number =>
  Number(told(seen, /^east (\d+)/)) + Number(told(seen, /^west (\d+)/));

const sum: Maker = (draw) => {
  const [folder, target] = [draw.noun(), `${draw.noun()}.txt`];
  const [x, y] = [draw.number(), draw.number()];
  return {
    ask: `Add up the two counts under ${folder} and write the sum into ${target}.`,
    files: { [`${folder}/a.count`]: lines(`east ${x}`), [`${folder}/b.count`]: lines(`west ${y}`) },
    steps: [
      step(new RegExp(`${folder}/a\\.count\\n${folder}/b\\.count`), () => glob('*.count')),
      step(/^east \d/m, () => read(`${folder}/a.count`)),
      step(/^west \d/m, () => read(`${folder}/b.count`)),
      step(written(target), (seen) => write(target, lines(totalOf(seen)))),
    ],
    answer: (seen) => `The sum is ${totalOf(seen)}.`,
    check: both(holds(target, String(x + y)), says([x + y])),
  };
};

const script: Maker = (draw) => {
  const [name, a, b] = [`${draw.noun()}.sh`, draw.number(), draw.number()];
  const [before, after] = [`echo before $((${a} + ${b}))\n`, `echo after $((${a} * ${b}))\n`];
  return {
    ask: `Write ${name}, which adds ${a} and ${b}; then let it multiply them instead, and run it both times.`,
    files: {},
    steps: [
      step(written(name), () => write(name, before)),
      step(/^before \d/m, () => run(`sh ${name}`)),
      step(edited(name), () => edit(name, before.trim(), after.trim())),
      step(/^after \d/m, () => run(`sh ${name}`)),
    ],
    answer: (seen) => `First ${told(seen, /^before (\d+)/)}, then ${told(seen, /^after (\d+)/)}.`,
    check: both(holds(name, after), says([a + b, a * b])),
  };
};

const release: Maker = (draw) => {
  const [major, minor, mark] = [draw.number(1, 40), draw.number(40, 90), draw.noun()];
  const version = (seen: string): string => `${told(seen, /^version (\d+)\./)}.${minor + 1}`;
  return {
    ask: 'Raise the minor version in version.txt by one and note the new version in changes.md.',
    files: { 'version.txt': lines(`name ${mark}`, `version ${major}.${minor}`) },
    steps: [
      step(new RegExp(`^name ${mark}`, 'm'), () => read('version.txt')),
      step(edited('version.txt'), (seen) =>
        edit('version.txt', `version ${told(seen, /^version (\d+\.\d+)/)}`, `version ${version(seen)}`),
      ),
      step(written('changes.md'), (seen) => write('changes.md', lines(`# ${version(seen)}`))),
    ],
    answer: (seen) => `It is version ${version(seen)} now.`,
    check: both(
      holds('version.txt', lines(`name ${mark}`, `version ${major}.${minor + 1}`)),
      both(holds('changes.md', `# ${major}.${minor + 1}`), says([`${major}.${minor + 1}`])),
    ),
  };
};

const order: Maker = (draw) => {
  const [item, shelf, other, price] = [draw.noun(), draw.noun(), draw.noun(), draw.number()];
  // So many that the lines around what is found do not tell the price.
  const between = Array.from({ length: 12 }, (_, at) => `part ${at};`);
  return {
    ask: `What does the ${item} cost? Note the price in order.txt as well.`,
    files: {
      [`stock/${other}.csv`]: lines('name;price', `${draw.noun()};${draw.number()}`),
      [`stock/${shelf}.csv`]: lines('name;price', `${item};see below`, ...between, `total;${price}`),
    },
    steps: [
      step(foundAt(`stock/${shelf}.csv`, 2), () => search(item)),
      step(/^total;/m, (seen) => read(told(seen, /^\(?(stock\/\S+?)(?::2:|, line 2\))/))),
      step(written('order.txt'), (seen) => write('order.txt', lines(told(seen, /^total;(\d+)/)))),
    ],
    answer: (seen) => `The ${item} costs ${told(seen, /^total;(\d+)/)}.`,
    check: both(holds('order.txt', String(price)), says([price])),
  };
};

const rowsAndLast = (seen: string): string =>
  lines(`rows: ${told(seen, /^(\d+) \S+\.log/)}`, `last: ${told(seen, /^entry (\S+)$/)}`);

const report: Maker = (draw) => {
  const [file, target] = [`${draw.noun()}.log`, `${draw.noun()}.md`];
  const [rows, last] = [draw.number(11, 40), draw.code()];
  const log = [...Array.from({ length: rows - 1 }, () => `entry ${draw.code()}`), `entry ${last}`];
  return {
    ask: `How many rows has ${file}, and which is the last entry? Put both into ${target}.`,
    files: { [file]: lines(...log) },
    steps: [
      step(new RegExp(`^${rows} ${file}`, 'm'), () => run(`wc -l ${file}`)),
      step(new RegExp(`^entry ${last}`, 'm'), (seen) => {
        const end = Number(told(seen, /^(\d+) \S+\.log/));
        return { name: 'read_file', arguments: { path: file, start_line: end - 2, end_line: end } };
      }),
      step(written(target), (seen) => write(target, rowsAndLast(seen))),
      step(new RegExp(`^last: ${last}`, 'm'), () => read(target)),
    ],
    answer: (seen) => `${rowsAndLast(seen)}It is in ${target}.`,
    check: both(holds(target, lines(`rows: ${rows}`, `last: ${last}`)), says([rows, last])),
  };
};

const rename: Maker = (draw) => {
  const [from, to, code] = [draw.noun(), draw.noun(), draw.code()];
  return {
    ask: `The note ${from} should be called ${to}. Tell me its number, too.`,
    files: { [`notes/${from}.note`]: lines(`number ${code}`) },
    steps: [
      step(new RegExp(`notes/${from}\\.note`), () => glob(`${from}.*`)),
      step(/^number /m, (seen) => read(told(seen, /^(notes\/\S+\.note)$/))),
      step(written(`notes/${to}.note`), (seen) =>
        write(`notes/${to}.note`, lines(`number ${told(seen, /^number (\S+)/)}`)),
      ),
      step(/^gone$/m, () => run(`rm -f notes/${from}.note && echo gone`)),
    ],
    answer: (seen) => `Done; its number is ${told(seen, /^number (\S+)/)}.`,
    check: both(holds(`notes/${to}.note`, `number ${code}`), (outcome) =>
      outcome.file(`notes/${from}.note`) === null ? says([code])(outcome) : 'the old note is still there',
    ),
  };
};

const makers: readonly (readonly [string, Maker])[] = [
  ['change', change],
  ['join', join],
  ['sum', sum],
  ['script', script],
  ['release', release],
  ['order', order],
  ['report', report],
  ['rename', rename],
];

/** So many tasks in a row are of different kinds. */
export const taskKinds = makers.length;

function both(first: Task['check'], second: Task['check']): Task['check'] {
  return (outcome) => first(outcome) ?? second(outcome);
}
