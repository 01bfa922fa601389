import { expect, test } from 'vitest';
import { z } from 'zod';
import { profileSchema, type Profile } from '../../protocol/model.ts';
import { sameHead as beginAlike } from '../../rules/same-head.ts';
import { defineTool } from '../tools/define-tool.ts';
import type { Tool } from '../tools/tool.ts';
import { buildHead, sameHead } from './head.ts';

const profile: Profile = profileSchema.parse({
  id: 'tester',
  name: 'Tester',
  tools: [],
  builtIn: false,
  systemPrompt: 'You test.',
  subagentPrompt: '',
  persona: '',
});
const systemOf = (more: Partial<Profile>, persona: string): string =>
  buildHead({ ...profile, ...more }, persona, new Map()).system;

test('a profile without a persona of its own has that of all profiles, to the byte', () => {
  expect(systemOf({}, 'You are Andiron.\n')).toBe('You are Andiron.\n\n---\n\nYou test.');
  expect(systemOf({ persona: ' \n' }, 'You are Andiron.')).toBe('You are Andiron.\n\n---\n\nYou test.');
  expect(systemOf({}, '')).toBe('You test.');
});

test('its own persona takes the place of that one, before the prompt (P24)', () => {
  expect(systemOf({ persona: 'You are Ada.' }, 'You are Andiron.')).toBe('You are Ada.\n\n---\n\nYou test.');
});

const toolNamed = (name: string): Tool =>
  defineTool({
    name,
    description: name,
    parameters: z.object({}),
    mutates: false,
    retrySafe: true,
    risk: 'read',
    about: 'outside',
    timeoutMs: null,
    subject: () => '',
    need: () => {
      throw new Error('Nobody calls it.');
    },
    execute: () => Promise.resolve({ ok: true, content: '', display: null }),
  });

test('two profiles begin alike by the rule that the window asks exactly where their heads are the same bytes', () => {
  const tools = new Map(['a', 'b'].map((name) => [name, toolNamed(name)]));
  const prompts = ['You write.', ' You write.\n', 'You test.'];
  const variants = prompts.flatMap((systemPrompt) =>
    ['', ' \n', 'Ada'].flatMap((persona) =>
      [[], ['a'], ['a', 'b'], ['b', 'a']].map((own) => ({ ...profile, systemPrompt, persona, tools: own })),
    ),
  );
  for (const one of variants) {
    for (const other of variants) {
      const areSame = sameHead(buildHead(one, 'Andiron', tools), buildHead(other, 'Andiron', tools));
      expect(beginAlike(one, other)).toBe(areSame);
    }
  }
});
