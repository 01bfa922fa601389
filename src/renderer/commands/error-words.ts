import type { ErrorCode } from '../../protocol/errors.ts';
import { errorHeads } from '../text.ts';

export interface ErrorWords {
  message: string;
  advice: string;
}

/** Each code has its words in this language, or this does not compile. */
const known: Readonly<Record<ErrorCode, string>> = errorHeads;
const heads: Readonly<Record<string, string>> = known;

/**
 * Host and engine say in English what happened and what to do. In another language their code says what happened, and their
 * own words, which name what it is about, follow.
 */
export function wordsByCode(code: unknown, { message, advice }: ErrorWords): ErrorWords {
  const head = typeof code === 'string' && Object.hasOwn(heads, code) ? (heads[code] ?? '') : '';
  return head === '' ? { message, advice } : { message: head, advice: `${message} ${advice}`.trim() };
}

export function isDisconnect(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'disconnected';
}

/** Errors of the host and the engine are written for people (AndironError); others are bugs and say so. */
export function wordsOf(error: unknown): ErrorWords {
  if (!(error instanceof Error)) return { message: String(error), advice: '' };
  const advice = 'advice' in error && typeof error.advice === 'string' ? error.advice : '';
  return wordsByCode('code' in error ? error.code : null, { message: error.message, advice });
}
