import type { usagePane as english } from '../en/token-counts.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { count, plural } from './figures.ts';

/** Tokens and cost, in the settings. */
export const usagePane: InAnyWords<typeof english> = {
  periods: { today: 'Heute', week: '7 Tage', month: '30 Tage', all: 'Alles' },
  period: 'Zeitraum',
  parts: {
    models: { label: 'Nach Modell', help: '' },
    days: { label: 'Nach Tag', help: '' },
    export: {
      label: 'CSV exportieren',
      help: 'Eine Zeile pro Anfrage in diesem Zeitraum. Ohne Inhalt der Nachrichten.',
    },
  },
  tokens: 'gelesene und geschriebene Token, ohne Cache',
  requests: (requests) => plural(requests, 'Anfrage', 'Anfragen'),
  uncounted: (requests) =>
    `${plural(requests, 'Anfrage wurde', 'Anfragen wurden')} nicht ganz gezählt, etwa gestoppte. In den Summen fehlt, was nicht gezählt wurde.`,
  columns: {
    model: 'Modell',
    day: 'Tag',
    read: 'Gelesen',
    written: 'Geschrieben',
    cached: 'Aus dem Cache',
    cost: 'Kosten',
  },
  unknown: 'unbekannt',
  noCost: '–',
  olderDays: (days) =>
    days === 1 ? '1 früherer Tag steht im Export.' : `${count(days)} frühere Tage stehen im Export.`,
  none: 'Kein Verbrauch in diesem Zeitraum',
  noneYet: 'Noch kein Verbrauch',
  noneHelp: 'Nach deiner ersten Nachricht siehst du hier den Tokenverbrauch.',
  asking: 'Wird geladen …',
  failed: 'Der Tokenverbrauch konnte nicht gelesen werden.',
  again: 'Aktualisieren',
  export: 'Exportieren',
  exported: 'Exportiert.',
  handedOver: 'Dein Browser hat die Datei.',
};
