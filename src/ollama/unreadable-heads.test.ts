import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startRawHttp, unreadableHeads, type RawHttp } from '../../test/helpers/raw-http.ts';
import { within } from '../../test/helpers/waiting.ts';
import { systemClock } from '../platform/clock.ts';
import { AndironError } from '../protocol/errors.ts';
import { createOllamaApi } from './api.ts';
import { streamChat } from './chat.ts';

const servers: RawHttp[] = [];
const thrown: unknown[] = [];
const onThrown = (error: unknown): void => void thrown.push(error);

beforeEach(() => void process.on('uncaughtException', onThrown));
afterEach(async () => {
  process.off('uncaughtException', onThrown);
  thrown.length = 0;
  for (const server of servers.splice(0)) await server.close();
});

async function serve(head: string): Promise<RawHttp> {
  const server = await startRawHttp(head);
  servers.push(server);
  return server;
}

const never = new AbortController().signal;
const ways = {
  'a short call': (url: string) => createOllamaApi(systemClock).version(url, never),
  async 'a streamed chat'(url: string) {
    const body = {
      model: 'm',
      messages: [{ role: 'user' as const, content: 'hi' }],
      truncate: false as const,
      shift: false as const,
    };
    for await (const _ of streamChat({ url, body, clock: systemClock, signal: never })) void _;
    return 'read';
  },
};

describe.each(Object.entries(ways))('%s', (_way, ask) => {
  it.each(unreadableHeads)(
    'fails with an error and leaves no connection, and nothing is uncaught, after %s (audit-S13)',
    async (what, head) => {
      const server = await serve(head);
      const error = await within(
        ask(server.url).catch((reason: unknown) => reason),
        `the end after ${what}`,
      );
      expect(error).toBeInstanceOf(AndironError);
      expect(thrown).toEqual([]);
      await within(untilClosed(server), 'the close of the connection');
    },
  );
});

it.each(unreadableHeads.filter(([, head]) => head !== ''))(
  '%s is told as an answer of Ollama that could not be read (audit-S13)',
  async (_what, head) => {
    const { url } = await serve(head);
    const asked = within(ways['a short call'](url), 'the end');
    await expect(asked).rejects.toMatchObject({
      code: 'stream_broken',
      message: `Ollama's answer could not be read: its HTTP status is ${String(Number(head.slice(0, 3)))}.`,
    });
    expect(thrown).toEqual([]);
  },
);

async function untilClosed(server: RawHttp): Promise<void> {
  while (server.open() > 0) await new Promise(setImmediate);
}
