export function canCopyPictures(): boolean {
  return typeof ClipboardItem !== 'undefined' && typeof OffscreenCanvas !== 'undefined';
}

/** As PNG: clipboards take nothing else from a page. */
export async function copyPicture(address: string): Promise<void> {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  const png = await canvas.convertToBlob({ type: 'image/png' });
  await navigator.clipboard.write([new ClipboardItem({ [png.type]: png })]);
}
