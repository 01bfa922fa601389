import { expect, test } from 'vitest';
import type { Approval } from '../protocol/model.ts';
import { answerTo, permissionChoices } from './permission-options.ts';

const approval = (changes: Partial<Approval> = {}): Approval => ({
  id: 'a',
  tool: 'run_command',
  risk: 'execute',
  summary: 'npm test',
  mutates: '',
  why: '',
  where: '/w',
  sandboxed: true,
  scopes: ['once'],
  requestedAt: 0,
  ...changes,
});
const words = ['npm', 'test'];

test('a question without more can be allowed once or declined', () => {
  const choices = permissionChoices(approval());
  expect(choices.map(({ option }) => option.kind)).toEqual(['allow_once', 'reject_once']);
  expect(choices.map(({ option }) => answerTo(option.optionId, choices))).toEqual([
    { decision: 'allow' },
    { decision: 'deny' },
  ]);
});

test('each lasting permission of a question is an option that says how far it goes', () => {
  const choices = permissionChoices(
    approval({
      scopes: ['once', 'session'],
      grant: { tool: 'edit_file', folder: '/w/src', shown: 'src' },
      rules: [
        { words, isExact: true },
        { words, isExact: false },
      ],
      host: { name: 'example.com', isPrivate: false, scopes: ['session', 'folder'] },
    }),
  );
  expect(choices.map(({ option, answer }) => [option.kind, option.name, answer])).toEqual([
    ['allow_once', 'Allow once', { decision: 'allow' }],
    ['allow_always', 'Allow for this session (edit_file in src)', { decision: 'allow', scope: 'session' }],
    [
      'allow_always',
      'Always allow "npm test" in this folder',
      { decision: 'allow', rule: { words, isExact: true } },
    ],
    [
      'allow_always',
      'Always allow "npm test …" in this folder',
      { decision: 'allow', rule: { words, isExact: false } },
    ],
    ['allow_always', 'Allow example.com for this session', { decision: 'allow', hostScope: 'session' }],
    ['allow_always', 'Allow example.com in this folder', { decision: 'allow', hostScope: 'folder' }],
    ['reject_once', 'Decline', { decision: 'deny' }],
  ]);
});

test('an option that was not offered declines', () => {
  expect(answerTo('session', permissionChoices(approval()))).toEqual({ decision: 'deny' });
});

test('A form of a server can only be declined, as an editor cannot fill it in', () => {
  const form = { server: 'notes', message: 'Your name?', wanted: { kind: 'fields' as const, fields: [] } };
  expect(permissionChoices(approval({ form })).map(({ answer }) => answer)).toEqual([{ decision: 'deny' }]);
});
