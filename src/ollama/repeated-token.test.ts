import { expect, test } from 'vitest';
import { AndironError } from '../protocol/errors.ts';
import { untilRepeated } from './repeated-token.ts';
import type { ChatLine } from './schemas.ts';

async function codeAfter(tokens: readonly string[], code: 'stream_cut' | 'stream_broken'): Promise<unknown> {
  async function* lines(): AsyncGenerator<ChatLine> {
    for (const content of tokens)
      yield { model: 'm', message: { role: 'assistant', content }, done: false } as ChatLine;
    throw new AndironError(code, 'It ended.');
  }
  try {
    for await (const _ of untilRepeated(lines(), 'm'));
    return 'none';
  } catch (error) {
    return error instanceof AndironError ? error.code : error;
  }
}

const ha = (times: number): string[] => ['So: ', ...Array.from({ length: times }, () => 'ha ')];

test('A stream that ends without a word behind 31 equal tokens was ended for them, behind 30 its connection broke', async () => {
  expect(await codeAfter(ha(31), 'stream_cut')).toBe('reply_repeated');
  expect(await codeAfter(ha(30), 'stream_cut')).toBe('stream_cut');
  expect(await codeAfter([...ha(31), 'ho'], 'stream_cut')).toBe('stream_cut');
});

test('Blanks of any kind are one token, also the first ones', async () => {
  const blanks = Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? ' ' : '\n'));
  expect(await codeAfter(blanks, 'stream_cut')).toBe('reply_repeated');
});

test('What cannot be read stays that, whatever came before it', async () => {
  expect(await codeAfter(ha(31), 'stream_broken')).toBe('stream_broken');
});
