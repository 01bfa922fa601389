/** What is known of a file that is half downloaded. It lies beside it, in `<part>.json`. */
import { z } from 'zod';
import { parseJson } from '../../protocol/json.ts';
import type { EngineFiles } from '../base/engine-deps.ts';
import type { SetupEdges } from './edges.ts';

const notesSchema = z.object({
  url: z.string(),
  /** ETag or date by which the server tells whether it is still the same file (RFC 9110 13.1.5). */
  validator: z.string(),
  totalBytes: z.number().int().positive().nullable(),
});

export interface PartialFile extends z.infer<typeof notesSchema> {
  receivedBytes: number;
}

/** No archive of Ollama comes near it; a server that sends without end does. */
export const maxDownloadBytes = 16 * 1024 ** 3;

export function createPartialFiles(
  files: Pick<SetupEdges['files'], 'size' | 'remove'>,
  texts: Pick<EngineFiles, 'readText' | 'writeWhole'>,
) {
  return {
    /** null = nothing that could go on. */
    async find(url: string, part: string): Promise<PartialFile | null> {
      const [size, text] = await Promise.all([
        files.size(part),
        texts.readText(notesPath(part)).catch(() => null),
      ]);
      const notes = text === null ? undefined : notesSchema.safeParse(jsonIn(text)).data;
      if (!size || notes?.url !== url || size > (notes.totalBytes ?? maxDownloadBytes)) return null;
      return { ...notes, receivedBytes: size };
    },
    /** Before its first byte is written. */
    async begin(part: string, { headers }: Response, url: string, totalBytes: number | null): Promise<void> {
      const etag = headers.get('etag');
      const validator = etag?.startsWith('"') ? etag : headers.get('last-modified');
      // Without one nobody could say later whether the rest belongs to this beginning.
      if (validator === null) await files.remove(notesPath(part));
      else await texts.writeWhole(notesPath(part), JSON.stringify({ url, validator, totalBytes }));
    },
    async forget(part: string): Promise<void> {
      await files.remove(part);
      await files.remove(notesPath(part));
    },
  };
}

const notesPath = (part: string): string => `${part}.json`;

function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
