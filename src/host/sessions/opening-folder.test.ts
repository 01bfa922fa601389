import { expect, test } from 'vitest';
import { opening } from '../prompt/opening.ts';
import { guidanceText } from '../prompt/skill-text.ts';
import { inFolder } from './opening-folder.ts';

const there = { path: '/there', platform: 'linux' };
const here = { path: '/a/longer/place/here', platform: 'darwin' };
const guidance = guidanceText({
  agents: { shown: 'AGENTS.md', text: 'Be brief.', isCut: false },
  skills: [{ name: 'cook', description: 'Cooks.' }],
  chosen: null,
});

test('A message in another folder keeps its words, and says where its opening ends', () => {
  const before = opening(there, 'Remembered: likes tea.', guidance);
  const message = { role: 'user' as const, content: `${before}Read a.txt`, opening: before.length };
  const moved = inFolder({ message, turnId: 't' }, here).message;
  if (moved.role !== 'user') throw new Error('Another message came back.');
  expect(moved.content.slice(moved.opening)).toBe('Read a.txt');
  expect(moved.content).toContain('/a/longer/place/here');
  expect(moved.content).not.toContain('Be brief.');
});

test('A message of which nobody kept where its opening ends does not say so in another folder', () => {
  const message = { role: 'user' as const, content: `${opening(there)}Read a.txt` };
  expect(inFolder({ message, turnId: 't' }, here).message).toEqual({
    role: 'user',
    content: `${opening(here)}Read a.txt`,
  });
});
