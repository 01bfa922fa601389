import { expect, test } from 'vitest';
import { readLooseJson } from './loose-json.ts';

const read = (text: string) => readLooseJson(text, 0, { left: 10_000 });

test('A raw line break in a text is kept and told of (audit-A14)', () => {
  expect(read('{"a":"one\ntwo"}')).toMatchObject({
    value: { a: 'one\ntwo' },
    mended: ['kept raw line breaks in a text'],
  });
});

test.each(["it's", '\u{7F}', 'größe 😀'])('Of the text %j nothing is told as mended (audit-A14)', (text) => {
  expect(read(`{"a":"${text}"}`)).toMatchObject({ value: { a: text }, mended: [] });
});

test.each(['{"a":1x}', '[1.]', '[01]', '{"a":1_000}'])('The number in %s is refused (audit-A14)', (text) => {
  expect(read(text)).toEqual({ ok: false, why: 'bad' });
});
