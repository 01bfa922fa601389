import type { exam as english } from '../en/exam.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { bytes, count, plural, seconds, tokenRate } from './figures.ts';

const rate = (perSecond: number): string =>
  (tokenRate(perSecond, 1000) ?? '0 tok/s').replace('tok/s', 'Token/s');

const ways = { native: 'native Aufrufe', constrained: 'Aufrufe mit Grammatik' };

/** After a number of them. */
const dative: Readonly<Record<string, string>> = {
  [ways.native]: 'nativen Aufrufen',
  [ways.constrained]: 'Aufrufen mit Grammatik',
};

const questions = (number: number): string => plural(number, 'Frage', 'Fragen');

/** The exam of a model on this GPU: what it costs, how it goes, what it found. */
export const exam: InAnyWords<typeof english> = {
  title: 'Test auf dieser GPU',
  none: 'Teste dieses Modell: Toolaufrufe, Tempo und Kontext.',
  begin: 'Modell testen',
  again: 'Erneut testen',
  cancel: 'Abbrechen',
  dismiss: 'Schließen',
  price: (number, expectedMs, limitMs) =>
    expectedMs === null
      ? `${questions(number)}, höchstens ${Math.round(limitMs / 60_000)} min`
      : `${questions(number)}, etwa ${seconds(expectedMs)}`,
  pricing: 'Dauer wird geschätzt',
  phases: {
    waiting: 'Wartet auf die GPU',
    loading: 'Lädt das Modell',
    reading: 'Misst das Tempo',
    calling: 'Prüft Toolaufrufe',
    failed: 'Der Modelltest endete vorzeitig',
  },
  progress: (asked, total) => `${asked} von ${total}`,
  progressLabel: (model) => `Test von ${model}`,
  facts: {
    calls: 'Toolaufrufe',
    speed: 'Tempo',
    window: 'Größter Kontext',
    taken: 'Getestet',
  },
  correct: (valid, asked, way) => `${valid} von ${asked} ${dative[way] ?? way} korrekt`,
  ways,
  other: (way, valid, asked) => `${way}: ${valid} von ${asked}`,
  mended: (calls) => `${plural(calls, 'Aufruf', 'Aufrufe')} repariert`,
  reads: (perSecond) => `liest ${rate(perSecond)}`,
  writes: (perSecond) => `schreibt ${rate(perSecond)}`,
  unknown: 'unbekannt',
  tokens: (tokens) => `${count(tokens)} Token`,
  largest: (tokens, inForce) => `${count(tokens)} Token passen, geladen mit ${count(inForce)}`,
  takenAt: (when, gpu, tookMs) => `${when}, ${gpu ?? 'ohne GPU'}, in ${seconds(tookMs)}`,
  cutShort: 'Der Test endete, bevor alle Fragen gestellt waren.',
  advice: {
    label: 'Vorschläge',
    window: (tokens) => `Kontext auf ${count(tokens)} setzen`,
    calls: { native: 'Native Aufrufe verwenden', constrained: 'Aufrufe mit Grammatik verwenden' },
    fits: (before, tokens, leaves, readMs) =>
      [
        `Der Kontext hat ${count(before)} Token. ${count(tokens)} passen`,
        leaves === null ? '' : ` und lassen ${bytes(leaves)} frei`,
        readMs === null ? '.' : `. Voll ist er in etwa ${seconds(readMs)} gelesen.`,
      ].join(''),
    spills: (before, tokens) =>
      `Ein Kontext mit ${count(before)} Token läuft teilweise auf der CPU, viel langsamer. ${count(tokens)} Token passen.`,
    better: (better, other) => `${better}. ${other.charAt(0).toUpperCase()}${other.slice(1)}.`,
    changes: (profile, builtIn) =>
      `Das ändert das Profil ${profile}${builtIn ? ', in deiner eigenen Kopie' : ''}.`,
    windowDone: (profile, tokens) => `${profile} hat jetzt einen Kontext mit ${count(tokens)} Token.`,
    callsDone: (profile, way) => `${profile} verwendet jetzt ${way}.`,
    undo: 'Rückgängig machen',
  },
  badge: (valid, asked, writesPerSecond) =>
    `Test ${valid} von ${asked}${writesPerSecond === null ? '' : `, schreibt ${rate(writesPerSecond)}`}`,
};
