/** Ollama's error texts → what happened and what to do next. */
import { z } from 'zod';
import { AndironError, asSentence } from '../protocol/errors.ts';
import { parseJson } from '../protocol/json.ts';
import { UnreadableAnswer } from './connection.ts';
import { adviceOnOverflow, knownErrors } from './known-errors.ts';
import { errorLineSchema } from './schemas.ts';

/** The runner's own errors arrive as JSON inside the `error` string. */
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

/** What a server said in place of an answer, as `describeFailure` reads it; the `ollama` package throws the same form. */
export async function refusalOf(response: Response): Promise<Error> {
  const { error } = errorLineSchema.parse(await response.json());
  return Object.assign(new Error(error), { error, status_code: response.status });
}

/** What answers at the address of Ollama refused a request, in words that are not known. */
export class OllamaRefusal extends AndironError {
  readonly status: number;

  constructor(status: number, message: string, advice: string) {
    super('engine_refused', message, advice);
    this.name = 'OllamaRefusal';
    this.status = status;
  }
}

/** Anything that a request threw → an error for a person. Errors that already are one pass through. */
export function describeFailure(error: unknown, model: string): AndironError {
  if (error instanceof AndironError) return error;
  if (error instanceof UnreadableAnswer) return unreadable(error.what, error);
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
    asSentence(`The connection to Ollama broke: ${text}`),
    'What came so far is kept. Send the message again to go on.',
    { cause: error },
  );
}

/** An answer that makes no sense, or whose rest does not. `what` is told as the reason. */
export function unreadable(what: string, cause?: unknown): AndironError {
  return new AndironError(
    'stream_broken',
    `Ollama's answer could not be read: ${what}.`,
    'What came so far is kept. If it happens again, restart Ollama.',
    { cause },
  );
}

function describeHttp(status: number, raw: string, model: string): AndironError {
  const runner = parseRunnerError(raw);
  if (runner?.type === 'exceed_context_size_error') {
    return new AndironError(
      'context_overflow',
      `The conversation has ${runner.n_prompt_tokens?.toLocaleString('en') ?? 'more'} tokens, the window holds ${runner.n_ctx?.toLocaleString('en') ?? 'fewer'}.`,
      adviceOnOverflow,
    );
  }
  const text = excerpt(runner?.message ?? raw);
  // Short calls name no model; what a stranger at that address says is not about one.
  const known = model === '' ? undefined : knownErrors.find((each) => each.matches(text, status));
  if (known) return new AndironError(known.code, asSentence(known.message(model, text)), known.advice);
  return new OllamaRefusal(
    status,
    asSentence(`Ollama refused the request (${status}): ${text}`),
    status >= 500
      ? 'Send again. If it happens again, restart Ollama.'
      : 'Choose another model or profile for this session, then send again.',
  );
}

/** The last line of an answer that has begun. */
export function describeErrorLine(raw: string): AndironError {
  const text = excerpt(raw);
  const known = knownErrors.find((each) => each.matches(text, 500));
  const advice = `What came so far is kept. ${known?.advice ?? 'Send the message again to go on.'}`;
  return known?.code === 'reply_unusable' || known?.code === 'reply_repeated'
    ? new AndironError(known.code, asSentence(known.message('the model', text)), advice)
    : new AndironError(
        'engine_refused',
        asSentence(`Ollama stopped in the middle of the answer: ${text}`),
        advice,
      );
}

function parseRunnerError(raw: string): z.infer<typeof runnerErrorSchema>['error'] | undefined {
  if (!raw.startsWith('{')) return undefined;
  try {
    return runnerErrorSchema.parse(parseJson(raw)).error;
  } catch {
    // Not the runner's shape: the caller shows the text as it came.
    return undefined;
  }
}
