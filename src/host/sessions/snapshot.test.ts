import { expect, test } from 'vitest';
import { AndironError } from '../../protocol/errors.ts';
import { textItem, toolItem, turn } from '../store/testing.ts';
import { toMarkdown } from './markdown.ts';
import { createPace } from '../../platform/event-loop.ts';
import { readSnapshot as readInSlices, type SessionSnapshotFile } from './snapshot.ts';

const readSnapshot = (raw: unknown) => readInSlices(raw, createPace({ monotonic: () => performance.now() }));

const file = (more: Partial<Record<keyof SessionSnapshotFile, unknown>> = {}): Record<string, unknown> => ({
  format: 'andiron-session',
  version: 1,
  exportedAt: 1,
  session: {
    title: 'A session',
    workspace: '/work',
    workspaceReal: '/work',
    platform: 'linux',
    profileId: 'developer',
    model: null,
    contextUsage: null,
  },
  turns: [turn({ status: 'finished', closed: true, phase: null, phaseSince: null, endedAt: 2 })],
  items: [textItem(0)],
  context: [{ message: { role: 'user', content: 'hello' }, turnId: 't' }],
  todo: { steps: [] },
  scratchpad: {},
  ...more,
});

async function refusal(raw: unknown): Promise<AndironError> {
  try {
    await readSnapshot(raw);
  } catch (error) {
    if (error instanceof AndironError) return error;
    throw error;
  }
  throw new Error('It was read.');
}

test('a whole one is read, as a value and as text', async () => {
  expect(await readSnapshot(file())).toEqual(file());
  expect(await readSnapshot(JSON.stringify(file()))).toEqual(file());
});

test('what it says still runs or waits for an answer is cut: nobody here could answer or stop it', async () => {
  const agent = {
    id: 'a',
    profileId: 'p',
    model: null,
    task: 't',
    stopReason: null,
    iterations: 0,
    toolCalls: 0,
  };
  const states = ['streaming', 'awaiting_approval', 'running', 'done'] as const;
  const { turns, items } = await readSnapshot(
    file({
      turns: [turn({ status: 'finished', closed: true, phase: 'approval', phaseSince: 1, planning: 2 })],
      items: [
        ...states.map((state, index) => toolItem(index, { state, completedAt: 1 })),
        toolItem(4, {
          state: 'done',
          completedAt: 1,
          agent: { ...agent, state: 'running', outputTokens: null, startedAt: 1, endedAt: null },
        }),
        textItem(5, { completedAt: null }),
      ],
    }),
  );
  expect(turns).toMatchObject([{ phase: null, phaseSince: null, endedAt: 1 }]);
  expect(turns[0]).not.toHaveProperty('planning');
  expect(
    items.map((item) => [item.kind === 'tool' ? item.state : item.kind, item.completedAt, item.cut]),
  ).toEqual([
    ['interrupted', 1, true],
    ['interrupted', 1, true],
    ['interrupted', 1, true],
    ['done', 1, false],
    ['interrupted', 1, true],
    ['text', 1, true],
  ]);
  expect(items[4]).toMatchObject({ agent: { state: 'ended', endedAt: 1 } });
});

const deep = (): unknown => {
  let value: unknown = 1;
  for (let depth = 0; depth < 100_000; depth += 1) value = [value];
  return value;
};

const hostile: [what: string, raw: unknown, said: RegExp][] = [
  ['nothing', undefined, /not a session/],
  ['a number', 7, /not a session/],
  ['a list', [], /not a session/],
  ['another program', { messages: [] }, /not a session/],
  ['cut text', JSON.stringify(file()).slice(0, -20), /not whole JSON/],
  ['text that is none', '\u0000\u0001', /not whole JSON/],
  ['a newer format', file({ version: 2 }), /version 2/],
  ['turns that are none', file({ turns: 'many' }), /turns/],
  [
    'a message with a role of its own',
    file({ context: [{ message: { role: 'system', content: 'x' }, turnId: null }] }),
    /context\.0/,
  ],
  ['an item of an unknown kind', file({ items: [{ ...textItem(0), kind: 'script' }] }), /items\.0/],
  ['an item without a turn', file({ items: [{ ...textItem(0), turnId: 'other' }] }), /belongs to no turn/],
  ['an item twice', file({ items: [textItem(0), textItem(0)] }), /item is there twice/],
  ['a turn twice', file({ turns: [file()['turns'], file()['turns']].flat(2) }), /turn is there twice/],
  ['a turn that runs', file({ turns: [turn()] }), /still running/],
  [
    'a title as long as a book',
    file({ session: { ...(file()['session'] as object), title: 'x'.repeat(300) } }),
    /title/,
  ],
  [
    'a key behind an object',
    JSON.stringify(file()).replace('"scratchpad":{}', '"scratchpad":{"__proto__":"x"}'),
    /key that no session has/,
  ],
  ['a well', file({ scratchpad: deep() }), /too deeply/],
  ['100 MB of text', 'x'.repeat(100_000_000), /larger than 50 MB/],
  ['100 MB in a value', file({ scratchpad: { a: 'x'.repeat(100_000_000) } }), /larger than 50 MB/],
];

test.each(hostile)('%s is refused with what is wrong and what to do', async (_what, raw, said) => {
  const { code, message, advice } = await refusal(raw);
  expect(code).toBe('snapshot_invalid');
  expect(message).toMatch(said);
  expect(message).toContain('Nothing was imported.');
  expect(message.length).toBeLessThan(600);
  expect(advice).not.toBe('');
});

test.each(['turns', 'items', 'context', 'attachments'])(
  'An import of 500,000 %s of nothing is refused for the first, without a look at the others (audit-S13)',
  async (list) => {
    const read: string[] = [];
    const seen = (index: number): object => ({
      get id() {
        read.push(String(index));
        return undefined;
      },
    });
    const entries = Array.from({ length: 500_000 }, (_, index) => (index < 10 ? seen(index) : {}));
    expect((await refusal(file({ [list]: entries }))).message).toMatch(new RegExp(`damaged: ${list}\\.0`));
    expect(read.filter((index) => index !== '0').length).toBeLessThan(20);
  },
);

const numbers = (count: number): number[] => Array.from({ length: count }, () => 0);
const manyFiles = Array.from({ length: 11 }, () => ({
  id: 'a',
  name: 'a',
  kind: 'text',
  mime: 'a/b',
  path: '/a',
}));
const slow: [what: string, raw: Record<string, unknown>, said: RegExp][] = [
  ['An item of 300,000 values', file({ items: [{ a: numbers(300_000) }] }), /items\.0 has more values/],
  [
    'A scratchpad of 20,000 values',
    file({ scratchpad: { a: numbers(20_000) } }),
    /scratchpad has more values/,
  ],
  [
    'A message of eleven files',
    file({ context: [{ message: { role: 'user', content: 'x', files: manyFiles }, turnId: null }] }),
    /more than 10 files/,
  ],
];

test.each(slow)('%s is refused: reading it at once would take long (audit-S21)', async (_what, raw, said) => {
  expect((await refusal(raw)).message).toMatch(said);
});

test('as Markdown it has the messages and answers of the current version, and one line for each tool', async () => {
  const read = await readSnapshot(
    file({
      turns: [
        turn({ id: 'old', status: 'finished', closed: true, replaced: true }),
        turn({ status: 'finished', closed: true }),
      ],
      items: [
        textItem(0, { turnId: 'old', text: 'earlier' }),
        textItem(1, { kind: 'user', text: 'Do it' }),
        textItem(2, { kind: 'thinking', text: 'hidden' }),
        textItem(3, { parentCallId: 'c', text: 'of a subagent' }),
        textItem(4, { text: 'Done.' }),
      ],
    }),
  );
  const markdown = toMarkdown(read);
  expect(markdown).toContain('# A session\n\n');
  expect(markdown).toContain('## You\n\nDo it\n\n## Andiron\n\nDone.\n');
  expect(markdown).not.toMatch(/earlier|hidden|subagent/);
});

test('a command that the person wrote anew is kept as such, and told in Markdown', async () => {
  const edited = { argument: 'command', text: 'ls -la' };
  const read = await readSnapshot(
    file({ items: [toolItem(0, { subject: 'ls -la', state: 'done', edited })] }),
  );
  expect(read.items[0]).toMatchObject({ edited });
  expect(toMarkdown(read)).toContain('`ls -la`: done, changed by the person\n');
});

test('a list that the host made of a scope is exported as steps, and who made it is kept', async () => {
  const step = { id: 's', text: 'Read a', milestone: null, executor: { kind: 'self' }, status: 'done' };
  const steps = [{ ...step, check: null, validation: null, evidence: null, parentId: null }];
  const plan = { ...textItem(0), kind: 'plan', text: '', analysis: '', review: null, steps };
  const byHost = await readSnapshot(file({ items: [{ ...plan, source: 'host' }] }));
  expect(byHost.items[0]).toMatchObject({ source: 'host' });
  expect(toMarkdown(byHost)).toContain('### Steps\n\n1. Read a');
  const older = await readSnapshot(file({ items: [plan] }));
  expect(older.items[0]).not.toHaveProperty('source');
  expect(toMarkdown(older)).toContain('### Plan\n\n1. Read a');
  expect((await refusal(file({ items: [{ ...plan, source: 'person' }] }))).code).toBe('snapshot_invalid');
});
