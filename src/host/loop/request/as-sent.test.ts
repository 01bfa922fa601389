import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { attachedBlock } from '../../prompt/attached.ts';
import { escapeNotes, note } from '../../prompt/notes.ts';
import { opening } from '../../prompt/opening.ts';
import type { ContextMessage, SentFile } from '../../providers/provider.ts';
import { openingExamples, usingExamples } from '../opening/examples.ts';
import { asSent } from './as-sent.ts';

const seeing = { capabilities: ['vision'] };
const blind = { capabilities: ['tools'] };
const facts = opening({ path: '/home/ada/garden', platform: 'linux' });

const user = (content: string): ContextMessage => ({ role: 'user', content });
const result = (content: string, tool = 'read_file'): ContextMessage => ({
  role: 'tool',
  callId: 'c1',
  tool,
  content,
});
const reply = (content: string): ContextMessage => ({
  role: 'assistant',
  content,
  thinking: 'hm',
  calls: [{ id: 'c1', name: 'read_file', args: { path: 'a' } }],
});
const [alone, unsaid, opens] = [
  { isGuided: false, opensTurns: false, mayUse: false, mayFind: false },
  { isGuided: true, opensTurns: false, mayUse: false, mayFind: false },
  { isGuided: true, opensTurns: true, mayUse: false, mayFind: false },
];
const leads = [alone, unsaid, opens];
const guided = (...log: ContextMessage[]): readonly ContextMessage[] =>
  asSent(log, seeing, opens).slice(openingExamples.length);
const contentOf = (message: ContextMessage): string | undefined => guided(message)[0]?.content;

test('A log goes out as it is to a model that is not guided', () => {
  const log = [user(`${facts}Hello${note('7 steps are left.')}`), reply('Yes.'), result('lines 1-1 of 1\nx')];
  expect(asSent(log, seeing, alone)).toEqual(log);
});

test('The examples stand in front of a log of a model that opens its turns, also of an empty one', () => {
  expect(asSent([user('Hello')], seeing, opens)).toEqual([...openingExamples, user('Hello')]);
  expect(asSent([], seeing, opens)).toEqual(openingExamples);
});

test('Examples of tools of other programs stand there too where the profile has such tools', () => {
  expect(asSent([user('Hello')], seeing, { ...opens, mayUse: true })).toEqual([
    ...usingExamples,
    user('Hello'),
  ]);
  expect(asSent([user('Hello')], seeing, { ...unsaid, mayUse: true })).toEqual([user('Hello')]);
});

test('A guided model that does not open its turns is sent the same log without examples', () => {
  const log = [user(`${facts}Hello${note('7 steps are left.')}`), reply('Yes.'), result('lines 1-1 of 1\nx')];
  expect(asSent(log, seeing, unsaid)).toEqual(guided(...log));
});

test('A guided model reads no facts of the workspace, and all that the person wrote', () => {
  expect(contentOf(user(`${facts}Read a.txt\n\nSystem: of roots`))).toBe('Read a.txt\n\nSystem: of roots');
  const told = opening({ path: '/home/ada', platform: 'linux' }, 'Ada likes tea.');
  expect(contentOf(user(`${told}Hello`))).toBe('Ada likes tea.\n\nHello');
});

test('A guided model reads no notes', () => {
  expect(contentOf(user(`Hello${note('Call a tool.')}${note('3 steps are left.')}`))).toBe('Hello');
  expect(contentOf(result(`hello${note('Answer now.')}`))).toBe('hello');
});

test('A text that looks like a note, and was brought in, stays in what a guided model reads', () => {
  const brought = escapeNotes('first\n\n[andiron note] second');
  expect(contentOf(result(brought))).toBe(brought);
});

test('A guided model reads a whole file without its head, and a part of one with it', () => {
  expect(contentOf(result('lines 1-2 of 2\na\nb'))).toBe('a\nb');
  expect(contentOf(result('lines 1-12 of 12\nlines 1-2 of 2\nb'))).toBe('lines 1-2 of 2\nb');
  for (const part of [
    'lines 1-2 of 20\na\nb',
    'lines 2-3 of 3\na\nb',
    'lines 1-1 of 11\na',
    'x\nlines 1-2 of 2\na',
  ])
    expect(contentOf(result(part))).toBe(part);
});

test('What a command printed goes out to a guided model with its first line', () => {
  const printed = 'lines 1-2 of 2\nall pass';
  expect(contentOf(result(printed, 'run_command'))).toBe(printed);
  expect(contentOf(user(printed))).toBe(printed);
});

test('A guided model reads its own replies as it wrote them', () => {
  const own = reply(`lines 1-1 of 1\nx${note('mine')}`);
  expect(guided(own)).toEqual([own]);
});

test('A model that cannot see reads the name of an image, guided or not', () => {
  const image: SentFile = {
    id: 'f1',
    name: 'roses.png',
    kind: 'image',
    mime: 'image/png',
    path: '/home/ada/roses.png',
  };
  const block = attachedBlock([{ ...image, bytes: 7 }], new Set());
  const log: ContextMessage[] = [{ role: 'user', content: `What is this?${block}`, files: [image] }];
  for (const lead of leads) {
    const blindly = asSent(log, blind, lead).at(-1);
    expect(blindly?.content).toContain('[image: roses.png]');
    expect(blindly).toMatchObject({ files: [] });
    expect(asSent(log, seeing, lead).at(-1)).toMatchObject({ files: [image] });
  }
});

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        facts,
        'Hello',
        note('7 steps are left.'),
        'lines 1-2 of 2\n',
        '\n\n',
        '[andiron note] ',
        'a',
      ),
      { maxLength: 5 },
    )
    .map((parts) => parts.join('')),
);
const message: fc.Arbitrary<ContextMessage> = fc.oneof(
  text.map(user),
  text.map(reply),
  fc.tuple(text, fc.constantFrom('read_file', 'search')).map(([content, tool]) => result(content, tool)),
);
const logs = fc.tuple(
  fc.array(message, { maxLength: 6 }),
  fc.array(message, { maxLength: 6 }),
  fc.constantFrom(...leads),
);

test('What was sent of a log is the beginning of what is sent later, whatever it holds', () => {
  fc.assert(
    fc.property(logs, ([log, more, lead]) => {
      const sent = asSent(log, blind, lead);
      const later = asSent([...log, ...more], blind, lead);
      expect(JSON.stringify(later.slice(0, sent.length))).toBe(JSON.stringify(sent));
      expect(later.length - sent.length).toBe(more.length);
    }),
  );
});

test('A log is sent in the same bytes twice, and is not changed by that', () => {
  fc.assert(
    fc.property(logs, ([log, , lead]) => {
      const before = JSON.stringify(log);
      expect(JSON.stringify(asSent(log, seeing, lead))).toBe(JSON.stringify(asSent(log, seeing, lead)));
      expect(JSON.stringify(log)).toBe(before);
    }),
  );
});
