/** What Ollama answers in place of a reply, with the code that a person's advice hangs on. */
export const refusals: [status: number, body: string, code: string][] = [
  [400, 'model is required', 'engine_refused'],
  [400, 'invalid model name', 'engine_refused'],
  [404, "model 'qwen3.5:9b' not found", 'model_missing'],
  [400, 'registry.ollama.ai/library/qwen3.5:9b does not support tools', 'model_without_tools'],
  [400, '"qwen3.5:9b" does not support thinking', 'engine_refused'],
  [400, '"qwen3.5:9b" does not support chat', 'engine_refused'],
  [
    400,
    'invalid think value: "x" (must be "high", "medium", "low", "max", true, or false)',
    'engine_refused',
  ],
  [503, 'server busy, please try again.  maximum pending requests exceeded', 'engine_refused'],
  [400, 'the prompt is longer than the context length currently available to the model', 'context_overflow'],
  [
    400,
    JSON.stringify({
      error: {
        code: 400,
        message: 'too long',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 9,
        n_ctx: 8,
      },
    }),
    'context_overflow',
  ],
  [
    500,
    'llama-server process has terminated: exit status 1: cudaMalloc failed: out of memory',
    'load_failed',
  ],
  [500, 'model runner has unexpectedly stopped, this may be due to resource limitations', 'load_failed'],
  [500, 'Compute error.', 'engine_refused'],
  [403, 'ollama cloud is disabled: remote model is unavailable', 'engine_refused'],
  [401, 'unauthorized', 'engine_refused'],
  [
    400,
    JSON.stringify({ error: { code: 400, message: 'Unable to generate parser for this template.' } }),
    'template_refused',
  ],
];
