import { expect, test } from 'vitest';
import { callsIn } from './call-shapes.ts';
import { offered } from './testing.ts';

test('An object under the name of a tool is a call where all its keys are arguments of it (audit-A14)', () => {
  expect(callsIn({ read_file: { path: 'a' } }, offered)).toEqual([
    { name: 'read_file', args: { path: 'a' } },
  ]);
  expect(callsIn({ read_file: { path: 'a', size: 3 } }, offered)).toBeNull();
});

test('An object under a name that only resembles a tool is an answer, not a call (audit-A14)', () => {
  expect(callsIn({ cat: { path: 'a' } }, offered)).toBeNull();
  expect(callsIn({ raed_file: { path: 'a' } }, offered)).toBeNull();
});
