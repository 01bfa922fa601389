import type { prices as english } from '../en/prices.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { bytes, count, seconds } from './figures.ts';

/** In brackets, since a verb may follow. */
function sized(size: number | null, ms: number | null): string {
  const parts = [size === null ? '' : bytes(size), ms === null ? '' : `etwa ${seconds(ms)}`];
  const known = parts.filter((part) => part !== '').join(', ');
  return known === '' ? '' : ` (${known})`;
}

/** What a change costs before it is made. */
export const prices: InAnyWords<typeof english> = {
  free: 'kostet nichts: gleicher Prompt, gleiches Modell',
  unread: 'noch ist nichts gelesen',
  loads: (model, size, ms) => `lädt ${model}${sized(size, ms)}`,
  reloads: (model, size, ms) => `lädt ${model} noch einmal${sized(size, ms)}`,
  rereads: (tokens, ms) =>
    tokens === null
      ? 'liest die Sitzung neu, Tokenzahl unbekannt'
      : `liest etwa ${count(tokens)} Token neu${sized(null, ms)}`,
  mayReread: (tokens) =>
    tokens === null
      ? 'liest die Sitzung je nach Modell neu'
      : `liest je nach Modell etwa ${count(tokens)} Token neu`,
  and: ' und ',

  unloads: (models) => `entlädt zuerst ${models}`,
  spills: 'läuft teilweise auf der CPU',
  tooBig: 'passt hier nicht',
  tight: 'passt knapp',
};
