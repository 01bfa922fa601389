/** What is done once the right thing was found: read, search, compute. */
import { says } from './checks.ts';
import { anyOf, finds, lists, reads, runsWith, searches } from './first-call.ts';
import type { Scenario } from './scenario.ts';
import { lines } from './task.ts';

const nothingChanges = { asks: 'nothing', changes: [] } as const;

/** Some program that looks into the file. */
const counting = /\b(wc|awk|cat|sort|cut|sed|grep|tail|head|python3?|node|perl|paste|bc)\b/;

const nameOf = (path: string): string => path.split('/').at(-1) ?? path;

const looksInto = (path: string) => anyOf(reads(path), runsWith(counting, path));

const readFile = (path: string) => ({ tool: 'read_file', args: { path } });

export const lookingScenarios: readonly Scenario[] = [
  {
    id: 'field',
    kind: 'read',
    make(scene) {
      const fields = scene.fields();
      const { label, value } = scene.draw.pick(fields);
      const file = scene.path();
      return {
        ...nothingChanges,
        ask: scene.say('field', { label, file }),
        files: { ...scene.clutter(), [file]: scene.letter(fields) },
        begins: anyOf(reads(file), searches(label)),
        check: says(
          [value],
          fields.map((field) => field.value).filter((each) => each !== value),
        ),
        solution: { answer: `${label}: ${value}`, first: readFile(file) },
      };
    },
  },
  {
    id: 'day',
    kind: 'read',
    make(scene) {
      const { days } = scene.language;
      const rota = days.map((day) => ({ day, person: scene.draw.person() }));
      const wanted = scene.draw.pick(rota);
      const file = scene.path();
      const others = rota.filter((each) => each !== wanted).map(({ person }) => person);
      return {
        ...nothingChanges,
        ask: scene.say('day', { file, day: wanted.day.on }),
        files: {
          ...scene.clutter(),
          [file]: lines(scene.title(), ...rota.map(({ day, person }) => `- ${day.name}: ${person}`)),
        },
        begins: anyOf(reads(file), searches(wanted.day.name)),
        check: says([wanted.person], others),
        solution: { answer: wanted.person, first: readFile(file) },
      };
    },
  },
  {
    id: 'folder',
    kind: 'read',
    make(scene) {
      const folder = scene.folder();
      const names = Array.from({ length: 2 + scene.draw.below(3) }, () => `${scene.stem()}.txt`);
      return {
        ...nothingChanges,
        ask: scene.say('folder', { folder }),
        files: {
          ...scene.clutter(),
          ...Object.fromEntries(names.map((name) => [`${folder}/${name}`, lines(scene.title())])),
        },
        begins: lists(folder),
        check: says(names),
        solution: { answer: names.join(', '), first: { tool: 'list_files', args: { path: folder } } },
      };
    },
  },
  {
    id: 'contains',
    kind: 'search',
    make(scene) {
      const code = scene.draw.code();
      const paths = Array.from({ length: 3 + scene.draw.below(2) }, () => scene.path());
      const wanted = scene.draw.pick(paths);
      return {
        ...nothingChanges,
        ask: scene.say('contains', { code }),
        files: Object.fromEntries(
          paths.map((path) => [
            path,
            lines(scene.title(), scene.draw.code(), ...(path === wanted ? [`${scene.noun()}: ${code}`] : [])),
          ]),
        ),
        begins: searches(code),
        check: says([nameOf(wanted)], paths.filter((path) => path !== wanted).map(nameOf)),
        solution: { answer: wanted, first: { tool: 'search', args: { pattern: code } } },
      };
    },
  },
  {
    id: 'matches',
    kind: 'search',
    make(scene) {
      const [code, other, folder] = [scene.draw.code(), scene.draw.code(), scene.folder()];
      const times = scene.draw.number(11, 20);
      const written = scene.draw.shuffled([
        ...Array.from({ length: times }, (_, at) => `10:${10 + at} ${code}`),
        ...Array.from({ length: 3 + scene.draw.below(4) }, (_, at) => `11:${10 + at} ${other}`),
      ]);
      return {
        ...nothingChanges,
        ask: scene.say('matches', { code, folder }),
        files: { ...scene.clutter(), [`${folder}/${scene.stem()}.log`]: lines(...written) },
        begins: searches(code),
        check: says([times]),
        solution: { answer: String(times), first: { tool: 'search', args: { pattern: code, path: folder } } },
      };
    },
  },
  {
    id: 'ending',
    kind: 'search',
    make(scene) {
      const ending = scene.draw.pick(['csv', 'json', 'html']);
      const found = Array.from({ length: 2 + scene.draw.below(3) }, () => scene.path([ending]));
      const other = `${scene.stem()}.md`;
      return {
        ...nothingChanges,
        ask: scene.say('ending', { ending: `.${ending}` }),
        files: { ...Object.fromEntries(found.map((path) => [path, lines('a,b')])), [other]: lines('a') },
        begins: finds(ending),
        check: says(found.map(nameOf), [other]),
        solution: { answer: found.join('\n'), first: { tool: 'glob', args: { pattern: `**/*.${ending}` } } },
      };
    },
  },
  {
    id: 'sum',
    kind: 'compute',
    make(scene) {
      const rows = scene.prices(4 + scene.draw.below(3));
      const file = scene.path(['csv']);
      const total = rows.reduce((sum, { price }) => sum + price, 0);
      return {
        ...nothingChanges,
        ask: scene.say('sum', { file }),
        files: { ...scene.clutter(), [file]: scene.table(rows) },
        begins: looksInto(file),
        check: says([total]),
        solution: { answer: `= ${total}`, first: readFile(file) },
      };
    },
  },
  {
    id: 'highest',
    kind: 'compute',
    make(scene) {
      const rows = scene.prices(5 + scene.draw.below(3));
      const file = scene.path(['csv']);
      const [most, ...others] = rows.toSorted((one, other) => other.price - one.price);
      const item = most?.item ?? '';
      return {
        ...nothingChanges,
        ask: scene.say('highest', { file }),
        files: { ...scene.clutter(), [file]: scene.table(rows) },
        begins: looksInto(file),
        check: says(
          [item],
          others.map((each) => each.item),
        ),
        solution: { answer: item, first: readFile(file) },
      };
    },
  },
  {
    id: 'rows',
    kind: 'compute',
    make(scene) {
      const count = scene.draw.number(11, 30);
      const file = scene.path(['csv']);
      const rows = Array.from({ length: count }, () => ({
        item: scene.draw.code(),
        price: scene.draw.number(100, 999),
      }));
      return {
        ...nothingChanges,
        ask: scene.say('rows', { file }),
        files: { ...scene.clutter(), [file]: scene.table(rows) },
        begins: looksInto(file),
        check: says([count], [count + 1]),
        solution: { answer: String(count), first: readFile(file) },
      };
    },
  },
];
