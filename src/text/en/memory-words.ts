import { bytes, count, plural } from './figures.ts';

/** What the settings say of what is remembered. */
export const memoryWords = {
  rows: {
    facts: {
      label: 'What Andiron remembers about you',
      help: 'Added to new sessions in profiles with memory on.',
    },
    summary: { label: 'Summary', help: 'New sessions begin with it. Yours is never replaced by a model.' },
    meaning: {
      label: 'How facts are found',
      help: 'By their words, and by what they mean where an embedding model is installed.',
    },
    profiles: {
      label: 'Profiles that remember',
      help: 'Off: a profile neither adds facts nor reads them.',
    },
    clear: { label: 'Forget everything', help: 'This deletes all facts and the summary. Sessions stay.' },
  },
  facts: (facts: number): string => plural(facts, 'fact', 'facts'),
  meaning: {
    byMeaning: (model: string, indexed: number, total: number): string =>
      total === 0
        ? `By meaning, with ${model}.`
        : `By meaning, with ${model}: ${
            indexed === total
              ? `all ${plural(total, 'fact', 'facts')}`
              : `${count(indexed)} of ${plural(total, 'fact', 'facts')}`
          }.`,
    wordsOnly: 'By words only.',
    problems: {
      off: () => 'You turned the model off.',
      no_engine: () => 'Ollama is not running.',
      no_model: () => 'No embedding model is installed.',
      gone: (model: string) => `${model} is not installed. Choose another model, or install it again.`,
      no_place: () =>
        'Ollama has no room for one more model. Raise OLLAMA_MAX_LOADED_MODELS, or unload a model.',
      failed: (reason: string) =>
        `${reason === '' ? 'The model did not answer.' : reason} Andiron tries again later.`,
    },
    model: 'Embedding model',
    modelHelp: 'It runs on the CPU and takes no VRAM. Another model re-reads all facts.',
    automatic: (model: string | null): string => (model === null ? 'Automatic' : `Automatic (${model})`),
    option: (model: string, size: number): string => `${model}, ${bytes(size)}`,
    gone: (model: string): string => `${model}, not installed`,
    none: 'Words only',
    offers: {
      'embeddinggemma:300m': 'Over 100 languages.',
      'all-minilm:22m': 'English only. The smallest.',
    },
  },
  empty: 'Nothing yet.',
  emptyHelp:
    'Andiron keeps facts that you give it, and facts it notices in idle sessions. It never keeps passwords or keys.',
  find: 'Find in memory',
  nothing: (query: string): string => `Nothing remembered matches “${query}”.`,
  asking: 'Loading…',
  failed: 'The facts could not be read.',
  origins: {
    noticed: 'noticed',
    taught: 'saved after it read other texts',
    saved: 'saved when asked',
    written: 'in your words',
  },
  originUnknown: 'origin unknown',
  from: (session: string): string => `from “${session}”`,
  fromGone: 'from a deleted session',
  until: (day: string): string => `until ${day}`,
  edit: (fact: string): string => `Change ${fact}`,
  forget: (fact: string): string => `Forget ${fact}`,
  value: (fact: string): string => `${fact}: new words`,
  forgotten: (fact: string): string => `Forgotten: ${fact}.`,
  undo: 'Undo',
  undoLabel: (fact: string): string => `Remember ${fact} again`,
  save: 'Save',
  discard: 'Discard',
  summaryNone: 'None yet. A model writes one when it has learnt something, or you write it here.',
  summaryByYou: 'in your words',
  summaryByModel: 'by a model',
  summaryWrite: 'Write',
  summaryEdit: 'Change',
  summaryRemove: 'Remove',
  summaryChanged: 'The summary changed while you were writing.',
  summaryChangedHelp: 'Save yours over it, or discard yours and keep the new one.',
  summaryNow: 'What it says now',
  summaryGone: 'It was removed.',
  clear: 'Forget everything',
  clearTitle: 'Forget everything about you?',
  clearText: (facts: number): string =>
    facts === 0
      ? 'This deletes the summary. Sessions stay.'
      : `This deletes ${plural(facts, 'fact', 'facts')} and the summary. Sessions stay.`,
  clearKeep: 'Keep them',
  cleared: (facts: number): string => `${plural(facts, 'fact was', 'facts were')} forgotten.`,
} as const;
