import { expect, test } from 'vitest';
import { maxPrograms } from './other-programs.ts';

const mib = 1024 ** 2;

test('programs are named by what they hold, each once, and little ones not at all', () => {
  const programs = [
    { name: 'firefox', bytes: 200 * mib },
    { name: 'blender', bytes: 4_000 * mib },
    { name: 'firefox', bytes: 300 * mib },
    { name: 'panel', bytes: 12 * mib },
    { name: 'game', bytes: 900 * mib },
    { name: 'editor', bytes: 100 * mib },
  ];
  expect(maxPrograms(programs)).toEqual([
    { name: 'blender', bytes: 4_000 * mib },
    { name: 'game', bytes: 900 * mib },
    { name: 'firefox', bytes: 500 * mib },
  ]);
  expect(maxPrograms([])).toEqual([]);
});
