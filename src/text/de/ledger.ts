import type { ledger as english } from '../en/ledger.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { count } from './figures.ts';

/** What a request made the engine read, and why it read something again. A cause is a whole sentence. */
export const ledger: InAnyWords<typeof english> = {
  causes: {
    tools_changed: 'Die Tools des Profils haben sich geändert',
    head_changed: 'Der Prompt des Profils hat sich geändert',
    flag_changed: 'Eine Einstellung des Profils hat sich geändert',
    history_rewritten: 'Frühere Nachrichten wurden umgeschrieben',
    thinking_dropped: 'Dieses Modell vergisst frühere Überlegungen',
    text_moved: 'Das Template des Modells verschiebt Text',
    tools_moved: 'Das Template des Modells verschiebt die Tools',
    rendering: 'Das Template des Modells schreibt es jetzt anders',
    date_changed: 'Das Datum im Prompt hat sich geändert',
    checkpoint: 'Dieses Modell kann nur ab Zwischenständen weiterlesen',
    cache_evicted: 'Der Modellserver hat es aus dem Cache entfernt',
    own_question: 'Andiron hat dazwischen geprüft, was das Modell kann',
    window: 'Der Kontext ist weitergerückt',
    reload: 'Das Modell wurde noch einmal geladen',
    other_program: 'Ein anderes Programm hat das Modell genutzt',
    persons_choice: 'Du hast den Kontext geändert',
    unknown: 'Die Ursache ist unbekannt',
  },
  owners: {
    andiron: 'Andiron',
    template: 'das Template des Modells',
    engine: 'den Modellserver',
    other_program: 'ein anderes Programm',
    person: 'dich',
  },
  because: (tokens, cause) => `${count(tokens)} Token neu gelesen. ${cause}.`,
  told: (tokens, cause, words, adds) =>
    `${count(tokens)} Token neu gelesen. ${cause}.${adds ? ` ${words}.` : ''}`,
  by: (owner) => `Durch ${owner}.`,
  showParting: 'Prompts vergleichen',
  hideParting: 'Vergleich ausblenden',
  before: 'Vorher',
  after: 'Jetzt',
  why: 'Warum ist es langsam?',
};
