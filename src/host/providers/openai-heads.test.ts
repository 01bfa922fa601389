import { afterEach, beforeEach, expect, it } from 'vitest';
import { askHost } from '../../../test/helpers/openai-asking.ts';
import { startRawHttp, unreadableHeads, type RawHttp } from '../../../test/helpers/raw-http.ts';
import { within } from '../../../test/helpers/waiting.ts';
import { systemClock } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import { listHostModels } from './host-models.ts';
import { noKeys } from '../../../test/helpers/openai-asking.ts';

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

it.each(unreadableHeads)(
  'a host that answers with %s fails the chat and its list of models alone (audit-S13)',
  async (what, head) => {
    const { url } = await serve(head);
    const { error } = await within(askHost({ url }), `the end after ${what}`);
    expect(error).toBeInstanceOf(AndironError);
    const config = { id: 'lab', name: 'Lab', kind: 'openai' as const, url, apiKeyEnv: undefined };
    const listed = listHostModels(
      config,
      { readKey: noKeys.keyOf, clock: systemClock },
      new AbortController().signal,
    );
    await expect(within(listed, `the list after ${what}`)).rejects.toBeInstanceOf(AndironError);
    expect(thrown).toEqual([]);
  },
);

it.each(unreadableHeads.filter(([, head]) => head !== ''))(
  '%s of a host is told as an answer of that host that could not be read (audit-S13)',
  async (_what, head) => {
    const { url } = await serve(head);
    const { error } = await within(askHost({ url }), 'the end');
    expect(error).toMatchObject({
      code: 'stream_broken',
      message: `The answer of Lab could not be read: its HTTP status is ${String(Number(head.slice(0, 3)))}.`,
    });
    expect(thrown).toEqual([]);
  },
);
