/** The JSON of a request, as far as it may be read. */
import type { IncomingMessage } from 'node:http';
import { parseJson } from '../protocol/json.ts';
import { maxFrameBytes } from '../protocol/limits.ts';
import { ApiFailure } from './api-failure.ts';

/** Rejects with ApiFailure for what is too large or no JSON; the server itself cuts what comes too slowly. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > maxFrameBytes) throw tooLarge();
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    const piece = Buffer.from(part as Uint8Array);
    bytes += piece.length;
    if (bytes > maxFrameBytes) throw tooLarge();
    parts.push(piece);
  }
  try {
    return parseJson(Buffer.concat(parts).toString());
  } catch (error) {
    throw new ApiFailure(400, 'invalid_json', 'The body is not JSON.', { cause: error });
  }
}

const tooLarge = (): ApiFailure =>
  new ApiFailure(413, 'too_large', `A request can have ${String(maxFrameBytes / 1024 / 1024)} MB at most.`);
