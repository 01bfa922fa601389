import { bytes, count, seconds } from './figures.ts';

/** What a change costs before it is made. */
export const prices = {
  free: 'free: same prompt, same model',
  unread: 'nothing has been read yet',
  loads: (model: string, size: number | null, ms: number | null): string =>
    `loads ${model}${sized(size, ms)}`,
  reloads: (model: string, size: number | null, ms: number | null): string =>
    `loads ${model} again${sized(size, ms)}`,
  rereads: (tokens: number | null, ms: number | null): string => {
    if (tokens === null) return 're-reads the session, tokens unknown';
    const price = `re-reads about ${count(tokens)} tokens`;
    return ms === null ? price : `${price}, about ${seconds(ms)}`;
  },
  mayReread: (tokens: number | null): string =>
    tokens === null
      ? 'may re-read the session, depending on the model'
      : `may re-read about ${count(tokens)} tokens, depending on the model`,
  and: ', and ',

  unloads: (models: string): string => `unloads ${models} first`,
  spills: 'would run partly on the CPU',
  tooBig: 'does not fit here',
  tight: 'fits barely',
} as const;

function sized(size: number | null, ms: number | null): string {
  const parts = [size === null ? '' : bytes(size), ms === null ? '' : `about ${seconds(ms)}`];
  return parts
    .filter((part) => part !== '')
    .map((part) => `, ${part}`)
    .join('');
}
