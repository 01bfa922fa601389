import type { tools as english } from '../en/tools.ts';
import type { InAnyWords } from '../in-any-words.ts';

export const tools: InAnyWords<typeof english> = {
  read_file: { verb: 'Lesen', help: 'liest eine Datei', doing: 'Lesen' },
  write_file: { verb: 'Schreiben', help: 'schreibt eine neue Datei', doing: 'Schreiben' },
  edit_file: { verb: 'Ändern', help: 'ändert eine Datei', doing: 'Ändern' },
  create_document: { verb: 'Schreiben', help: 'schreibt ein Dokument', doing: 'Schreiben von Dokumenten' },
  list_files: { verb: 'Auflisten', help: 'listet einen Ordner auf', doing: 'Auflisten' },
  glob: { verb: 'Finden', help: 'findet Dateien nach Namen', doing: 'Finden von Dateien' },
  search: { verb: 'Suchen', help: 'sucht in Dateien', doing: 'Suchen' },
  run_command: { verb: 'Ausführen', help: 'führt einen Befehl aus' },
  spawn_agent: { verb: 'Agent', help: 'gibt eine Teilaufgabe ab' },
  switch_profile: { verb: 'Wechseln', help: 'wechselt das Profil' },
  list_profiles: { verb: 'Auflisten', help: 'listet die Profile auf' },
  todo: { verb: 'To-do', help: 'führt eine Liste seiner Schritte' },
  scratchpad: { verb: 'Notizen', help: 'macht sich Notizen' },
  memory_save: { verb: 'Merken', help: 'merkt sich einen Fakt' },
  memory_search: { verb: 'Erinnern', help: 'sucht im Gedächtnis' },
  schedule_add: { verb: 'Planen', help: 'plant eine Aufgabe für später' },
  schedule_list: { verb: 'Auflisten', help: 'listet die Jobs auf' },
  schedule_cancel: { verb: 'Entfernen', help: 'entfernt einen Job' },
  load_skill: { verb: 'Laden', help: 'öffnet einen Skill', doing: 'Laden von Skills' },
  tool_search: {
    verb: 'Nachschlagen',
    help: 'findet Tools deiner Verbindungen',
    doing: 'Finden von Tools',
  },
  tool_call: { verb: 'Aufrufen', help: 'ruft ein Tool deiner Verbindungen auf' },
  fetch_url: { verb: 'Lesen', help: 'liest eine Webseite', doing: 'Lesen von Webseiten' },
  web_search: {
    verb: 'Im Web suchen',
    help: 'sucht im Web',
    missing: 'braucht einen Suchdienst: Einstellungen, Verbindungen',
    doing: 'Suchen im Web',
  },
  search_collections: {
    verb: 'Sammlungen durchsuchen',
    help: 'findet Textstellen in deinen Sammlungen',
    missing: 'braucht eine Sammlung: Einstellungen, Sammlungen',
    doing: 'Suchen in Sammlungen',
  },
};

const byName: Readonly<Record<string, { verb: string; doing?: string }>> = tools;

/** What it does, or its name. */
export const toolDoing = (name: string): string =>
  (Object.hasOwn(byName, name) ? byName[name]?.doing : undefined) ?? name;
