/** Ollama's error texts (contract 2.8, 2.9) → what happened and what to do next. */
import { z } from 'zod';
import { AndironError } from '../protocol/errors.ts';

/** The runner's own errors arrive as JSON inside the `error` string (contract 2.8). */
const runnerErrorSchema = z.object({
  error: z.object({
    message: z.string(),
    type: z.string().optional(),
    n_prompt_tokens: z.number().optional(),
    n_ctx: z.number().optional(),
  }),
});

const httpErrorSchema = z.object({ error: z.string(), status_code: z.number() });

/** The beginning of a text that may be endless, as a string that does not keep the whole of it in memory. */
export function excerpt(text: string, length = 500): string {
  return Buffer.from(text.slice(0, length)).toString();
}

/** Anything that a request threw → an error for a person. Errors that already are one pass through. */
export function describeFailure(error: unknown, model: string): AndironError {
  if (error instanceof AndironError) return error;
  const http = httpErrorSchema.safeParse(error);
  if (http.success) return describeHttp(http.data.status_code, http.data.error, model);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') {
    return new AndironError(
      'engine_unavailable',
      'Ollama does not answer.',
      'Start Ollama, then send again.',
      {
        cause: error,
      },
    );
  }
  const text = error instanceof Error ? error.message : String(error);
  return new AndironError(
    'stream_cut',
    `The connection to Ollama broke: ${text}`,
    'What came so far is kept. Send the message again to go on.',
    { cause: error },
  );
}

function describeHttp(status: number, raw: string, model: string): AndironError {
  const runner = parseRunnerError(raw);
  if (runner?.type === 'exceed_context_size_error') {
    return new AndironError(
      'context_overflow',
      `The conversation has ${runner.n_prompt_tokens ?? 'more'} tokens, the window holds ${runner.n_ctx ?? 'fewer'}.`,
      'Start a new session, or give the profile a larger window.',
    );
  }
  const text = excerpt(runner?.message ?? raw);
  if (text.startsWith('the prompt is longer than the context length')) {
    return new AndironError(
      'context_overflow',
      'The conversation no longer fits the window.',
      'Start a new session, or give the profile a larger window.',
    );
  }
  if (/jinja|unable to generate parser|no user query found/i.test(text)) {
    return new AndironError(
      'template_refused',
      `The template of ${model} refuses this conversation: ${text.slice(0, 200)}`,
      'Start a new session, or choose another model.',
    );
  }
  if (status === 404) {
    return new AndironError(
      'model_missing',
      `${model} is not installed.`,
      'Choose another model, or install it.',
    );
  }
  if (text.includes('does not support tools')) {
    return new AndironError(
      'model_without_tools',
      `${model} cannot call tools.`,
      'Choose a model with tools, or a profile without them.',
    );
  }
  if (status === 503) {
    return new AndironError(
      'engine_refused',
      `Ollama is busy: ${text}`,
      'Wait for the other program, then send again.',
    );
  }
  if (status >= 500 && /terminated|resource limit|memory|unable to load|failed to load/i.test(text)) {
    return new AndironError(
      'load_failed',
      `${model} could not be loaded or stopped running: ${text}`,
      'Free GPU memory, make the window smaller, or choose a smaller model.',
    );
  }
  return new AndironError(
    'engine_refused',
    `Ollama refused the request (${status}): ${text}`,
    status >= 500
      ? 'Send again; if it happens again, restart Ollama.'
      : 'Check the address of Ollama in the settings, or choose another model.',
  );
}

function parseRunnerError(raw: string): z.infer<typeof runnerErrorSchema>['error'] | undefined {
  if (!raw.startsWith('{')) return undefined;
  try {
    return runnerErrorSchema.parse(JSON.parse(raw)).error;
  } catch {
    // Not the runner's shape: the caller shows the text as it came.
    return undefined;
  }
}
