import { expect, it } from 'vitest';
import { pathsIn, suggestedName } from './collection-look.ts';

it.each([
  ['/home/ann/manuals', 'manuals'],
  ['/home/ann/manuals/', 'manuals'],
  ['C:\\Users\\Ann\\Manuals', 'Manuals'],
  ['/', ''],
  [`/a/${'x'.repeat(80)}`, 'x'.repeat(60)],
])('The folder %s offers a name', (folder, name) => {
  expect(suggestedName({ folder, files: [] }, [])).toBe(name);
});

it.each([
  [['/law/tenancy.2024.pdf'], 'tenancy.2024'],
  [['/law/a.pdf', '/other/b.pdf'], 'law'],
  [['a.pdf', 'b.pdf'], 'a.pdf'],
])('The files %j offer a name', (files, name) => {
  expect(suggestedName({ folder: null, files }, [])).toBe(name);
});

it('Paths lose blanks, empty lines, the quotes of a file manager, and what is there twice', () => {
  expect(pathsIn(' /a b/c \n\n"C:\\x y"\n/a b/c\n\'/d\'\n/e"f')).toEqual(['/a b/c', 'C:\\x y', '/d', '/e"f']);
});
