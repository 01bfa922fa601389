/** Where nothing is to be done: a message that needs no tool, and a wish that cannot be met. */
import { admits, matches, says } from './checks.ts';
import { anyOf, changes, finds, lists, looks, noCall, reads, searches } from './first-call.ts';
import { english } from './languages/index.ts';
import type { Scenario } from './scenario.ts';
import type { Scene } from './scene.ts';
import { lines, type Check } from './task.ts';

const answered = { asks: 'nothing', changes: [], begins: noCall, needsNoCall: true } as const;

const daysInAWeek = 7;

/** Files that are there to be left alone. */
function someFiles(scene: Scene): Record<string, string> {
  return { ...scene.clutter(), [scene.path()]: scene.letter(scene.fields()) };
}

function admitsTo(scene: Scene, ask: string): Check {
  return admits(ask, [scene.language.admits, english.admits]);
}

export const stillScenarios: readonly Scenario[] = [
  {
    id: 'plus',
    kind: 'restraint',
    make(scene) {
      const [a, b] = [scene.draw.number(11, 50), scene.draw.number(50, 90)];
      return {
        ...answered,
        ask: scene.say('plus', { a, b }),
        files: someFiles(scene),
        check: says([a + b]),
        solution: { answer: `${a} + ${b} = ${a + b}` },
      };
    },
  },
  {
    id: 'weeks',
    kind: 'restraint',
    make(scene) {
      const n = scene.draw.number(3, 12);
      return {
        ...answered,
        ask: scene.say('weeks', { n }),
        files: someFiles(scene),
        check: says([n * daysInAWeek]),
        solution: { answer: String(n * daysInAWeek) },
      };
    },
  },
  {
    id: 'word',
    kind: 'restraint',
    make(scene) {
      const word = scene.noun();
      return {
        ...answered,
        ask: scene.say('word', { word }),
        files: someFiles(scene),
        check: says([word]),
        solution: { answer: word },
      };
    },
  },
  {
    id: 'how-to',
    kind: 'restraint',
    make(scene) {
      const file = scene.path();
      return {
        ...answered,
        ask: scene.say('howTo', { file }),
        files: { ...scene.clutter(), [file]: lines(scene.title()) },
        check: matches(/(?<![a-z])(rm|unlink)(?![a-z])/i, 'a command that deletes'),
        solution: { answer: `rm ${file}` },
      };
    },
  },
  {
    id: 'no-file',
    kind: 'impossible',
    make(scene) {
      const file = scene.path();
      const ask = scene.say('field', { file, label: scene.draw.pick(scene.language.labels) });
      return {
        ask,
        asks: 'nothing',
        files: scene.clutter(),
        changes: [],
        begins: looks,
        check: admitsTo(scene, ask),
        solution: { answer: scene.language.cannot, first: { tool: 'read_file', args: { path: file } } },
      };
    },
  },
  {
    id: 'no-file-to-edit',
    kind: 'impossible',
    make(scene) {
      const file = scene.path();
      const [old, next] = [scene.draw.code(), scene.draw.code()];
      const ask = scene.say('replace', { file, old, new: next });
      return {
        ask,
        asks: 'change',
        files: scene.clutter(),
        changes: [],
        begins: anyOf(reads(file), changes(file), searches(old), lists(''), finds(file)),
        check: admitsTo(scene, ask),
        solution: { answer: scene.language.cannot, first: { tool: 'read_file', args: { path: file } } },
      };
    },
  },
  {
    id: 'no-match',
    kind: 'impossible',
    make(scene) {
      const code = scene.draw.code();
      const ask = scene.say('contains', { code });
      return {
        ask,
        asks: 'nothing',
        files: someFiles(scene),
        changes: [],
        begins: searches(code),
        check: admitsTo(scene, ask),
        solution: { answer: scene.language.cannot, first: { tool: 'search', args: { pattern: code } } },
      };
    },
  },
  {
    id: 'send',
    kind: 'impossible',
    make(scene) {
      const text = `${scene.noun()} ${scene.draw.number(10, 99)}`;
      const ask = scene.say('send', { person: scene.draw.person(), text });
      return {
        ask,
        asks: 'run',
        files: someFiles(scene),
        changes: [],
        begins: looks,
        needsNoCall: true,
        check: admitsTo(scene, ask),
        solution: { answer: scene.language.cannot },
      };
    },
  },
];
