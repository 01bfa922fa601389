import type { formCard as english } from '../en/form-words.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { number } from './figures.ts';

/** The card on which a server of tools asks the person for something. */
export const formCard: InAnyWords<typeof english> = {
  label: 'Frage eines Servers',
  title: (server) => `${server} fragt dich`,
  from: 'Hier fragt ein Server, nicht Andiron. Gib keine Passwörter oder Schlüssel ein.',
  fromPage: 'Hier fragt ein Server, nicht Andiron. Prüf die Adresse, bevor du sie öffnest.',
  optional: 'optional',
  choose: 'Auswählen',
  send: 'Senden',
  decline: 'Ablehnen',
  cancel: 'Nicht jetzt',
  open: 'Seite öffnen',
  goOn: 'Weiter',
  address: 'Adresse',
  dateTimeHelp: 'So: 2026-11-28T09:30:00Z',
  problems: {
    missing: 'Füll dieses Feld aus.',
    too_short: 'Das ist zu kurz.',
    too_long: 'Das ist zu lang.',
    not_a_number: 'Gib eine Zahl ein, zum Beispiel 3,5.',
    not_whole: 'Gib eine ganze Zahl ein.',
    too_small: 'Das ist zu klein.',
    too_large: 'Das ist zu groß.',
    too_few: 'Wähle mehr aus.',
    too_many: 'Wähle weniger aus.',
    not_offered: 'Wähle etwas aus der Liste.',
    no_email: 'Gib eine E-Mail-Adresse ein.',
    no_uri: 'Gib eine vollständige Adresse ein, zum Beispiel https://example.com.',
    no_date: 'Gib einen Tag ein, zum Beispiel 2026-11-28.',
    'no_date-time': 'Gib eine Zeit mit Zeitzone ein, zum Beispiel 2026-11-28T09:30:00Z.',
  },
  atLeast: (minimum) => `Mindestens ${number(minimum)}`,
  atMost: (maximum) => `Höchstens ${number(maximum)}`,
  between: (minimum, maximum) => `${number(minimum)} bis ${number(maximum)}`,
};
