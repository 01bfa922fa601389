import type { memoryWords as english } from '../en/memory-words.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { bytes, count, plural } from './figures.ts';

const facts = (number: number): string => plural(number, 'Fakt', 'Fakten');

/** What the settings say of what is remembered. */
export const memoryWords: InAnyWords<typeof english> = {
  rows: {
    facts: {
      label: 'Was Andiron über dich weiß',
      help: 'Kommt in neue Sitzungen, deren Profil das Gedächtnis nutzt.',
    },
    summary: {
      label: 'Zusammenfassung',
      help: 'Neue Sitzungen beginnen damit. Deinen eigenen Text überschreibt kein Modell.',
    },
    meaning: {
      label: 'Wie Fakten gefunden werden',
      help: 'Nach Wörtern und, mit einem Embedding-Modell, auch nach Bedeutung.',
    },
    profiles: {
      label: 'Profile mit Gedächtnis',
      help: 'Aus: Ein Profil merkt sich keine Fakten und liest auch keine.',
    },
    clear: {
      label: 'Alles vergessen',
      help: 'Löscht alle Fakten und die Zusammenfassung. Sitzungen bleiben erhalten.',
    },
  },
  facts,
  meaning: {
    byMeaning: (model, indexed, total) => {
      if (total === 0) return `Nach Bedeutung, mit ${model}.`;
      const all = total === 1 ? facts(total) : `alle ${facts(total)}`;
      return `Nach Bedeutung, mit ${model}: ${indexed === total ? all : `${count(indexed)} von ${facts(total)}`}.`;
    },
    wordsOnly: 'Nur nach Wörtern.',
    problems: {
      off: () => 'Du hast das Modell ausgeschaltet.',
      no_engine: () => 'Ollama läuft nicht.',
      no_model: () => 'Es ist kein Embedding-Modell installiert.',
      gone: (model) => `${model} ist nicht installiert. Wähle ein anderes Modell oder installiere es wieder.`,
      no_place: () =>
        'Ollama hat keinen Platz für ein weiteres Modell. Erhöhe OLLAMA_MAX_LOADED_MODELS oder entlade ein Modell.',
      failed: (reason) =>
        `${reason === '' ? 'Das Modell hat nicht geantwortet.' : reason} Andiron versucht es später erneut.`,
    },
    model: 'Embedding-Modell',
    modelHelp: 'Läuft auf der CPU und braucht keinen VRAM. Ein anderes Modell liest alle Fakten neu.',
    automatic: (model) => (model === null ? 'Automatisch' : `Automatisch (${model})`),
    option: (model, size) => `${model}, ${bytes(size)}`,
    gone: (model) => `${model}, nicht installiert`,
    none: 'Nur Wörter',
    offers: {
      'embeddinggemma:300m': 'Über 100 Sprachen.',
      'all-minilm:22m': 'Nur Englisch. Das kleinste.',
    },
  },
  empty: 'Noch nichts.',
  emptyHelp:
    'Andiron merkt sich Fakten, die du nennst oder die in ruhenden Sitzungen auffallen. Passwörter und Schlüssel merkt es sich nie.',
  find: 'Im Gedächtnis suchen',
  nothing: (query) => `Im Gedächtnis passt nichts zu „${query}“.`,
  asking: 'Wird geladen …',
  failed: 'Die Fakten konnten nicht gelesen werden.',
  origins: {
    noticed: 'aufgefallen',
    taught: 'gemerkt nach dem Lesen anderer Texte',
    saved: 'auf Wunsch gemerkt',
    written: 'in deinen Worten',
  },
  originUnknown: 'Herkunft unbekannt',
  from: (session) => `aus „${session}“`,
  fromGone: 'aus einer gelöschten Sitzung',
  until: (day) => `bis ${day}`,
  edit: (fact) => `${fact} ändern`,
  forget: (fact) => `${fact} vergessen`,
  value: (fact) => `${fact}: neuer Text`,
  forgotten: (fact) => `Vergessen: ${fact}.`,
  undo: 'Rückgängig machen',
  undoLabel: (fact) => `${fact} wieder merken`,
  save: 'Speichern',
  discard: 'Verwerfen',
  summaryNone:
    'Noch keine. Ein Modell schreibt eine, sobald es etwas gelernt hat. Oder du schreibst sie hier.',
  summaryByYou: 'in deinen Worten',
  summaryByModel: 'von einem Modell',
  summaryWrite: 'Schreiben',
  summaryEdit: 'Ändern',
  summaryRemove: 'Entfernen',
  summaryChanged: 'Die Zusammenfassung wurde geändert, während du geschrieben hast.',
  summaryChangedHelp: 'Speichere deinen Text darüber, oder verwirf ihn und behalte den neuen.',
  summaryNow: 'Was jetzt darin steht',
  summaryGone: 'Sie wurde entfernt.',
  clear: 'Alles vergessen',
  clearTitle: 'Alles über dich vergessen?',
  clearText: (number) =>
    number === 0
      ? 'Das löscht die Zusammenfassung. Sitzungen bleiben erhalten.'
      : `Das löscht ${facts(number)} und die Zusammenfassung. Sitzungen bleiben erhalten.`,
  clearKeep: 'Behalten',
  cleared: (number) => `${facts(number)} vergessen.`,
};
