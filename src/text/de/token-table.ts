import type {
  contextUse as englishContext,
  timeline as englishTimeline,
  tokenTable as englishTable,
} from '../en/token-table.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { count, percent, plural, seconds } from './figures.ts';

/** Where the tokens of a session went, turn by turn. */
export const tokenTable: InAnyWords<typeof englishTable> = {
  title: 'Token pro Runde',
  scope: 'diese Sitzung',
  unit: 'Token',
  empty: 'Hier erscheint der Tokenverbrauch jeder Runde.',
  turn: 'Runde',
  steps: 'Schritte',
  cached: 'Aus dem Cache',
  fresh: 'Neu',
  reread: 'Neu gelesen',
  written: 'Geschrieben',
  time: 'Zeit',
  noWords: 'Nur Dateien',
  request: 'Anfrage',
  side: 'Nebenanfrage',
  subagent: 'Subagent',
  session: 'Sitzung bisher',
  unknown: 'unbekannt',
  more: (requests) => plural(requests, 'frühere Anfrage', 'frühere Anfragen'),
  totals: {
    title: 'Sitzung gesamt',
    prompt: 'Prompt-Token',
    output: 'Ausgabe-Token',
    lastPrompt: 'Letzter Prompt',
    lastOutput: 'Letzte Ausgabe',
    context: 'Kontextlimit',
    uncounted: (requests) =>
      `${plural(requests, 'Antwort', 'Antworten')} ohne Tokenzahlen, die Summen liegen also höher.`,
  },
};

/** What the GPU did beside what the agent did. */
export const timeline: InAnyWords<typeof englishTimeline> = {
  title: 'GPU und Agent',
  span: (ms) => (ms < 60_000 ? seconds(ms) : `${count(Math.round(ms / 60_000))} min`),
  none: 'Es gibt keine Messwerte der GPU.',
  waits: 'Wartet auf den ersten Messwert der GPU.',
  busy: 'Auslastung',
  vram: 'VRAM',
  unknown: 'unbekannt',
  percent: (value) => percent(value / 100),
  kinds: {
    reads: 'wartet und liest',
    thinks: 'denkt nach',
    writes: 'schreibt',
    tool: 'Tools',
    asks: 'fragt dich',
  },
  took: (ms) => seconds(ms),
  gpuLabel: (span, least, most) =>
    `GPU über ${span}: zwischen ${percent(least / 100)} und ${percent(most / 100)} ausgelastet`,
  laneLabel: (parts) => `Die Runde: ${parts}`,
  from: 'Beginn der Runde',
  ago: (span) => `vor ${span}`,
  now: 'jetzt',
  end: 'Ende',
};

/** The ring in the message box, and what opens from it. */
export const contextUse: InAnyWords<typeof englishContext> = {
  title: 'Kontext',
  used: (ratio) => percent(ratio),
  of: (window) => `von ${count(window)} Token`,
  estimated: 'etwa',
  label: (used, window) => `Kontext: ${count(used)} von ${count(window)} Token belegt`,
  head: 'Prompt und Tools',
  opening: 'Ordner und Gedächtnis',
  log: 'Gespräch',
  compacts: (tokens) => `Ab ${count(tokens)} Token fasst Andiron ältere Nachrichten zusammen.`,
  compact: 'Jetzt zusammenfassen',
  busy: 'Geht, wenn keine Runde läuft',
  engine: 'Maschinenraum',
};
