import { count, tenths } from './figures.ts';

/** Another version of a message or an answer. */
export const messageVersions = {
  edit: 'Edit',
  regenerate: 'Regenerate',
  fork: 'Fork from here',
  field: 'Another version of the message',
  send: 'Send new version',
  leave: 'Cancel',
  help: 'The old version is kept.',
  rereads: (tokens: number, ms: number | null): string =>
    ms === null
      ? `Re-reads about ${count(tokens)} tokens`
      : `Re-reads about ${count(tokens)} tokens, about ${tenths(ms)}`,
  /** Beside the button, among others. */
  price: (words: string): string => `Regenerate: ${words.charAt(0).toLowerCase()}${words.slice(1)}`,
  rereadsNothing: 'Re-reads nothing',
  /** Between the buttons, and spoken as a whole. */
  place: (place: number, count: number): string => `${String(place)}/${String(count)}`,
  places: (place: number, count: number): string => `Version ${String(place)} of ${String(count)}`,
  before: 'Earlier version',
  after: 'Later version',
  unknownPrice: 'How much it re-reads is unknown',
} as const;
