export interface ErrorWords {
  message: string;
  advice: string;
}

/** Errors of the host and the engine are written for people (AndironError); others are bugs and say so. */
export function wordsOf(error: unknown): ErrorWords {
  if (!(error instanceof Error)) return { message: String(error), advice: '' };
  const advice = 'advice' in error && typeof error.advice === 'string' ? error.advice : '';
  return { message: error.message, advice };
}
