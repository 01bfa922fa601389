import { expect, it } from 'vitest';
import { openTestWindow } from '../testing/window-kit.tsx';
import { exportSessions } from './export-sessions.ts';

async function windowWithSessions(words: string) {
  const { host, files, services } = await openTestWindow();
  host
    .answer('session/export', ({ sessionId }: { sessionId: string }) => ({ snapshot: [sessionId, words] }))
    .answer('session/export-markdown', () => ({ markdown: words }));
  return { files, services, read: () => files.saved.map(({ content }) => JSON.parse(content) as unknown) };
}

const sizeOf = ({ content }: { content: string }): number => new TextEncoder().encode(content).length;

it('sessions that are too much for one import are exported into several files, each of which can be taken in', async () => {
  // Counted as it is stored: this letter takes two bytes.
  const words = 'ä'.repeat(100);
  const { files, services, read } = await windowWithSessions(words);
  const sessionIds = ['a', 'b', 'c'];
  await exportSessions(services.host, services.files, { sessionIds: ['a', 'b'], form: 'json' }, 'All');
  const two = sizeOf(files.saved[0] ?? { content: '' });
  files.saved.length = 0;

  expect(
    await exportSessions(services.host, services.files, { sessionIds, form: 'json' }, 'All', two),
  ).toEqual({
    files: 2,
    outcome: 'handed-over',
    saved: sessionIds,
    leftOut: [],
  });
  expect(files.saved.map(({ name }) => name)).toEqual(['all.json', 'all-2.json']);
  expect(read()).toEqual([
    [
      ['a', words],
      ['b', words],
    ],
    [['c', words]],
  ]);
  files.saved.length = 0;
  await exportSessions(services.host, services.files, { sessionIds, form: 'json' }, 'All', two - 1);
  expect(files.saved.map(({ name }) => name)).toEqual(['all.json', 'all-2.json', 'all-3.json']);
  expect(Math.max(...files.saved.map(sizeOf))).toBeLessThan(two);
});

it('a text to be read is one file, however large', async () => {
  const { files, services } = await windowWithSessions('words');
  await exportSessions(services.host, services.files, { sessionIds: ['a', 'b'], form: 'markdown' }, 'All', 1);
  expect(files.saved.map(({ content }) => content)).toEqual(['words\n\n---\n\nwords\n']);
});

it('an export into several files ends at the first that the person does not save (desk-F1)', async () => {
  const { files, services } = await windowWithSessions('words');
  files.outcomes.push('completed', 'cancelled', 'completed');
  const several = { sessionIds: ['a', 'b', 'c'], form: 'json' } as const;
  expect(await exportSessions(services.host, services.files, several, 'All', 1)).toEqual({
    files: 1,
    outcome: 'cancelled',
    saved: ['a'],
    leftOut: [],
  });
  expect(files.outcomes).toEqual(['completed']);
});
