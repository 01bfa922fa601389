import { createHash } from 'node:crypto';

import type { Message } from '../render/index.ts';

/** What one takes in a prompt, whatever its size; families differ. */
const IMAGE_TOKENS = 256;

/** A runner's words where its model came without a projector. */
export const noProjector =
  'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj';

/** Images stand before the text of their message, and another image is another prompt. */
export function withImages(messages: readonly Message[]): readonly Message[] {
  return messages.map((message) => {
    const { images, ...rest } = message;
    if (images === undefined) return message;
    return { ...rest, content: images.map(patches).join('') + message.content };
  });
}

function patches(image: string | Uint8Array): string {
  const mark = createHash('sha256').update(image).digest('hex').slice(0, 8);
  return `[img-${mark}]${' patch'.repeat(IMAGE_TOKENS)}\n`;
}
