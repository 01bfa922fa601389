import { afterEach, describe, expect, it } from 'vitest';
import { openAiServer, refusal, type OpenAiServer } from '../../../test/helpers/openai-server.ts';
import { systemClock } from '../../platform/clock.ts';
import { connectHost } from './openai-connection.ts';
import { askedHost, describeErrorChunk, HostRefusal } from './openai-failures.ts';

let server: OpenAiServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** What a person is told when the host answers so. */
async function told(url: string): Promise<unknown> {
  const host = askedHost('Lab', url, undefined);
  const signal = new AbortController().signal;
  const connection = connectHost({ host, apiKey: undefined, clock: systemClock, signal });
  try {
    return await connection.send('/chat/completions', 'qwen', {});
  } catch (error) {
    return connection.failure(error);
  } finally {
    await connection.close();
  }
}

const json = (value: object): string => JSON.stringify(value);
const llama = (code: number, message: string, type: string, rest: object = {}): string =>
  json({ error: { code, message, type, ...rest } });

describe('what hosts refuse, in their own words', () => {
  it.each<[string, number, string, string]>([
    [
      'a conversation that is too long for llama-server',
      400,
      llama(
        400,
        'request (5030 tokens) exceeds the available context size (4096 tokens), try increasing it',
        'exceed_context_size_error',
        { n_prompt_tokens: 5030, n_ctx: 4096 },
      ),
      'context_overflow',
    ],
    [
      'a conversation that is too long for an older vLLM',
      400,
      json({
        object: 'error',
        message: "This model's maximum context length is 4096 tokens. However, you requested 5030 tokens.",
        type: 'BadRequestError',
        param: null,
        code: 400,
      }),
      'context_overflow',
    ],
    [
      'a conversation that is too long for vLLM',
      400,
      json({
        error: {
          message: "This model's maximum context length is 4096 tokens.",
          type: 'BadRequestError',
          param: 'input_tokens',
          code: 400,
        },
      }),
      'context_overflow',
    ],
    ...[
      'Trying to keep the first 5030 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
      'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 5030 >= n_ctx: 4096).',
      'Cannot truncate prompt with n_keep (5030) >= n_ctx (4096)',
    ].map((text): [string, number, string, string] => [
      'a conversation that is too long for LM Studio',
      400,
      json({ error: text }),
      'context_overflow',
    ]),
    [
      'a wrong key at llama-server',
      401,
      llama(401, 'Invalid API Key', 'authentication_error'),
      'engine_refused',
    ],
    ['a wrong key at vLLM', 401, json({ error: 'Unauthorized' }), 'engine_refused'],
    ['a forbidden address', 403, '', 'engine_refused'],
    [
      'a model that llama-server does not have',
      400,
      llama(400, "model 'qwen' not found", 'invalid_request_error'),
      'model_missing',
    ],
    [
      'a model that vLLM does not have',
      404,
      json({
        object: 'error',
        message: 'The model `qwen` does not exist.',
        type: 'NotFoundError',
        code: 404,
      }),
      'model_missing',
    ],
    [
      'a model that LM Studio does not have',
      404,
      json({
        error: {
          message: 'Model "qwen" not found. Please specify a valid model.',
          type: 'invalid_request_error',
          param: 'model',
          code: 'model_not_found',
        },
      }),
      'model_missing',
    ],
    [
      'a host without any model',
      404,
      json({
        error: {
          message: 'No models loaded. Please load a model in the developer page',
          type: 'invalid_request_error',
          param: 'model',
          code: null,
        },
      }),
      'model_missing',
    ],
    [
      'an address without chats at llama-server',
      404,
      llama(404, 'File Not Found', 'not_found_error'),
      'engine_refused',
    ],
    ['an address without chats at vLLM', 404, json({ detail: 'Not Found' }), 'engine_refused'],
    [
      'too many requests',
      429,
      json({ error: { message: 'Rate limit reached', type: 'requests' } }),
      'engine_refused',
    ],
    ['a host that is loading', 503, llama(503, 'Loading model', 'unavailable_error'), 'engine_refused'],
    [
      'tools that are not switched on at vLLM',
      400,
      json({
        object: 'error',
        message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        code: 400,
      }),
      'model_without_tools',
    ],
    [
      'a template that refuses',
      500,
      llama(500, 'Jinja Exception: Conversation roles must alternate', 'server_error'),
      'template_refused',
    ],
    [
      'a schema that no grammar can be made of',
      400,
      llama(
        400,
        'Unable to generate parser for this template. Automatic parser generation failed',
        'invalid_request_error',
      ),
      'template_refused',
    ],
    [
      'a grammar that llama-server cannot read',
      400,
      llama(400, 'Failed to initialize samplers: failed to parse grammar', 'invalid_request_error'),
      'grammar_refused',
    ],
    [
      'a schema that llama-server cannot convert',
      400,
      llama(
        400,
        'Unable to generate parser for this template. Automatic parser generation failed: JSON schema conversion failed:\nUnrecognized schema: true',
        'invalid_request_error',
      ),
      'grammar_refused',
    ],
    [
      'a schema that vLLM does not support',
      400,
      json({ message: 'The provided JSON schema contains features not supported by xgrammar.', code: 400 }),
      'grammar_refused',
    ],
    [
      'a request with wrong fields at vLLM',
      422,
      json({ detail: [{ loc: ['body'], msg: 'Field required', type: 'missing' }] }),
      'engine_refused',
    ],
    ['a proxy without its host', 502, '<html>Bad Gateway</html>', 'engine_refused'],
  ])('%s', async (_name, status, body, code) => {
    server = await openAiServer(refusal(status, body));
    const error = await told(server.url);
    expect(error).toBeInstanceOf(HostRefusal);
    expect(error).toMatchObject({ code, status });
    expect(error).toMatchObject({
      advice: expect.stringMatching(/\w+.*\.$/),
      message: expect.stringMatching(/\w/),
    });
  });

  it('names the tokens of conversation and window where it was told them', async () => {
    const body = llama(400, 'too long', 'exceed_context_size_error', { n_prompt_tokens: 5030, n_ctx: 4096 });
    server = await openAiServer(refusal(400, body));
    expect(await told(server.url)).toMatchObject({
      message: 'The conversation has 5,030 tokens, the window holds 4,096.',
    });
  });

  it('says of an endless refusal no more than a person reads', async () => {
    server = await openAiServer(refusal(500, 'x'.repeat(1_000_000), 'text/plain'));
    const error = await told(server.url);
    expect(error instanceof HostRefusal && error.message.length).toBeLessThan(500);
  });

  it('names host, address and reason when nobody answers', async () => {
    const closed = await openAiServer();
    await closed.close();
    expect(await told(closed.url)).toMatchObject({
      code: 'engine_unavailable',
      message: expect.stringMatching(/^Lab does not answer at http:.*ECONNREFUSED/),
      advice: expect.stringContaining('Settings, Engine'),
    });
  });
});

it('reads an overflow in the place of a chunk as it reads one in the place of an answer', () => {
  const host = askedHost('Lab', 'http://x/v1', undefined);
  const error = describeErrorChunk(host, 'qwen', { message: 'Context size has been exceeded.', code: 500 });
  expect(error).toMatchObject({ code: 'context_overflow' });
});
