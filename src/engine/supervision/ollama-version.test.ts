import { expect, test } from 'vitest';
import { isOutdated } from './ollama-version.ts';

test.each([
  ['0.33.2', true],
  ['0.40.1', true],
  ['v0.40.1-rc2', true],
  ['0.40.2', false],
  ['0.40.10', false],
  ['0.41.0', false],
  ['1.0.0', false],
])('%s is older than what Andiron was tried with: %s', (version, expected) => {
  expect(isOutdated(version)).toBe(expected);
});

test.each(['0.0.0', '0.0.0-dev', 'nightly', ''])('%j says nothing about its age', (version) => {
  expect(isOutdated(version)).toBe(false);
});
