import { expect, test } from 'vitest';
import type { AttachedFiles } from './deps.ts';
import { keepPictures } from './kept-pictures.ts';

const from = { server: 'notes', uri: '' };
const pictures = ['a.png', 'b.png'].map((name) => ({ name, bytes: new Uint8Array([1]), from }));
const file = { id: 'att_1', name: 'a.png', kind: 'image', mime: 'image/png', from } as const;

const attached = (keep: AttachedFiles['keep']): AttachedFiles => ({
  take: () => Promise.resolve([]),
  paths: () => [],
  ...(keep && { keep }),
});
const onlyFirst = attached(() => Promise.resolve([{ ...file, bytes: 1, path: '/att_1.png' }]));

test('Of what was kept the log has the place and the card the size', async () => {
  const { sent, shown } = await keepPictures(pictures, onlyFirst);
  expect(sent).toEqual({ files: [{ ...file, path: '/att_1.png' }] });
  expect(shown).toEqual({ attachments: [{ ...file, bytes: 1 }] });
});

test('What could not be kept is told to the model by its name', async () => {
  expect((await keepPictures(pictures, onlyFirst)).lost).toBe(
    '\n\n(Could not be kept, so nobody sees it: b.png.)',
  );
  expect((await keepPictures(pictures, attached(undefined))).lost).toContain('a.png, b.png');
  expect((await keepPictures(pictures, undefined)).sent).toEqual({});
});

test('Of a result without pictures nothing is said', async () => {
  expect(await keepPictures(undefined, onlyFirst)).toEqual({ sent: {}, shown: {}, lost: '' });
});
