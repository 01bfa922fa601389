/** Replies that are no stream: read as a whole, but never more of them than there may be. */
import { AndironError } from '../protocol/errors.ts';
import { maxNesting } from '../protocol/limits.ts';
import { nestsDeeper } from '../protocol/nesting.ts';
import type { Connection } from './connection.ts';

export const adviceOnForeign = 'Check the address of Ollama in the settings, then try again.';

/** For the `ollama` package, which reads replies of any length. Refusals are bounded by the connection. */
export function boundedFetch(connection: Connection, url: string, maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await connection.fetch(input, init);
    if (!response.ok) return response;
    const { status, headers } = response;
    return new Response(await readReply(response, url, maxBytes), { status, headers });
  };
}

/**
 * The text of a reply, counted while it comes, whatever length it claims. Throws AndironError when it is longer than
 * `maxBytes` or nested deeper than a reply may be; the rest of it is not read.
 */
export async function readReply(response: Response, url: string, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop early cancels the body, and that closes the connection.
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes) {
      throw new AndironError(
        'engine_reply_too_long',
        `${url} sent a longer reply than Ollama ever sends (over ${inUnits(maxBytes)}).`,
        adviceOnForeign,
      );
    }
    parts.push(part);
  }
  const text = Buffer.concat(parts, bytes).toString();
  if (nestsDeeper(text, maxNesting)) {
    throw new AndironError('engine_refused', `${url} does not answer as Ollama does.`, adviceOnForeign);
  }
  return text;
}

function inUnits(bytes: number): string {
  const kB = bytes / 1024;
  return kB < 1024 ? `${String(kB)} kB` : `${String(kB / 1024)} MB`;
}
