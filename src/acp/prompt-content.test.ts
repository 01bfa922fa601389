import { pathToFileURL } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import { hostStub } from '../cli/testing/host-stub.ts';
import { maxAttachments } from '../protocol/attachment-limits.ts';
import { AndironError } from '../protocol/errors.ts';
import { readPrompt } from './prompt-content.ts';

const { signal } = new AbortController();

const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const link = (uri: string): ContentBlock => ({ type: 'resource_link', uri, name: 'name' });
const embedded = (uri: string, words = 'words'): ContentBlock => ({
  type: 'resource',
  resource: { uri, text: words },
});
const file = (path: string, lines = ''): string => `${pathToFileURL(path).href}${lines}`;

/** Refuses an empty file, as a host does; each attachment has its name for an id. */
function read(blocks: readonly ContentBlock[]) {
  const { rpc } = hostStub(({ params }) => {
    const { name, data } = params as { name: string; data: string };
    if (data === '') throw new AndironError('attachment_invalid', `${name} is empty.`);
    if (name.length > 255) throw new AndironError('invalid_params', 'The name is too long.');
    return { attachment: { id: name } };
  });
  return readPrompt(rpc, blocks, signal);
}

test('links are set apart from the words and from each other, with their lines', async () => {
  const blocks = [
    text('Compare these two files.'),
    link(file('/p/src/a.ts')),
    link(file('/p/src/b.ts', '#L5-10')),
  ];
  expect(await read(blocks)).toEqual({
    text: 'Compare these two files. /p/src/a.ts /p/src/b.ts:5-10',
    attachments: [],
  });
});

test('embedded files stay in the text with path and lines, and two of the same name are told apart', async () => {
  const blocks = [
    text('Explain '),
    embedded(file('/p/src/mod.rs', '#L5:10')),
    text(' and '),
    embedded(file('/p/tests/mod.rs')),
  ];
  expect(await read(blocks)).toEqual({
    text: 'Explain /p/src/mod.rs:5-10 and /p/tests/mod.rs',
    attachments: ['mod.rs', 'mod (2).rs'],
  });
});

test('a mention keeps the blanks, brackets and full stops that are written around it', async () => {
  const blocks = [
    text('Look ('),
    link(file('/p/a.ts', '#L7')),
    text('), then'),
    link(file('/p/b.ts')),
    text('.'),
  ];
  expect((await read(blocks)).text).toBe('Look (/p/a.ts:7), then /p/b.ts.');
});

test('words behind a mention do not run into it', async () => {
  expect((await read([link(file('/p/a.ts')), text('is what I mean')])).text).toBe('/p/a.ts is what I mean');
});

test('an address that is no file is mentioned as it is', async () => {
  expect((await read([text('Read'), link('https://example.com/x#L5')])).text).toBe(
    'Read https://example.com/x#L5',
  );
});

test('an embedded file that is empty is only named', async () => {
  expect(await read([text('Fill '), embedded(file('/p/a.ts'), '')])).toEqual({
    text: 'Fill /p/a.ts',
    attachments: [],
  });
});

test('more embedded files than a message takes are only named', async () => {
  const blocks = Array.from({ length: maxAttachments + 1 }, (_, at) => embedded(file(`/p/${String(at)}.ts`)));
  const { text: words, attachments } = await read(blocks);
  expect(attachments).toHaveLength(maxAttachments);
  expect(words).toContain(`/p/${String(maxAttachments)}.ts`);
});

test('a long name of an embedded text is cut at its beginning', async () => {
  const { attachments } = await read([embedded(`note:${'x'.repeat(300)}.md`)]);
  expect(attachments).toEqual([expect.stringMatching(/^x{237}\.md$/)]);
});

test('a text that is nowhere but in the prompt is not lost without a word', async () => {
  const { rpc } = hostStub(() => {
    throw new AndironError('attachment_invalid', 'It is too large.');
  });
  await expect(readPrompt(rpc, [embedded('note:1')], signal)).rejects.toThrow('It is too large.');
});
