/** What takes two or three steps. */
import { allOf, gone, holds } from './checks.ts';
import { printing, startsNode } from './doing-scenarios.ts';
import { anyOf, reads, runsWith, searches } from './first-call.ts';
import type { Scenario } from './scenario.ts';
import { lines } from './task.ts';

export const stepScenarios: readonly Scenario[] = [
  {
    id: 'copy-field',
    kind: 'two steps',
    make(scene) {
      const fields = scene.fields();
      const { label, value } = scene.draw.pick(fields);
      const [file, out] = [scene.path(), scene.path(['txt'])];
      return {
        ask: scene.say('copyField', { file, label, out }),
        asks: 'change',
        files: { ...scene.clutter(), [file]: scene.letter(fields) },
        changes: [out],
        begins: anyOf(reads(file), searches(label)),
        check: holds(out, value),
        solution: { files: { [out]: value }, first: { tool: 'read_file', args: { path: file } } },
      };
    },
  },
  {
    id: 'remove-found',
    kind: 'two steps',
    make(scene) {
      const folder = scene.folder();
      const code = scene.draw.code();
      const paths = Array.from({ length: 2 + scene.draw.below(2) }, () => `${folder}/${scene.stem()}.txt`);
      const wanted = scene.draw.pick(paths);
      return {
        ask: scene.say('removeFound', { folder, code }),
        asks: 'change',
        files: {
          ...scene.clutter(),
          ...Object.fromEntries(
            paths.map((path) => [path, lines(scene.title(), path === wanted ? code : scene.draw.code())]),
          ),
        },
        changes: [wanted],
        begins: anyOf(searches(code), ...paths.map(reads)),
        check: gone(wanted),
        solution: { files: { [wanted]: null }, first: { tool: 'search', args: { pattern: code } } },
      };
    },
  },
  {
    id: 'save-output',
    kind: 'two steps',
    make(scene) {
      const [script, out] = [scene.scriptPath(), scene.path(['txt'])];
      const { code, number } = printing(scene);
      const command = `node ${script}`;
      return {
        ask: scene.say('saveOutput', { command: `\`${command}\``, out }),
        asks: 'change',
        files: { ...scene.clutter(), [script]: code },
        changes: [out],
        begins: startsNode(script),
        check: holds(out, String(number)),
        solution: { files: { [out]: String(number) }, first: { tool: 'run_command', args: { command } } },
      };
    },
  },
  {
    id: 'add-two',
    kind: 'three steps',
    make(scene) {
      const [file, other, out] = [scene.path(['txt']), scene.path(['txt']), scene.path(['txt'])];
      const [a, b] = [scene.draw.number(10, 50), scene.draw.number(50, 99)];
      return {
        ask: scene.say('addTwo', { file, other, out }),
        asks: 'change',
        files: { ...scene.clutter(), [file]: lines(a), [other]: lines(b) },
        changes: [out],
        begins: anyOf(reads(file), reads(other)),
        check: holds(out, String(a + b)),
        solution: { files: { [out]: `${a + b}\n` }, first: { tool: 'read_file', args: { path: file } } },
      };
    },
  },
  {
    id: 'backup',
    kind: 'three steps',
    make(scene) {
      const file = scene.path(['ini']);
      const copy = file.replace(/\.ini$/, '.bak');
      const [old, next, port] = [scene.draw.code(), scene.draw.code(), scene.draw.number()];
      const text = (code: string): string => lines('[main]', `port = ${port}`, `id = ${code}`);
      return {
        ask: scene.say('backup', { file, copy, old, new: next }),
        asks: 'change',
        files: { ...scene.clutter(), [file]: text(old) },
        changes: [file, copy],
        begins: anyOf(reads(file), runsWith(/\bcp\b/, file)),
        check: allOf(holds(copy, text(old)), holds(file, text(next))),
        solution: {
          files: { [copy]: text(old), [file]: text(next) },
          first: { tool: 'run_command', args: { command: `cp '${file}' '${copy}'` } },
        },
      };
    },
  },
  {
    id: 'clean',
    kind: 'three steps',
    make(scene) {
      const [script, out] = [scene.scriptPath(), scene.path(['txt'])];
      const { code, number } = printing(scene);
      const command = `node ${script}`;
      return {
        ask: scene.say('clean', { command: `\`${command}\``, script, out }),
        asks: 'change',
        files: { ...scene.clutter(), [script]: code },
        changes: [script, out],
        begins: startsNode(script),
        check: allOf(holds(out, String(number)), gone(script)),
        solution: {
          files: { [out]: String(number), [script]: null },
          first: { tool: 'run_command', args: { command } },
        },
      };
    },
  },
];
