/** Files as a browser is given them: pasted, dropped, a camera's photo; and a look at what became of a picture. */
import { Buffer } from 'node:buffer';
import type { Page } from 'playwright-core';

export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** As a file manager or a screenshot would hand them over; `type`: the event that brings them. */
export async function hand(
  page: Page,
  type: 'paste' | 'drop' | 'dragover',
  given: { name: string; mime: string; data: string }[],
) {
  await page.evaluate(
    ({ type, given }) => {
      const carried = new DataTransfer();
      for (const { name, mime, data } of given) {
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
        carried.items.add(new File([bytes], name, { type: mime }));
      }
      const target = document.querySelector(type === 'paste' ? 'textarea' : 'main');
      const event =
        type === 'paste'
          ? new ClipboardEvent(type, { clipboardData: carried, bubbles: true, cancelable: true })
          : new DragEvent(type, { dataTransfer: carried, bubbles: true, cancelable: true });
      target?.dispatchEvent(event);
    },
    { type, given },
  );
}

export const screenshot = { name: 'image.png', mime: 'image/png', data: png.toString('base64') };
export const notes = (name: string) => ({
  name,
  mime: 'text/plain',
  data: Buffer.from('a note').toString('base64'),
});

/** A camera's picture, lying on its side and marked so: red on the left, which is up, blue on the right. */
export function pastePhoto(page: Page, name: string): Promise<void> {
  return page.evaluate(async (name) => {
    const canvas = new OffscreenCanvas(3000, 2000);
    const pen = canvas.getContext('2d');
    if (!pen) throw new Error('There is no canvas.');
    pen.fillStyle = 'red';
    pen.fillRect(0, 0, 1500, 2000);
    pen.fillStyle = 'blue';
    pen.fillRect(1500, 0, 1500, 2000);
    const photo = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/jpeg' })).arrayBuffer());
    // Exif, its one entry: orientation 6, a quarter turn to the right.
    const exif = '\xff\xe1\x00\x22Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0';
    const marks = Uint8Array.from(exif, (letter) => letter.charCodeAt(0));
    const carried = new DataTransfer();
    const parts = [photo.slice(0, 2), marks, photo.slice(2)];
    carried.items.add(new File(parts, name, { type: 'image/jpeg' }));
    const paste = new ClipboardEvent('paste', { clipboardData: carried, bubbles: true, cancelable: true });
    document.querySelector('textarea')?.dispatchEvent(paste);
  }, name);
}

/** In the page: how large a picture is, and what is at its top and bottom. */
export async function look(base64: string) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes]), { imageOrientation: 'none' });
  const { width, height } = picture;
  const pen = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  pen?.drawImage(picture, 0, 0);
  const colour = (y: number): string => {
    const [red = 0, , blue = 0] = pen?.getImageData(width / 2, y, 1, 1).data ?? [];
    return red > blue ? 'red' : 'blue';
  };
  return { width, height, top: colour(9), bottom: colour(height - 9) };
}
