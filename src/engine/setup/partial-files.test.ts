import { expect, test } from 'vitest';
import { fakeFiles } from '../testing/fakes.ts';
import { createPartialFiles, maxDownloadBytes } from './partial-files.ts';

const url = 'https://example.org/ollama.tar.zst';
const part = '/data/ollama.part';

/** A beginning of so many bytes, of a file with these headers. */
async function begun(size: number, headers: Record<string, string>, totalBytes: number | null) {
  const texts = fakeFiles({ [`${part}.json`]: 'the notes of an earlier one' });
  const files = {
    size: () => Promise.resolve(size),
    remove: (path: string) => Promise.resolve(void texts.texts.delete(path)),
  };
  const partials = createPartialFiles(files, texts);
  await partials.begin(part, new Response(null, { headers }), url, totalBytes);
  return { partials, texts: texts.texts };
}

test('a beginning goes on from where it is, with what tells whether the file is still the same', async () => {
  const { partials } = await begun(10, { etag: '"a"', 'last-modified': 'Mon' }, 40);
  const found = { url, validator: '"a"', totalBytes: 40, receivedBytes: 10 };
  expect(await partials.find(url, part)).toEqual(found);
});

test('a beginning of another address is not gone on with', async () => {
  const { partials } = await begun(10, { etag: '"a"' }, 40);
  expect(await partials.find(`${url}?other`, part)).toBeNull();
});

test.each([
  ['its file is to be', 41, 40],
  ['any download may be where nobody said how large it is', maxDownloadBytes + 1, null],
])('a beginning larger than %s is not gone on with', async (_, size, totalBytes) => {
  const { partials } = await begun(size, { etag: '"a"' }, totalBytes);
  expect(await partials.find(url, part)).toBeNull();
});

test('a weak ETag is no proof that the file is the same: its date is taken', async () => {
  const { partials } = await begun(10, { etag: 'W/"a"', 'last-modified': 'Mon' }, 40);
  expect(await partials.find(url, part)).toMatchObject({ validator: 'Mon' });
});

test('a beginning that nothing can be proved of keeps no notes of an earlier one', async () => {
  const { partials, texts } = await begun(10, {}, 40);
  expect([...texts.keys()]).toEqual([]);
  expect(await partials.find(url, part)).toBeNull();
});

test('a beginning that is forgotten takes its notes with it', async () => {
  const { partials, texts } = await begun(10, { etag: '"a"' }, 40);
  await partials.forget(part);
  expect([...texts.keys()]).toEqual([]);
});
