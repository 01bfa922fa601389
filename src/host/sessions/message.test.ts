import { expect, test } from 'vitest';
import { titleFrom } from './message.ts';

const titled = (text: string): string => titleFrom({ text });

test('a session is called by the first line of its first message, cut at a word (audit-U7)', () => {
  expect(titled('Mend the lease test\nIt fails at night.')).toBe('Mend the lease test');
  expect(titled('Find out why the lease of the kiln is renewed twice whenever the clock is set back')).toBe(
    'Find out why the lease of the kiln is renewed twice…',
  );
  const endless = 'x'.repeat(80);
  expect(titled(endless)).toBe(`${'x'.repeat(59)}…`);
});
