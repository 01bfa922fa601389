import { expect, test } from 'vitest';
import { withPlace } from './with-place.ts';

const content = '# cherry\n\n  carpet: DJ-7695\n(pencil/curtain 27.md, line 3)';
const search = {
  name: 'search',
  args: { pattern: 'DJ-7695' },
  mutates: false,
  ok: true,
  stale: false,
  content,
};

test.each(['carpet: DJ-7695', '# cherry', 'DJ-7695'])(
  'An answer that is a found line, or what was looked for, says where it stands: %s',
  (answer) => {
    expect(withPlace(answer, search)).toBe(`${answer} (pencil/curtain 27.md, line 3)`);
  },
);

test('An answer that is the name of the file in which it was found says in which folder', () => {
  expect(withPlace('curtain 27.md', search)).toBe('pencil/curtain 27.md');
  expect(withPlace('27.md', search)).toBe('27.md');
});

test.each([
  ['has its place', 'pencil/curtain 27.md, line 3'],
  ['is nothing but that', '(pencil/curtain 27.md, line 3)'],
  ['says it in other words', 'It is DJ-7695.'],
  ['is empty', ' '],
])('An answer stays as it is that %s', (_, answer) => {
  expect(withPlace(answer, search)).toBe(answer);
});

test('Of two places, or of another tool, none is added', () => {
  const two = `${content}\n\nDJ-7695\n(b.md, lines 2, 9)`;
  expect(withPlace('DJ-7695', { ...search, content: two })).toBe('DJ-7695');
  expect(withPlace('DJ-7695', { ...search, name: 'read_file' })).toBe('DJ-7695');
});
