/** One HTTP request to an OpenAI-compatible host, over a connection of its own that an abort closes. */
import { openConnection } from '../../ollama/connection.ts';
import type { Clock } from '../../platform/clock.ts';
import { describeBreak, describeRefusal, type AskedHost } from './openai-failures.ts';

export interface HostAccess {
  host: AskedHost;
  /** undefined = the host wants none. Never in an error, never in a log. */
  apiKey: string | undefined;
  clock: Clock;
  signal: AbortSignal;
}

export function connectHost({ host, apiKey, clock, signal }: HostAccess) {
  const connection = openConnection(clock, signal);
  let answered = false;
  return {
    /** POST where there is a body. Throws the host's refusal; `model` is for its words. */
    async send(path: string, model: string, body?: object): Promise<Response> {
      const response = await connection.fetch(`${host.url}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          ...(body && { 'Content-Type': 'application/json' }),
          ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      answered = true;
      if (response.ok) return response;
      throw describeRefusal(host, model, response.status, await errorText(response));
    },
    /** What to throw for whatever was thrown: the signal's reason after an abort, else an AndironError. */
    failure: (error: unknown): unknown =>
      signal.aborted ? signal.reason : describeBreak(host, error, answered),
    /** Resolves when the socket is gone. */
    async close(): Promise<void> {
      if (!signal.aborted) connection.finish();
      await connection.closed();
    },
  };
}

/** As much of an answer that is no stream as `maxBytes`, so that an endless one ends. */
export async function textOf({ body }: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    parts.push(part);
    bytes += part.length;
    if (bytes > maxBytes) break;
  }
  return Buffer.concat(parts).toString();
}

/** The connection gives every refusal a JSON body of its own, with the host's text in it. */
async function errorText(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error: string };
  return error;
}
