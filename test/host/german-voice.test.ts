/** The rules of `npm run voice` for German: each finds what it is for, and nothing else. */
import { expect, test } from 'vitest';
import {
  formalGerman,
  germanOffences,
  isGerman,
  mixedGermanSigns,
  translatedGerman,
  twoGermanWords,
} from '../../scripts/voice/german-rules.ts';
import { personTexts } from '../../scripts/voice/person-texts.ts';
import { maxWords, sentencesOf } from '../../scripts/voice/rules.ts';

const german = personTexts().filter(isGerman);
const texts = (...all: string[]) => all.map((text) => ({ place: 'src/text/de/a.ts', text }));

test('German that is English word by word is found, and words that only look like it are not', () => {
  expect(translatedGerman(texts('Bitte wähle einen Ordner.', 'Das macht Sinn.'))).toEqual([
    'src/text/de/a.ts: Bitte (weglassen): Bitte wähle einen Ordner.',
    'src/text/de/a.ts: macht Sinn (ergibt Sinn): Das macht Sinn.',
  ]);
  expect(
    translatedGerman(texts('Der Befehl wurde durchgeführt.', 'Stell sicher, dass es läuft.')),
  ).toHaveLength(2);
  expect(translatedGerman(texts('Das Ergebnis ist bitter.', 'Das ist sicher gelaufen.'))).toEqual([]);
});

test('A formal address in German is found, and “Sie” for several things is not', () => {
  expect(
    formalGerman(texts('Klicken Sie auf Laden.', 'Das ist, was Ihnen fehlt.', 'Ihre Datei ist da.')),
  ).toHaveLength(3);
  expect(
    formalGerman(texts('Alles da. Sie laufen schon.', 'Aus: Sie bleiben.', 'Wo sie sind, ist ihre Sache.')),
  ).toEqual([]);
});

test('A second German word for a thing that has one is found', () => {
  expect(twoGermanWords(texts('Den Arbeitsbereich öffnen.', 'Den Ordner öffnen.', 'Drei Tokens.'))).toEqual([
    'src/text/de/a.ts: Arbeitsbereich (Ordner): Den Arbeitsbereich öffnen.',
    'src/text/de/a.ts: Tokens (Token): Drei Tokens.',
  ]);
  expect(
    twoGermanWords(texts('Die GPU Warteschlange', 'Die GPU-Warteschlange', 'Der Modelltest')),
  ).toHaveLength(1);
});

test('English quotation marks, three dots and dashes as ornament are found in German', () => {
  const wrong = [
    'Von “hier” aus',
    'Von "hier" aus',
    'Von „hier” aus',
    'Lädt...',
    'Lädt…',
    'Es endet – es lief',
  ];
  expect(mixedGermanSigns(texts(...wrong))).toHaveLength(wrong.length);
  const right = ['Von „hier“ aus', 'JSON mit "mcpServers"', 'Lädt\u00A0…', 'Alle … Minuten', '‹›–‹› von ‹›'];
  expect(mixedGermanSigns(texts(...right))).toEqual([]);
});

test('No German text of the window breaks a rule of its voice', () => {
  expect(german.length).toBeGreaterThan(1_000);
  expect(germanOffences(german)).toEqual([]);
});

test('At most 2 % of the German sentences have more than twenty words', () => {
  const sentences = sentencesOf(german);
  const long = sentences.filter(({ words }) => words > maxWords);
  expect(long.length / sentences.length).toBeLessThanOrEqual(0.02);
});
