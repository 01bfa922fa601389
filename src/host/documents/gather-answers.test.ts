import { expect, test } from 'vitest';
import type { DocumentAnswer } from './document-answers.ts';
import { createGathering, type Gathered } from './gather-answers.ts';

const pages = (count: number): DocumentAnswer[] => [
  { kind: 'begun', format: 'pdf' },
  { kind: 'total', parts: 5 },
  ...Array.from({ length: count }, (_, page) => ({
    kind: 'part' as const,
    label: `page ${String(page + 1)}`,
    text: `Text of page ${String(page + 1)}`,
  })),
];

function gathered(
  answers: readonly (DocumentAnswer | object)[],
  end: Parameters<ReturnType<typeof createGathering>['result']>[0],
): Gathered {
  const gathering = createGathering('a.pdf');
  for (const answer of answers) gathering.add(JSON.stringify(answer));
  return gathering.result(end);
}

const wordsOf = (found: Gathered): string =>
  'failure' in found ? found.failure.message : JSON.stringify(found.text);

test('A document that was read to its end has all of its parts, each behind a line of its own', () => {
  expect(gathered([...pages(2), { kind: 'end', limit: null }], 'done')).toEqual({
    text: {
      about: 'PDF, 5 pages',
      lines: ['[page 1]', 'Text of page 1', '[page 2]', 'Text of page 2'],
      marks: [
        { label: 'page 1', line: 1 },
        { label: 'page 2', line: 3 },
      ],
      limit: null,
    },
  });
});

test.each([
  ['time', 'only up to page 2, since reading takes longer than 20 s'],
  ['memory', 'only up to page 2, since reading takes more than 512 MB of memory'],
  ['broke', 'only up to page 2, since its reader broke off'],
  ['done', 'only up to page 2, since its reader broke off'],
] as const)('Whole pages that were read before an end by %s count, and it is said', (end, limit) => {
  expect(gathered(pages(2), end)).toMatchObject({ text: { limit, lines: { length: 4 } } });
});

test('Without a whole part that has text there is a failure, which may not come again', () => {
  const found = gathered(pages(0), 'time');
  expect(found).toMatchObject({ isSettled: false });
  expect(wordsOf(found)).toBe('a.pdf is not read: reading takes longer than 20 s.');
  const empty: DocumentAnswer = { kind: 'part', label: 'page 1', text: '' };
  expect(wordsOf(gathered([...pages(0), empty], 'memory'))).toContain('more than 512 MB of memory');
});

test('A Word document of which only a part came is none: nobody knows where it was cut', () => {
  const part: DocumentAnswer = { kind: 'part', label: '', text: 'half' };
  expect(gathered([{ kind: 'begun', format: 'docx' }, part], 'time')).toMatchObject({ isSettled: false });
});

test('What a problem says counts, whatever came before or comes after it', () => {
  const problem: DocumentAnswer = { kind: 'problem', problem: 'broken' };
  const found = gathered([...pages(2), problem, { kind: 'end', limit: null }], 'done');
  expect(found).toMatchObject({ isSettled: true });
  expect(wordsOf(found)).toBe('a.pdf is damaged, so it cannot be read.');
  expect(gathered([{ kind: 'problem', problem: 'none' }], 'done')).toEqual({ text: null });
});

test('An answer that no reader of ours gives is passed over', () => {
  const odd = [{ kind: 'total', parts: 'many' }, { kind: 'run', command: 'x' }, {}];
  expect(gathered([...odd, ...pages(1), ...odd, { kind: 'end', limit: 'parts' }], 'done')).toMatchObject({
    text: { about: 'PDF, 5 pages', limit: 'only its first 2,000 pages are read' },
  });
});
