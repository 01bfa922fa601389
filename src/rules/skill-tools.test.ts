import { expect, test } from 'vitest';
import { isListedTool } from './skill-tools.ts';

test.each<[string, string, string, string | null, boolean]>([
  ['its own name', 'run_command', 'run_command', 'ls', true],
  ['the name of another client', 'Bash', 'run_command', 'ls', true],
  ['any command', 'Bash(*)', 'run_command', 'ls', true],
  ['another tool', 'Read', 'run_command', 'ls', false],
  ['a command by its first word', 'Bash(git:*)', 'run_command', 'git status', true],
  ['a command by its first words', 'Bash(git log *)', 'run_command', 'git log -3', true],
  ['a whole command', 'Bash(npm test)', 'run_command', 'npm test', true],
  ['more than a whole command', 'Bash(npm test)', 'run_command', 'npm test -- --all', false],
  ['a longer word', 'Bash(git:*)', 'run_command', 'gitx push', false],
  ['two commands in one', 'Bash(git:*)', 'run_command', 'git status; rm -r .', false],
  ['a command within another', 'Bash(git:*)', 'run_command', 'git log $(rm -r .)', false],
  ['a second line', 'Bash(git:*)', 'run_command', 'git log\nrm -r .', false],
  ['a place of an edit, which nothing here can tell', 'Edit(src/*)', 'edit_file', null, false],
  ['a write', 'Write', 'create_document', null, true],
  ['a name that every object has', 'constructor', 'edit_file', null, false],
])('A tool that a skill lists by %s: "%s" for %s (%s)', (_what, entry, tool, command, isListed) => {
  expect(isListedTool([entry], tool, command)).toBe(isListed);
});
