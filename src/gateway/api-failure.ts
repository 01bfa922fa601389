/** Failures in the form in which OpenAI's clients read them. */
import { z } from 'zod';
import { AndironError, type ErrorCode } from '../protocol/errors.ts';

interface FailureOptions extends ErrorOptions {
  /** The agent may have worked on it: the same request again would have that done twice. */
  hasBegun?: boolean;
}

export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  readonly hasBegun: boolean;

  constructor(status: number, code: string, message: string, options: FailureOptions = {}) {
    super(message, options);
    this.name = 'ApiFailure';
    this.status = status;
    this.code = code;
    this.hasBegun = options.hasBegun === true;
  }
}

export const errorSchema = z.object({
  error: z.object({ message: z.string(), type: z.string(), param: z.null(), code: z.string() }),
});
type ErrorBody = z.infer<typeof errorSchema>;

export const bodyOf = ({ status, code, message }: ApiFailure): ErrorBody => ({
  error: { message, type: typeOf(status), param: null, code },
});

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status < 500 ? 'invalid_request_error' : 'server_error';
}

/** N2, to the letter: a program need not know what happened in here. */
const internalError = 'I encountered an internal error. Please try again.';

/** What programs can do something about is said as it is. */
const statusOf: Partial<Record<ErrorCode, number>> = {
  invalid_params: 400,
  not_allowed: 401,
  not_found: 404,
  over_budget: 429,
};

const unavailable: ReadonlySet<ErrorCode> = new Set([
  'disconnected',
  'engine_unavailable',
  'model_missing',
  'lent',
]);

/** Of whatever was thrown, and of what a turn failed with. */
export function asFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  if (!(error instanceof AndironError))
    return new ApiFailure(500, 'internal', internalError, { cause: error });
  const { code, message, advice } = error;
  const status = statusOf[code];
  if (status !== undefined) return new ApiFailure(status, code, `${message} ${advice}`.trim());
  return new ApiFailure(unavailable.has(code) ? 503 : 500, code, internalError, { cause: error });
}

/** The same failure, of a turn that the agent may have worked on. */
export function afterBeginning(error: unknown): ApiFailure {
  const { status, code, message, cause } = asFailure(error);
  return new ApiFailure(status, code, message, { cause, hasBegun: true });
}
