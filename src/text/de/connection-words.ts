import type { connectionsPane as english } from '../en/connection-words.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { count, plural } from './figures.ts';

/** Servers of other people's tools, in the settings. */
export const connectionsPane: InAnyWords<typeof english> = {
  add: 'Server hinzufügen',
  refresh: 'Aktualisieren',
  asking: 'Wird geladen …',
  failed: 'Die Server konnten nicht gelesen werden.',
  none: 'Noch keine Server',
  noneHelp: 'Ein Server bringt Tools von anderen mit, etwa für Kalender, Datenbank oder Website.',
  problem: 'Ein Teil der mcp.json ist nicht verwendbar.',
  columns: { server: 'Server', state: 'Status', tools: 'Tools', price: 'Kosten' },
  show: (name) => `Details zu ${name}`,
  toolsOn: (on, all) => `${count(on)} von ${count(all)}`,
  tokens: (tokens) => plural(tokens, 'Token', 'Token'),
  noPrice: 'nichts',
  bridge: (tokens) =>
    `Ein Profil mit tool_search und tool_call findet diese Tools bei Bedarf. Das kostet ${count(tokens)} Token pro Sitzung. Dazu kommt jedes gefundene Tool.`,

  states: {
    off: 'Aus',
    idle: 'Startet bei Bedarf',
    connecting: 'Verbindet sich',
    sandboxed: 'Läuft in der Sandbox',
    unsandboxed: 'Läuft ohne Sandbox',
    connected: 'Verbunden',
    failed: 'Fehlgeschlagen',
    retrying: 'Fehlgeschlagen, neuer Versuch läuft',
    changed: 'Geändert',
    signIn: 'Wartet auf deine Anmeldung',
  },

  signIn: {
    label: 'Anmeldung',
    states: {
      none: 'Nicht angemeldet',
      needed: 'Nicht angemeldet',
      waiting: 'Wartet auf deinen Browser',
      signed_in: 'Angemeldet',
    },
    begin: 'Anmelden',
    out: 'Abmelden',
    cancel: 'Abbrechen',
    open: 'Anmeldeseite öffnen',
    openHelp: 'Der Server schickt dich auf diese Seite. Prüf die Adresse, bevor du dich dort anmeldest.',
  },

  changedTitle: (name, tools) =>
    `${name} hat ${tools === 1 ? 'ein Tool' : `${count(tools)} Tools`} geändert, seit du den Server erlaubt hast`,
  changedHelp: (tools) =>
    tools === 1 ? 'Es bleibt aus, bis du entscheidest.' : 'Sie bleiben aus, bis du entscheidest.',
  changes: (name) => `Änderungen bei ${name}`,
  allow: 'Änderungen erlauben',
  removeServer: 'Server entfernen',
  arguments: 'Argumente',

  on: 'Diesen Server verwenden',
  onHelp: 'Aus: Er läuft nicht, und seine Tools sind nicht zu finden.',
  unsandboxed: 'Ohne Sandbox ausführen',
  unsandboxedHelp: 'Der Server kann dann alles, was du auf diesem Computer kannst.',
  command: 'Befehl',
  address: 'Adresse',
  variables: 'Variablen',
  headers: 'Header',
  folders: 'Darf ändern',
  hosts: 'Darf erreichen',
  protocol: 'Protokoll',
  secret: (names) => `${names} (Werte verborgen)`,
  leftOut: (tools) =>
    `${plural(tools, 'Tool', 'Tools')} ausgelassen: zu groß, zu viele oder mit ungültigem Namen.`,
  noTools: 'Aktualisiere den Server, um seine Tools zu sehen.',
  removeTitle: (name) => `„${name}“ entfernen?`,
  removeText: 'Der Eintrag in mcp.json, die Tools und der Ordner des Servers werden mit entfernt.',
  keep: 'Server behalten',

  form: {
    title: 'Server hinzufügen',
    kind: 'Hinzufügen über',
    kinds: { command: 'Befehl', address: 'Adresse', paste: 'Einfügen' },
    kindHelp: {
      command: 'Ein Programm auf diesem Computer. Es läuft in der Sandbox.',
      address: 'Ein Server im Netzwerk.',
      paste: 'Die Konfiguration einer anderen App, zum Beispiel claude_desktop_config.json.',
    },
    name: 'Name',
    nameHelp: 'Buchstaben, Ziffern, - und _',
    command: 'Befehlszeile',
    commandHelp: 'Ein Programm und seine Argumente, je eines pro Zeile',
    variables: 'Variablen',
    variablesHelp: 'NAME=Wert, eine pro Zeile. Andiron zeigt die Werte nie wieder an.',
    url: 'URL',
    urlHelp: 'Sie beginnt mit http:// oder https://',
    headers: 'Header',
    headersHelp: 'Name: Wert, einer pro Zeile. Andiron zeigt die Werte nie wieder an.',
    paste: 'Konfiguration',
    pasteHelp: 'JSON mit "mcpServers"',
    noName: 'Der Name braucht Buchstaben, Ziffern, - oder _.',
    noCommand: 'Gib den Befehl ein.',
    badVariables: 'Schreib jede als NAME=Wert.',
    noUrl: 'Gib eine Adresse ein, die mit http:// oder https:// beginnt.',
    badHeaders: 'Schreib jeden als Name: Wert.',
    noPaste: 'Füg die Konfiguration ein.',
    cancel: 'Abbrechen',
    save: 'Hinzufügen',
  },
};
