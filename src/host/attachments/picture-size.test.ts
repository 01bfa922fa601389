import { expect, test } from 'vitest';
import { pictureSize } from './picture-size.ts';

const bytes = (base64: string): Uint8Array => Buffer.from(base64, 'base64');
/** A few pixels in each kind, as other programs wrote them. */
const png = bytes(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
);
const gif = bytes('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7');
const lossy = bytes('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=');
const lossless = bytes('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==');
const jpeg = bytes(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
);

test.each([
  ['png', png],
  ['gif', gif],
  ['lossy webp', lossy],
  ['lossless webp', lossless],
])('One pixel of %s is one by one', (_kind, picture) => {
  expect(pictureSize(picture)).toEqual({ width: 1, height: 1 });
});

test('The size of a JPEG is that of its frame, and without the mark of its end it is not whole', () => {
  expect(pictureSize(jpeg)).toBeNull();
  expect(pictureSize(Buffer.concat([jpeg, Buffer.from([0xff, 0xd9])]))).toEqual({ width: 1, height: 1 });
});

test('An extended WebP says its canvas', () => {
  const extended = Buffer.alloc(30);
  extended.write('RIFF', 0, 'latin1');
  extended.writeUInt32LE(22, 4);
  extended.write('WEBPVP8X', 8, 'latin1');
  extended.writeUIntLE(4_095, 24, 3);
  extended.writeUIntLE(99, 27, 3);
  expect(pictureSize(extended)).toEqual({ width: 4_096, height: 100 });
});

test.each([
  ['png', png],
  ['gif', gif],
  ['lossy webp', lossy],
  ['lossless webp', lossless],
])('A %s that is cut anywhere is no whole picture, and never throws', (_kind, picture) => {
  for (let end = 0; end < picture.length - 4; end += 1)
    expect(pictureSize(picture.subarray(0, end))).toBeNull();
});

test('Text is no picture, and neither is SVG', () => {
  expect(pictureSize(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBeNull();
  expect(pictureSize(new Uint8Array())).toBeNull();
});

test('A picture without any pixels is none', () => {
  const empty = Buffer.from(png);
  empty.writeUInt32BE(0, 16);
  expect(pictureSize(empty)).toBeNull();
});
