import type { profiles as english } from '../en/profiles.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { count, percent, plural, seconds } from './figures.ts';

const characters = (number: number): string => `${count(number)} Zeichen`;

/** Profiles in the settings: making, changing and removing them. Flags and their help stand with the settings. */
export const profiles: InAnyWords<typeof english> = {
  pages: {
    prompts: 'Prompt',
    tools: 'Tools',
    model: 'Modell',
    limits: 'Limits',
    advanced: 'Erweitert',
    file: 'Datei',
  },
  pagesLabel: 'Seiten des Profils',
  figures: 'Wie viele Token etwa vor deinem ersten Wort gelesen werden.',
  unsaved: 'nicht gespeichert',

  create: 'Neues Profil',
  createTitle: 'Neues Profil',
  createVerb: 'Profil anlegen',
  createKeep: 'Abbrechen',
  createName: 'Name',
  createFrom: 'Vorlage',
  createEmpty: 'Leer',
  createHelp: 'Du kannst danach alles ändern.',
  nameMissing: 'Es fehlt noch ein Name.',
  nameTaken: 'Ein Profil mit diesem Namen gibt es schon.',
  nameLong: (most) => `Höchstens ${count(most)} Zeichen.`,
  duplicate: 'Duplizieren',
  copyOf: (name, nth) => (nth === 1 ? `${name} (Kopie)` : `${name} (Kopie ${count(nth)})`),
  more: 'Mehr zu diesem Profil',
  rename: 'Umbenennen',
  remove: 'Profil löschen',
  removeWhat: (name) => `${name} löschen`,
  removeKeep: 'Behalten',
  toBuiltIn: 'Mitgeliefertes Profil wiederherstellen',
  toBuiltInKeep: 'Meines behalten',
  cannotRemove: 'Ein mitgeliefertes Profil lässt sich nicht löschen.',
  removeAsks: (name, instead, session) => `Ohne ${name} geht es in ${session} mit ${instead} weiter:`,
  toBuiltInAsks: (name, session) => `Mit dem mitgelieferten ${name} gilt in ${session}:`,
  removed: (name) => `${name} ist gelöscht.`,
  gone: (id) => `${id} (gelöscht)`,
  removedSessions: (sessions, instead) =>
    sessions === 1
      ? `Eine Sitzung macht mit ${instead} weiter.`
      : `${count(sessions)} Sitzungen machen mit ${instead} weiter.`,
  resetDone: (name) => `${name} ist wieder das mitgelieferte Profil.`,
  undo: 'Rückgängig machen',
  dismiss: 'Ausblenden',
  ownInstead: 'Deines, anstelle des mitgelieferten.',

  changedMark: 'Weicht vom Standard ab.',
  range: (min, max) => `${min} bis ${max}`,
  atLeast: (min) => `mindestens ${min}`,
  anyWhole: 'jede ganze Zahl',
  invalidAnyWhole: 'Eine ganze Zahl oder leer.',
  invalidWholeOrNothing: (min, max) =>
    max === null
      ? `Eine ganze Zahl ab ${count(min)} oder leer.`
      : `Eine ganze Zahl von ${count(min)} bis ${count(max)} oder leer.`,

  notSaved: (flags) => `${flags}: nicht gespeichert.`,
  fileChanged: (words) => `Die Datei wurde inzwischen geändert: ${words}.`,
  fileSays: (what, value, mine) => `${what} ist jetzt ${value}, hier ${mine}`,
  keepMine: 'Meines behalten',
  takeFile: 'Aus der Datei übernehmen',

  models: {
    up: (model) => `${model} nach oben schieben`,
    down: (model) => `${model} nach unten schieben`,
    place: (model, place, of) => `${model} ist Nummer ${count(place)} von ${count(of)}`,
    another: 'Anderer Name',
    anotherLabel: 'Name eines Modells',
    anotherHelp: 'Wie es in Ollama heißt, zum Beispiel qwen3:8b.',
    addVerb: 'Hinzufügen',
    listed: 'Es steht schon in der Liste.',
    nameInvalid: 'Nur Buchstaben, Ziffern und - _ . : / ohne Leerzeichen.',
  },

  tools: {
    groups: {
      files: 'Dateien',
      commands: 'Befehle',
      work: 'Schritte und Notizen',
      agents: 'Subagenten und Profile',
      memory: 'Gedächtnis',
      schedule: 'Zeitplan',
      skills: 'Skills',
      mcp: 'Verbindungen',
      web: 'Web',
      collections: 'Sammlungen',
      others: 'Andere',
    },
    risks: { read: 'liest', write: 'schreibt', execute: 'führt aus', network: 'Netzwerk' },
    riskHelp: {
      read: 'Liest oder ändert nur, was Andiron für sich selbst aufbewahrt',
      write: 'Ändert Dateien',
      execute: 'Führt Programme auf diesem Computer aus',
      network: 'Greift auf das Netzwerk zu',
    },
    tokens: (tokens) => count(tokens),
    tokensLabel: (tokens) => `etwa ${count(tokens)} Token in jedem Prompt`,
    unknown: 'dieser Version unbekannt',
    cost: 'Vor deinem ersten Wort gelesen',
    costTools: (tools) => plural(tools, 'Tool', 'Tools'),
    costTexts: 'Persona und Prompt',
    about: (tokens) => `etwa ${count(tokens)}`,
    aboutTime: (tokens, ms) => `etwa ${count(tokens)}, ${seconds(ms)}`,
    share: (ratio, window) =>
      `${ratio < 0.01 ? 'Unter 1 %' : percent(ratio)} des Kontexts von ${count(window)}. Geschätzt mit vier Zeichen je Token.`,
  },

  prompts: {
    names: { system: 'Prompt', subagent: 'Subagenten', persona: 'Persona' },
    files: { system: 'system.md', subagent: 'subagent.md', persona: 'persona.md' },
    label: 'Texte des Profils',
    help: {
      system: 'Was das Modell zuerst liest, nach der Persona. Danach kommen die Tools.',
      subagent: 'Was Subagenten statt Persona und Prompt lesen. Leer: dasselbe wie das Profil.',
      persona: 'Wer das Modell ist, vor dem Prompt. Leer: die Persona aller Profile.',
    },
    placeholder: {
      system: 'Wofür dieses Profil da ist und wie es arbeiten soll.',
      subagent: 'Leer: Subagenten verwenden Persona und Prompt des Profils.',
      persona: 'Leer: Die Persona darunter gilt.',
    },
    common: 'Persona aller Profile',
    commonNone: 'Es gibt keine.',
    size: (number) => `${characters(number)}, etwa ${count(Math.ceil(number / 4))} Token`,
    saved: 'Gespeichert',
    unsaved: 'Nicht gespeichert',
    empty: 'Ein Profil braucht einen Prompt.',
    revert: 'Zurücksetzen',
    save: 'Speichern',
    builtIn: 'Mitgeliefert. Beim Speichern entsteht deine eigene Kopie.',
    cost: (session) => `„${session}“ verwendet dieses Profil:`,
    costWhen: 'mit der nächsten Nachricht.',
    others: (sessions) =>
      sessions === 1
        ? 'Eine weitere Sitzung wird auch neu gelesen.'
        : `${count(sessions)} weitere Sitzungen werden auch neu gelesen.`,
    onlyOthers: (sessions) =>
      sessions === 1
        ? 'Eine Sitzung mit diesem Profil wird mit der nächsten Nachricht ganz neu gelesen.'
        : `${count(sessions)} Sitzungen mit diesem Profil werden mit der nächsten Nachricht ganz neu gelesen.`,
    subagents: 'Subagenten lesen das ab ihrem nächsten Lauf.',
    changed: (file) => `${file} wurde auf der Festplatte geändert, während du daran gearbeitet hast.`,
    changedHelp: 'Überschreib die Datei mit deinem Text, oder nimm die Fassung von der Festplatte.',
    fileNow: 'Was jetzt in der Datei steht',
    tooLong: 'Zu lang für ein Profil: höchstens 256 kB.',
  },

  file: {
    folder: 'Ordner',
    files: 'Dateien',
    none: 'keine',
    characters,
    flags: 'Einstellungen, Modelle und Tools',
    differs: 'Was vom Standard abweicht',
    nothingDiffers: 'Alle Einstellungen stehen auf Standard.',
    columns: { flag: 'Einstellung', value: 'Hier', default: 'Standard' },
    json: 'profile.json',
    unreadable: 'Sie ist nicht lesbar.',
    reading: 'Wird geladen …',
    failed: 'Die Dateien lassen sich nicht anzeigen:',
    editNote: 'Du kannst jeden Editor nehmen. Andiron übernimmt die Änderung.',
    tools: (tools) => plural(tools, 'Tool', 'Tools'),
  },
};
