import { expect, test } from 'vitest';
import { createLog } from './log.ts';

const circle: Record<string, unknown> = {};
circle['itself'] = circle;
const trap = {
  get inside(): string {
    throw new Error('a trap');
  },
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    throw new Error('another trap');
  },
};

function entries(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  write(
    createLog(
      (line) => void lines.push(line),
      () => 0,
      (line) => line,
    ),
  );
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('An entry is one line with its time, its level, its fields, and the words and stack of an error', () => {
  const error = new Error('The disk is full.');
  expect(entries((log) => log.error('it failed', error, { path: '/data' }))).toEqual([
    {
      at: '1970-01-01T00:00:00.000Z',
      level: 'error',
      message: 'it failed',
      path: '/data',
      error: 'The disk is full.',
      stack: error.stack,
    },
  ]);
});

test.each<[string, unknown, unknown]>([
  ['a value in circles', circle, 'itself'],
  ['a number that JSON lacks', 10n, '10n'],
  ['an object whose getter throws', trap, 'cannot be read'],
])('What is thrown may be %s: the log writes it in words and never throws (desk-P21)', (_, thrown, words) => {
  const [byError] = entries((log) => log.error('it failed', thrown));
  const [byField] = entries((log) => log.warn('it failed', { thrown }));
  for (const entry of [byError, byField]) {
    expect(entry).toMatchObject({ message: 'it failed', unwritable: expect.stringContaining(String(words)) });
  }
});

test('What must not be kept is taken out of a whole line, whichever part it came with', () => {
  const lines: string[] = [];
  const log = createLog(
    (line) => void lines.push(line),
    () => 0,
    (line) => line.replaceAll('secret', '(key)'),
  );
  log.error('a secret in words', new Error('a secret in an error'), { field: 'a secret in a field' });
  expect(lines.join('')).not.toContain('secret');
  expect(lines.join('').match(/\(key\)/g)?.length).toBeGreaterThanOrEqual(3);
});
