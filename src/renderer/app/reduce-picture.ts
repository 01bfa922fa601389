import type { ReducedPicture } from '../commands/page-files.ts';

/** What a canvas writes and every reader of pictures reads. */
const written = new Set(['image/jpeg', 'image/png', 'image/webp']);
/** Hardly to be told from the whole one; a PNG loses nothing. */
const quality = 0.9;

/**
 * A picture keeps its form and its name, and stands upright as its camera meant it: what is written has no such mark any
 * more. The same picture becomes the same bytes in the same browser.
 */
export async function reducePicture(picture: File, longest: number): Promise<ReducedPicture | null> {
  if (!written.has(picture.type)) return null;
  const whole = await createImageBitmap(picture, { imageOrientation: 'from-image' }).catch(() => null);
  if (!whole) return null;
  try {
    const scale = longest / Math.max(whole.width, whole.height);
    if (scale >= 1) return null;
    const side = (pixels: number): number => Math.max(1, Math.round(pixels * scale));
    const [width, height] = [side(whole.width), side(whole.height)];
    const canvas = new OffscreenCanvas(width, height);
    const pen = canvas.getContext('2d');
    if (!pen) return null;
    pen.imageSmoothingQuality = 'high';
    pen.drawImage(whole, 0, 0, width, height);
    const { type } = picture;
    const blob = await canvas.convertToBlob({ type, quality });
    // Where it cannot write this form it writes another.
    return blob.type === type ? { file: new File([blob], picture.name, { type }), width, height } : null;
  } finally {
    whole.close();
  }
}
