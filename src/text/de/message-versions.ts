import type { messageVersions as english } from '../en/message-versions.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { count, tenths } from './figures.ts';

/** Another version of a message or an answer. */
export const messageVersions: InAnyWords<typeof english> = {
  edit: 'Bearbeiten',
  regenerate: 'Neu generieren',
  fork: 'Ab hier verzweigen',
  field: 'Neue Fassung der Nachricht',
  send: 'Neue Fassung senden',
  leave: 'Abbrechen',
  help: 'Die alte Fassung bleibt erhalten.',
  rereads: (tokens, ms) =>
    ms === null
      ? `Liest etwa ${count(tokens)} Token neu`
      : `Liest etwa ${count(tokens)} Token neu, etwa ${tenths(ms)}`,
  price: (words) => `Neu generieren: ${words.charAt(0).toLowerCase()}${words.slice(1)}`,
  rereadsNothing: 'Liest nichts neu',
  place: (place, count) => `${String(place)}/${String(count)}`,
  places: (place, count) => `Fassung ${String(place)} von ${String(count)}`,
  before: 'Frühere Fassung',
  after: 'Spätere Fassung',
  unknownPrice: 'Wie viel neu gelesen wird, ist unbekannt',
};
