import { describe, expect, it } from 'vitest';
import { describeErrorLine, describeFailure } from './failures.ts';

const refused = (status: number, error: string) =>
  describeFailure({ status_code: status, error }, 'qwen3:8b');
const inRunner = (message: string, rest: object = {}) => JSON.stringify({ error: { message, ...rest } });

/** Every error body that Ollama is known to send (docs/engine.md, Errors). */
const bodies: [status: number, body: string, code: string, message: RegExp][] = [
  [400, 'model is required', 'engine_refused', /refused the request \(400\)/],
  [400, 'invalid model name', 'engine_refused', /invalid model name/],
  [404, "model 'qwen3:8b' not found", 'model_missing', /qwen3:8b is not installed/],
  [
    400,
    'registry.ollama.ai/library/qwen3:8b does not support tools',
    'model_without_tools',
    /cannot call tools/,
  ],
  [500, inRunner('image input is not supported - hint: if'), 'model_without_vision', /cannot see images/],
  [400, inRunner('Failed to load image or audio file'), 'attachment_invalid', /could not read an image/],
  [400, '"qwen3:8b" does not support thinking', 'engine_refused', /profile's "think"/],
  [400, 'invalid think value: "x" (must be "high", …)', 'engine_refused', /invalid think value/],
  [400, '"qwen3:8b" does not support chat', 'engine_refused', /no model to talk to/],
  [503, 'server busy, please try again.  maximum pending requests exceeded', 'engine_refused', /is busy/],
  [500, 'llama-server process has terminated: signal: killed', 'load_failed', /signal: killed/],
  [
    500,
    'llama-server process has terminated: exit status 1: cudaMalloc failed: out of memory',
    'load_failed',
    /out of memory/,
  ],
  [
    500,
    'model runner has unexpectedly stopped, this may be due to resource limitations',
    'load_failed',
    /stopped running/,
  ],
  [500, 'an error was encountered while running the model: unexpected EOF', 'load_failed', /unexpected EOF/],
  [500, 'model requires 9 GiB but only 4 GiB are available', 'load_failed', /requires 9 GiB/],
  [500, 'EOF', 'reply_unusable', /could not read the tool call/],
  [
    500,
    "error parsing tool call: raw='{', err=unexpected end",
    'reply_unusable',
    /could not read the tool call/,
  ],
  [
    500,
    'llama-server returned invalid tool call arguments for "x"',
    'reply_unusable',
    /invalid tool call arguments/,
  ],
  [
    400,
    JSON.stringify({
      error: { code: 400, message: 'Failed to initialize samplers: failed to parse grammar' },
    }),
    'grammar_refused',
    /refused the grammar of the reply: Failed to initialize samplers: failed to parse grammar\.$/,
  ],
  [
    400,
    JSON.stringify({
      error: {
        code: 400,
        message:
          'Unable to generate parser for this template. Automatic parser generation failed: JSON schema conversion failed:\nUnrecognized schema: true',
      },
    }),
    'grammar_refused',
    /Unrecognized schema: true/,
  ],
  [500, 'prediction aborted, token repeat limit reached', 'reply_repeated', /over and over/],
  [
    403,
    'ollama cloud is disabled: remote model is unavailable',
    'engine_refused',
    /does not run on this machine/,
  ],
  [401, 'unauthorized', 'engine_refused', /does not run on this machine/],
  [403, 'HTTP 403', 'engine_refused', /accepts no requests by the address/],
  [
    400,
    'the prompt is longer than the context length currently available',
    'context_overflow',
    /no longer fits/,
  ],
  [
    400,
    "input length (9 tokens) exceeds the model's maximum context length (4 tokens)",
    'context_overflow',
    /no longer fits/,
  ],
  [
    400,
    inRunner('too long', { type: 'exceed_context_size_error', n_prompt_tokens: 9000, n_ctx: 4096 }),
    'context_overflow',
    /9,000 tokens, the window holds 4,096/,
  ],
  [
    400,
    inRunner('Unable to generate parser for this template.'),
    'template_refused',
    /template of qwen3:8b refuses/,
  ],
  [500, inRunner('No user query found in messages.'), 'template_refused', /No user query/],
  [500, '{not JSON', 'engine_refused', /\{not JSON/],
];

describe('an error of Ollama', () => {
  it.each(bodies)('%i %s is %s', (status, body, code, message) => {
    const error = refused(status, body);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) as string });
    expect(error.advice).not.toBe('');
  });

  it('in the middle of an answer says that what came is kept, and what to do about a known cause', () => {
    expect(
      describeErrorLine('an error was encountered while running the model: CUDA out of memory'),
    ).toMatchObject({
      code: 'engine_refused',
      message: expect.stringContaining('CUDA out of memory') as string,
      advice: expect.stringMatching(/is kept.*Free GPU memory/) as string,
    });
    expect(describeErrorLine('EOF').message).toContain('could not read the tool call');
    expect(describeErrorLine('something new').advice).toContain('Send the message again');
  });

  it('of a stranger at that address is not about a model', () => {
    expect(describeFailure({ status_code: 404, error: 'no such page' }, '')).toMatchObject({
      code: 'engine_refused',
      message: expect.stringContaining('no such page') as string,
    });
  });
});
