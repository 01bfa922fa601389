import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { failureOf } from '../testing/fakes.ts';
import { startRawHttp, unreadableHeads } from '../../../test/helpers/raw-http.ts';
import { within } from '../../../test/helpers/waiting.ts';
import { getOnce, parseSlots } from './runner-slots.ts';

/** A row of engine-truth/slots.json, in the runner's own form. */
const recorded = {
  id: 0,
  n_ctx: 4096,
  speculative: false,
  is_processing: true,
  id_task: 3,
  n_prompt_tokens: 517,
  n_prompt_tokens_processed: 512,
  n_prompt_tokens_cache: 5,
  params: { temperature: 0.8 },
  next_token: [{ has_next_token: true, n_remain: -1, n_decoded: 0 }],
};

test('a slot in prefill says what it holds, read and found', () => {
  expect(parseSlots(JSON.stringify([recorded]))).toEqual([
    {
      id: 0,
      taskId: 3,
      isProcessing: true,
      promptTokens: 517,
      processedTokens: 512,
      cachedTokens: 5,
      decodedTokens: 0,
    },
  ]);
});

test('a slot that never had a task holds nothing', () => {
  const fresh = { id: 1, n_ctx: 4096, speculative: false, is_processing: false };
  expect(parseSlots(JSON.stringify([fresh]))).toMatchObject([{ id: 1, taskId: null, promptTokens: 0 }]);
});

test('older runners have one next token and not a list', () => {
  const older = { ...recorded, next_token: { n_decoded: 7 } };
  expect(parseSlots(JSON.stringify([older]))).toMatchObject([{ decodedTokens: 7 }]);
});

test.each([
  '',
  '[]',
  '{}',
  '[{"id":0,"is_processing":true}]',
  JSON.stringify([{ ...recorded, n_prompt_tokens: -1 }]),
  JSON.stringify([{ ...recorded, n_prompt_tokens_cache: undefined }]),
])('anything else is no answer: %s', (text) => {
  expect(() => parseSlots(text)).toThrow(/JSON|Invalid|Too small/);
});

const servers: ReturnType<typeof createServer>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  }
});

async function serve(body: () => string, status = 200): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end(body()));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? String(address?.port) : ''}/slots`;
}

const never = new AbortController().signal;

test('it is asked with one GET, and its status and text come back', async () => {
  expect(await getOnce(await serve(() => 'not here', 404), never)).toEqual({ status: 404, body: 'not here' });
});

test('a flood is no answer', async () => {
  const url = await serve(() => 'x'.repeat(3_000_000));
  expect(String(await failureOf(getOnce(url, never)))).toContain('too long');
});

test('a signal ends the question', async () => {
  const abort = new AbortController();
  const url = await serve(() => {
    abort.abort();
    return '[]';
  });
  expect(await failureOf(getOnce(url, abort.signal))).toMatchObject({ name: 'AbortError' });
});

test.each(unreadableHeads)('the question ends after %s (audit-S13)', async (what, head) => {
  const server = await startRawHttp(head);
  try {
    const asked = getOnce(server.url, never).then(
      ({ status }) => status === 200,
      () => false,
    );
    expect(await within(asked, `the end after ${what}`)).toBe(false);
  } finally {
    await server.close();
  }
});
