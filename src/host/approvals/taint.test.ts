import { expect, test } from 'vitest';
import type { Attachment } from '../../protocol/attachments.ts';
import type { Turn } from '../../protocol/model.ts';
import { readElsewhere } from './taint.ts';

/** A session of which the store knows just this. */
const read = (
  files: Partial<Attachment>[],
  turns: Partial<Turn>[],
  called: readonly string[] = [],
): string | null =>
  readElsewhere(
    {
      readSessionData: () => null,
      attachmentsOf: () => files as Attachment[],
      allTurns: () => turns as Turn[],
      hasCalled: (_sessionId, tools) => called.some((tool) => tools.has(tool)),
    },
    's1',
    'example.com',
  );

test('A session that has its own words alone has read nothing from elsewhere', () => {
  expect(read([], [{ text: 'Hello' }])).toBeNull();
});

test('What a server gave is from elsewhere: as a file, and as the beginning of a message', () => {
  const from = { server: 'notes', uri: '' };
  expect(read([{ name: 'picture-1.png', from }], [])).toBe('what the server “notes” wrote');
  const begun = { text: 'Plan it.', from: { server: 'notes', prompt: 'plan' } };
  expect(read([], [begun, { text: 'Go on.' }])).toBe('what the server “notes” wrote');
  expect(read([{ name: 'a.txt' }], [])).toBe('the attached file “a.txt”');
});

test.each(['tool_call', 'tool_search'])(
  'What %s brought was written by a server, so it is from elsewhere',
  (tool) => {
    expect(read([], [], [tool])).toBe('the result of a tool');
  },
);

test('What tools found in the folder is not from elsewhere', () => {
  expect(read([], [], ['read_file', 'run_command', 'search'])).toBeNull();
});
