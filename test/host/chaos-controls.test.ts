/** A control whose mistake can no longer be made in the source controls nothing. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { controls } from '../chaos/kills/controls.ts';

it.each(controls)('the mistake "$mistake" can still be made', ({ file, from }) => {
  const source = readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8');
  expect(source.split(from)).toHaveLength(2);
});
