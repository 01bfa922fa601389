import { expect, test } from 'vitest';
import { profileSchema, type Profile } from '../../protocol/model.ts';
import { buildHead } from './head.ts';

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
