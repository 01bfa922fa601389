/** What leaves something behind in one step: command, write, edit. */
import { gone, holds, says } from './checks.ts';
import { anyOf, changes, reads, runs, runsWith, searches, writes } from './first-call.ts';
import type { Scenario } from './scenario.ts';
import type { Scene } from './scene.ts';
import { lines } from './task.ts';

/** A script that prints a number which is not in its text. */
export function printing(scene: Scene): { code: string; number: number } {
  const [a, b, c] = [scene.draw.number(100, 1000), scene.draw.number(100, 1000), scene.draw.number(10, 99)];
  return { code: lines(`console.log(${a} * ${b} + ${c});`), number: a * b + c };
}

export const startsNode = (script: string) =>
  runs(new RegExp(String.raw`\bnode\s+(\./)?${script.replaceAll(/[.]/g, String.raw`\.`)}`));

export const deletes = (path: string) => runsWith(/\b(rm|unlink|del|rmSync|unlinkSync|os\.remove)\b/, path);

const write = (path: string, content: string) => ({ tool: 'write_file', args: { path, content } });

export const doingScenarios: readonly Scenario[] = [
  {
    id: 'script',
    kind: 'command',
    make(scene) {
      const script = scene.scriptPath();
      const { code, number } = printing(scene);
      const command = `node ${script}`;
      return {
        ask: scene.say('script', { command: `\`${command}\`` }),
        asks: 'run',
        files: { ...scene.clutter(), [script]: code },
        changes: [],
        begins: startsNode(script),
        check: says([number]),
        solution: { answer: `${number}.`, first: { tool: 'run_command', args: { command } } },
      };
    },
  },
  {
    id: 'remove',
    kind: 'command',
    make(scene) {
      const file = scene.path();
      const kept = scene.path();
      return {
        ask: scene.say('remove', { file }),
        asks: 'change',
        files: { ...scene.clutter(), [kept]: lines(scene.title()), [file]: lines(scene.title()) },
        changes: [file],
        begins: deletes(file),
        check: gone(file),
        solution: {
          files: { [file]: null },
          first: { tool: 'run_command', args: { command: `rm '${file}'` } },
        },
      };
    },
  },
  {
    id: 'exact',
    kind: 'write',
    make(scene) {
      const file = scene.path();
      const text = `${scene.noun()} ${scene.draw.number()} ${scene.noun()}`;
      return {
        ask: scene.say('exact', { file, text }),
        asks: 'change',
        files: scene.clutter(),
        changes: [file],
        begins: writes(file),
        check: holds(file, text),
        solution: { files: { [file]: text }, first: write(file, text) },
      };
    },
  },
  {
    id: 'lines',
    kind: 'write',
    make(scene) {
      const file = scene.path();
      const [a, b, c] = [scene.noun(), scene.noun(), `${scene.noun()} ${scene.draw.number(10, 99)}`];
      const text = lines(a, b, c);
      return {
        ask: scene.say('lines', { file, a, b, c }),
        asks: 'change',
        files: scene.clutter(),
        changes: [file],
        begins: writes(file),
        check: holds(file, text),
        solution: { files: { [file]: text }, first: write(file, text) },
      };
    },
  },
  {
    id: 'replace',
    kind: 'edit',
    make(scene) {
      const file = scene.path();
      const [old, next] = [scene.draw.code(), scene.draw.code()];
      const fields = scene.fields();
      const [title, noun] = [scene.title(), scene.noun()];
      const text = (code: string): string =>
        lines(title, ...fields.map(({ label, value }) => `${label}: ${value}`), `${noun} ${code}`);
      return {
        ask: scene.say('replace', { file, old, new: next }),
        asks: 'change',
        files: { ...scene.clutter(), [file]: text(old) },
        changes: [file],
        begins: anyOf(reads(file), changes(file), searches(old)),
        check: holds(file, text(next)),
        solution: {
          files: { [file]: text(next) },
          first: { tool: 'edit_file', args: { path: file, old_text: old, new_text: next } },
        },
      };
    },
  },
  {
    id: 'append',
    kind: 'edit',
    make(scene) {
      const file = scene.path();
      const items = Array.from({ length: 2 + scene.draw.below(3) }, () => scene.noun());
      const text = `${scene.noun()} ${scene.draw.number()}`;
      return {
        ask: scene.say('append', { file, text }),
        asks: 'change',
        files: { ...scene.clutter(), [file]: lines(...items) },
        changes: [file],
        begins: anyOf(reads(file), changes(file)),
        check: holds(file, lines(...items, text)),
        solution: {
          files: { [file]: lines(...items, text) },
          first: { tool: 'read_file', args: { path: file } },
        },
      };
    },
  },
  {
    id: 'set',
    kind: 'edit',
    make(scene) {
      const file = scene.path(['json']);
      const key = scene.draw.pick(['port', 'timeout', 'retries', 'width']);
      const [old, value, other] = [scene.draw.number(), scene.draw.number(), scene.draw.number()];
      const name = scene.noun();
      const text = (setting: number): string =>
        lines('{', `  "name": "${name}",`, `  "${key}": ${setting},`, `  "limit": ${other}`, '}');
      return {
        ask: scene.say('set', { file, key, value }),
        asks: 'change',
        files: { ...scene.clutter(), [file]: text(old) },
        changes: [file],
        begins: anyOf(reads(file), changes(file), searches(key)),
        check: holds(file, text(value)),
        solution: { files: { [file]: text(value) }, first: { tool: 'read_file', args: { path: file } } },
      };
    },
  },
];
