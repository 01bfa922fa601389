/** Tasks of the benchmark on real models: each can be failed, each can be done, and none is the same for every seed. */
import { expect, it } from 'vitest';
import { Draw } from '../bench/real/draw.ts';
import { languages } from '../bench/real/languages/index.ts';
import { frameIds } from '../bench/real/languages/language.ts';
import { judge, type Left } from '../bench/real/judge.ts';
import { Scene } from '../bench/real/scene.ts';
import { kinds, type Task } from '../bench/real/task.ts';
import { everything, makeTasks, scenarios } from '../bench/real/tasks.ts';

const seeds = [1, 2, 3, 4, 5];
const allTasks = seeds.flatMap((seed) => makeTasks(seed, everything));

const nothingDone: Left = { first: undefined, answer: '', deeds: [], isMarked: false, unfinished: '' };

const solved = ({ solution }: Task): Left => ({
  ...nothingDone,
  answer: solution.answer ?? 'Done.',
  first: solution.first,
  deeds: [{ tool: 'run_command', isOk: true, hasRun: true }],
});

function filesAfter({ files, solution }: Task): Map<string, string> {
  const after = new Map(Object.entries(files));
  for (const [path, content] of Object.entries(solution.files ?? {})) {
    if (content === null) after.delete(path);
    else after.set(path, content);
  }
  return after;
}

const asBefore = ({ files }: Task): Map<string, string> => new Map(Object.entries(files));

const nameOf = ({ id, ask }: Task): string => `${id}: ${ask}`;

it('there are at least 120 tasks, a third of them drawn freely, about half in English', () => {
  for (const seed of seeds) {
    const tasks = makeTasks(seed, everything);
    expect(tasks.length).toBeGreaterThanOrEqual(120);
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length);
    expect(tasks.filter(({ source }) => source === 'free').length).toBeGreaterThanOrEqual(tasks.length / 3);
    const english = tasks.filter(({ language }) => language === 'en').length / tasks.length;
    expect(english).toBeGreaterThan(0.4);
    expect(english).toBeLessThan(0.6);
  }
});

it('every seed has tasks of all ten kinds and in all ten languages', () => {
  for (const seed of seeds) {
    const tasks = makeTasks(seed, everything);
    expect(new Set(tasks.map(({ kind }) => kind))).toEqual(new Set(kinds));
    expect(new Set(tasks.map(({ language }) => language)).size).toBe(10);
  }
});

it('a task is not done while nothing was said and its files are untouched', () => {
  const passed = allTasks.filter(
    (task) => judge(task, new Map(Object.entries(task.files)), nothingDone).done,
  );
  expect(passed.map(nameOf)).toEqual([]);
});

it('a task is done, begun right and without harm when it is worked out as its maker says', () => {
  for (const task of allTasks) {
    expect({ task: nameOf(task), ...judge(task, filesAfter(task), solved(task)) }).toMatchObject({
      task: nameOf(task),
      begunRight: true,
      done: true,
      harm: null,
      claimsFalse: false,
    });
  }
});

it('every scenario can be asked for and done in every language, whatever is drawn', () => {
  for (const language of languages) {
    for (const { id, kind, ...scenario } of scenarios) {
      for (let seed = 1; seed <= 20; seed += 1) {
        const parts = scenario.make(new Scene(new Draw(seed * 7919), language));
        const task: Task = { id, kind, language: language.code, source: 'free', ...parts };
        expect(task.ask).not.toMatch(/[{}]|undefined| {2}/);
        expect([nameOf(task), judge(task, filesAfter(task), solved(task)).why]).toEqual([nameOf(task), '']);
        expect([nameOf(task), judge(task, asBefore(task), nothingDone).done]).toEqual([nameOf(task), false]);
      }
    }
  }
});

it('no sentence lacks a value that others of its kind give', () => {
  for (const { code, frames } of languages) {
    for (const id of frameIds) {
      const [english] = languages;
      const slots = slotsOf(english?.frames[id][0] ?? '');
      // Each of these sends in its own way: only by mail and phone is somebody named.
      if (id === 'send') continue;
      for (const frame of frames[id]) expect([code, frame, slotsOf(frame)]).toEqual([code, frame, slots]);
    }
  }
});

const slotsOf = (frame: string): string[] => [
  ...new Set([...frame.matchAll(/\{"?(\w+)"?\}/g)].map(([, name]) => name ?? '').toSorted()),
];

it('no language asks in the words of another', () => {
  const seen = new Map<string, string>();
  for (const { code, frames } of languages) {
    for (const [id, sentences] of Object.entries(frames)) {
      for (const frame of new Set(sentences)) {
        // Figures alone, or a name and a label, are put alike everywhere.
        if (!/\p{L}{3}/u.test(frame.replaceAll(/\{.*?\}/g, ''))) continue;
        const key = `${id} ${frame}`;
        expect([code, frame, seen.get(key)]).toEqual([code, frame, undefined]);
        seen.set(key, code);
      }
    }
  }
});

it('a seed makes the same tasks twice', () => {
  for (const seed of seeds)
    expect(plain(makeTasks(seed, everything))).toEqual(plain(makeTasks(seed, everything)));
});

it('another seed changes what every task asks or holds', () => {
  const [one, other] = [makeTasks(1, everything), makeTasks(2, everything)];
  const same = one.filter((task) => {
    const twin = other.find(({ id }) => id === task.id);
    return twin !== undefined && JSON.stringify(plain([task])) === JSON.stringify(plain([twin]));
  });
  expect(same.map(nameOf)).toEqual([]);
});

it('free tasks have another kind and language under another seed', () => {
  const situations = seeds.map((seed) =>
    makeTasks(seed, everything)
      .filter(({ source }) => source === 'free')
      .map(({ kind, language }) => `${kind} ${language}`)
      .join(),
  );
  expect(new Set(situations).size).toBe(seeds.length);
});

const plain = (tasks: readonly Task[]) =>
  tasks.map(({ ask, files, changes, solution }) => ({ ask, files, changes, solution }));

it('a task is the same whichever others are made with it', () => {
  const all = makeTasks(7, everything);
  for (const task of all) {
    const [alone] = makeTasks(7, { ...everything, only: task.id });
    expect(alone?.ask).toBe(task.ask);
  }
});

it('a selection takes the kinds and languages that it names', () => {
  const some = makeTasks(1, { ...everything, kinds: ['read', 'restraint'], languages: ['de', 'ja', 'zh'] });
  expect(some.length).toBeGreaterThan(0);
  for (const { kind, language } of some) {
    expect(['read', 'restraint']).toContain(kind);
    expect(['de', 'ja', 'zh']).toContain(language);
  }
  expect(() => makeTasks(1, { ...everything, languages: ['xx'] })).toThrow('No task is selected');
});

it('a draw takes so many tasks, other ones under another seed', () => {
  const ids = seeds.map((seed) => makeTasks(seed, { ...everything, draw: 40 }).map(({ id }) => id));
  for (const drawn of ids) expect(drawn).toHaveLength(40);
  expect(new Set(ids.map(String)).size).toBe(seeds.length);
});
