/** The pictures of a log, read when they are sent: the log names them, and their bytes never change (X12). */
import { imageInWords, imagesOf, type ContextMessage, type Illustrated } from './provider.ts';

/** By the id of the file; null = it is gone. */
export type ImageSource = (id: string) => Promise<Uint8Array | null>;

export type Images = ReadonlyMap<string, Uint8Array>;

export const noImages: Images = new Map();

/** Each once, however often the log shows it. */
export async function readImages(
  messages: readonly ContextMessage[],
  source: ImageSource | undefined,
): Promise<Images> {
  const images = new Map<string, Uint8Array>();
  for (const { id } of messages.flatMap(imagesOf)) {
    const bytes = images.has(id) ? null : await source?.(id);
    if (bytes) images.set(id, bytes);
  }
  return images;
}

export interface Shown {
  content: string;
  images: { mime: string; bytes: Uint8Array }[];
}

/** A message as a model that sees reads it. One whose bytes are gone is told by its name. */
export function shownImages(message: Illustrated, images: Images): Shown {
  const found = imagesOf(message).map(({ id, mime, name }) => ({ mime, name, bytes: images.get(id) }));
  const lost = found.filter(({ bytes }) => bytes === undefined);
  return {
    content: [message.content, ...lost.map(imageInWords)].join('\n'),
    images: found.flatMap(({ mime, bytes }) => (bytes ? [{ mime, bytes }] : [])),
  };
}

/** Ollama puts a picture where a text says `[img`: whoever wrote a result must not move its pictures, or lose them. */
export const withoutPlaces = (content: string): string => content.replaceAll('[img', '[ img');
