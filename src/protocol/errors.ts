/**
 * Errors as they cross a process boundary: a closed union of codes; unknown throws become `internal`.
 * No zod here: the renderer throws and shows them too. Their schema is in `events.ts`.
 */
export const errorCodes = [
  'invalid_params',
  'unknown_method',
  'not_allowed',
  'over_budget',
  'not_found',
  'busy',
  'cancelled',
  'disconnected',
  'workspace_invalid',
  'profile_invalid',
  'engine_unavailable',
  'engine_refused',
  'engine_reply_too_long',
  'model_missing',
  'model_without_tools',
  'model_without_vision',
  'load_failed',
  'load_starved',
  'lent',
  'slot_lost',
  'template_refused',
  'grammar_refused',
  'context_overflow',
  'stream_first_token_timeout',
  'stream_idle_timeout',
  'stream_broken',
  'stream_cut',
  'empty_reply',
  'reply_unusable',
  'reply_repeated',
  'snapshot_invalid',
  'attachment_invalid',
  'storage',
  'internal',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

export interface WireError {
  code: ErrorCode;
  message: string;
  advice?: string | undefined;
}

/** The one exception type that is meant for a person: what happened, and what to do next. */
export class AndironError extends Error {
  readonly code: ErrorCode;
  readonly advice: string;

  constructor(code: ErrorCode, message: string, advice = '', options?: ErrorOptions) {
    super(message, options);
    this.name = 'AndironError';
    this.code = code;
    this.advice = advice;
  }
}

/** Anything thrown → what may be shown. Texts of unknown throws stay in the log. */
export function toWireError(error: unknown): WireError {
  if (error instanceof AndironError) {
    return { code: error.code, message: error.message, ...(error.advice && { advice: error.advice }) };
  }
  return {
    code: 'internal',
    message: 'I encountered an internal error. Please try again.',
    advice: 'The log has the details.',
  };
}

/** For a message that ends in somebody else's words, or in none: what comes behind it must not run into them. */
export function asSentence(message: string): string {
  const text = message.replace(/[\s:]+$/, '');
  return /[.!?…]["'”’)\]]*$/.test(text) ? text : `${text}.`;
}

export function fromWireError(error: WireError): AndironError {
  return new AndironError(error.code, error.message, error.advice);
}
