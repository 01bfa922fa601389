/** Figures of a model in the answer of `/api/show`. */
import type { ShowReply } from './schemas.ts';

/** `key` without the architecture that the model's own keys begin with. null = the model does not say. */
export function modelNumber(show: ShowReply, key: string): number | null {
  const architecture = show.model_info?.['general.architecture'];
  const value = show.model_info?.[`${String(architecture)}.${key}`];
  return typeof value === 'number' ? value : null;
}

/** Tokens of context that the model was trained for; null = it does not say. */
export function trainedContext(show: ShowReply): number | null {
  const tokens = modelNumber(show, 'context_length');
  return tokens !== null && tokens >= 1 ? Math.floor(tokens) : null;
}
