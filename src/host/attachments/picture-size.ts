/** How large a picture is, and whether it is whole, as far as its structure tells. Nothing of it is decoded. */
import { pictureMime } from './sniff.ts';

export interface PictureSize {
  width: number;
  height: number;
}

/** null = it is no whole picture of a kind that models and windows show. */
export function pictureSize(bytes: Uint8Array): PictureSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = readSize(view, pictureMime(bytes));
  return size && size.width > 0 && size.height > 0 ? size : null;
}

const readers: Readonly<Record<string, (view: DataView) => PictureSize | null>> = {
  'image/png': pngSize,
  'image/jpeg': jpegSize,
  'image/gif': gifSize,
  'image/webp': webpSize,
};

function readSize(view: DataView, mime: string | null): PictureSize | null {
  try {
    return readers[mime ?? '']?.(view) ?? null;
  } catch (error) {
    // It ends before what it says of itself does.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Length, name, content and checksum of each part; the first has the size. */
function pngSize(view: DataView): PictureSize | null {
  let size: PictureSize | null = null;
  let hasData = false;
  for (let at = 8; at < view.byteLength; at += view.getUint32(at) + 12) {
    const name = view.getUint32(at + 4);
    if (size === null) {
      if (name !== chunks.header) return null;
      size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    } else if (name === chunks.data) hasData = true;
    else if (name === chunks.end) return hasData ? size : null;
  }
  return null;
}

/** `IHDR`, `IDAT` and `IEND`. */
const chunks = { header: 0x49484452, data: 0x49444154, end: 0x49454e44 };

/** Frame headers of all kinds, but for the three codes among them that are none. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
const isStandalone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);

function jpegSize(view: DataView): PictureSize | null {
  let size: PictureSize | null = null;
  for (let at = 2; ;) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at += 1;
    else if (isStandalone(marker)) at += 2;
    else {
      if (isFrame(marker)) size ??= { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
      // The picture itself: it lasts until the mark of its end.
      if (marker === 0xda) return size && hasJpegEnd(view) ? size : null;
      at += 2 + view.getUint16(at + 2);
    }
  }
}

/** Some programs write a few bytes behind it. */
function hasJpegEnd(view: DataView): boolean {
  for (let at = view.byteLength - 2; at >= Math.max(0, view.byteLength - 1024); at -= 1)
    if (view.getUint16(at) === 0xffd9) return true;
  return false;
}

function gifSize(view: DataView): PictureSize | null {
  const isWhole = view.getUint8(view.byteLength - 1) === 0x3b;
  return isWhole ? { width: view.getUint16(6, true), height: view.getUint16(8, true) } : null;
}

/** `VP8 `, `VP8L` and `VP8X`. */
const webpForms = { lossy: 0x56503820, lossless: 0x5650384c, extended: 0x56503858 };

function webpSize(view: DataView): PictureSize | null {
  if (view.getUint32(4, true) + 8 > view.byteLength) return null;
  switch (view.getUint32(12)) {
    case webpForms.lossy:
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case webpForms.lossless: {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case webpForms.extended: {
      const low = (at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;
      return { width: low(24) + 1, height: low(27) + 1 };
    }
    default:
      return null;
  }
}
