import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { numbered, withoutNumbers } from './argument-order.ts';

test('Arguments that the alphabet would turn around are numbered', () => {
  expect(numbered(['path', 'old_text', 'new_text'])).toEqual(['1_path', '2_old_text', '3_new_text']);
  expect(numbered(['path', 'content'])).toEqual(['1_path', '2_content']);
});

test('Arguments in the order of the alphabet keep their names', () => {
  expect(numbered(['command', 'timeout'])).toEqual(['command', 'timeout']);
  expect(numbered(['path'])).toEqual(['path']);
});

test('Whatever the names, numbered arguments are written in the order of the tool and read by its names', () => {
  const unsorted = fc
    .uniqueArray(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 9 })
    .filter((names) => names.toSorted().join() !== names.join());
  fc.assert(
    fc.property(unsorted, (names) => {
      const keys = numbered(names);
      expect(keys.toSorted()).toEqual(keys);
      const read = withoutNumbers(Object.fromEntries(keys.map((key) => [key, key])));
      expect(Object.keys(read).toSorted()).toEqual(names.toSorted());
    }),
  );
});

test('More than nine arguments keep their names', () => {
  const names = Array.from({ length: 10 }, (_, at) => `z${String(20 - at)}`);
  expect(numbered(names)).toEqual(names);
});

test('What is left out of numbered arguments is not missed', () => {
  const [team = '', , league = ''] = numbered(['team', 'season', 'league']);
  expect(withoutNumbers({ [team]: 'a', [league]: 'b' })).toEqual({ team: 'a', league: 'b' });
  expect(withoutNumbers({ [league]: 'b' })).toEqual({ league: 'b' });
});

test('Arguments that a tool itself has numbered are numbered once more', () => {
  expect(numbered(['1_a', '2_b'])).toEqual(['1_1_a', '2_2_b']);
  expect(withoutNumbers({ '2_2_b': 1 })).toEqual({ '2_b': 1 });
});

test('Arguments that are not all numbered, in this order, stay', () => {
  expect(withoutNumbers({ '1_a': 1, b: 2 })).toEqual({ '1_a': 1, b: 2 });
  expect(withoutNumbers({ '2_a': 1, '1_b': 2 })).toEqual({ '2_a': 1, '1_b': 2 });
  expect(withoutNumbers({ '1_a': 1, '1_b': 2 })).toEqual({ '1_a': 1, '1_b': 2 });
  expect(withoutNumbers({})).toEqual({});
});
