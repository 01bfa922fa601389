import type { person as english } from '../en/person.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { bytes, count, plural } from './figures.ts';
import { memoryWords } from './memory-words.ts';
import { timesOf } from './times.ts';

const sessions = (number: number): string => plural(number, 'Sitzung', 'Sitzungen');
const deletedSessions = (number: number): string =>
  plural(number, 'gelöschte Sitzung', 'gelöschte Sitzungen');

/** The settings beside profiles, models, engine and shortcuts. A `rows` entry is one row, and is found by the search. */
export const person: InAnyWords<typeof english> = {
  search: {
    field: 'Einstellung suchen',
    clear: 'Suche leeren',
    results: 'Gefundene Einstellungen',
    found: (rows) =>
      rows === 0 ? 'Keine Einstellung gefunden' : plural(rows, 'Einstellung', 'Einstellungen'),
    nothing: (query) => `Keine Einstellung passt zu „${query}“`,
    nothingHelp: 'Gesucht wird in Namen, Hilfetexten und Wörtern wie „dunkel“, „Datenschutz“ oder „VRAM“.',
    searchWords: {
      'profiles.approvals': 'berechtigung bestätigen vertrauen yolo auto sicherheit erlauben freigabe',
      'profiles.maxIterations': 'limit grenze schleife schritte budget iterationen',
      'profiles.think': 'reasoning gedanken denken überlegen',
      'profiles.temperature': 'kreativität zufall sampling',
      'profiles.contextTokens': 'kontextfenster länge größe num_ctx vram',
      'profiles.firstTokenTimeoutS': 'timeout hängt zeitlimit',
      'profiles.idleTokenTimeoutS': 'timeout hängt zeitlimit',
      'profiles.planningEnabled': 'schritte todo planung',
      'profiles.compactAt': 'kompaktieren komprimieren zusammenfassung kontext',
      'profiles.memoryEnabled': 'gedächtnis fakten datenschutz lernen memory',
      'profiles.calls': 'tools grammatik json funktionen nativ',
      'profiles.models': 'llm ersatz liste reihenfolge',
      'profiles.tools': 'funktionen werkzeuge erlauben ausschalten',
      'profiles.prompts': 'systemprompt persona anweisungen identität',
      'profiles.file': 'json ordner pfad festplatte',
      'models.installed': 'llm liste löschen entfernen',
      'models.more': 'herunterladen download pull katalog bibliothek',
      'engine.ollama': 'server version adresse port fehler probleme',
      'engine.keepAlive': 'entladen vram leerlauf zeit',
      'engine.hosts': 'url entfernt remote server port ollama_host',
      'engine.memory': 'ram cpu arbeitsspeicher',
      'approvals.policies': 'berechtigung bestätigen vertrauen auto sicherheit fragen freigabe',
      'approvals.session': 'berechtigung gewähren widerrufen immer erlauben',
      'approvals.commands': 'regeln shell terminal ausführen widerrufen sandbox',
      'approvals.hosts': 'netzwerk internet web domain proxy npm pip github',
      'approvals.never': 'verboten gesperrt sandbox ordner sicherheit',
      'appearance.theme': 'dunkel hell modus farbe nacht dark',
      'appearance.language': 'übersetzung englisch deutsch english german language',
      'appearance.textSize': 'schrift zoom größer kleiner skalierung',
      'appearance.motion': 'animation übergang barrierefreiheit bewegung',
      'appearance.wrapCode': 'zeilenumbruch lange zeilen umbrechen',
      'notifications.notifications': 'melden hinweis popup banner benachrichtigung',
      'notifications.quietHours': 'nicht stören nacht still stumm zeit',
      'memory.facts': 'datenschutz privatsphäre lernen über mich persönlich vergessen löschen',
      'memory.summary': 'datenschutz privatsphäre über mich persönlich',
      'memory.meaning': 'embedding vektoren semantisch suche ähnlich modell',
      'memory.profiles': 'datenschutz privatsphäre lernen ausschalten',
      'memory.clear': 'löschen alles datenschutz privatsphäre zurücksetzen',
      'desktop.keepAwake': 'schlaf ruhezustand energie akku standby laptop wach',
      'desktop.checkUpdates': 'neue version upgrade aktualisierung automatisch',
      'desktop.hardwareAcceleration': 'gpu vram grafik rendern hardwarebeschleunigung',
      'storage.folder': 'daten pfad verzeichnis ort wo',
      'storage.sizes': 'festplatte speicherplatz belegung groß',
      'storage.purge': 'löschen papierkorb leeren datenschutz privatsphäre',
      'storage.compact': 'vacuum verkleinern komprimieren speicherplatz frei',
      'storage.check': 'integrität defekt beschädigt reparieren',
      'storage.export': 'backup sicherung speichern json kopie',
      'bindings.test': 'vorschau prüfen welches profil antwortet',
      'bindings.places': 'plattform server telegram discord webhook profil modell tools grenze',
      'bindings.personas': 'identität charakter prompt stimme',
      'people.budgets': 'gast standard token limit cache frei',
      'people.others': 'nutzer gäste konten telegram budget limit sperren stufe berechtigung',
      'usage.tokens': 'kosten geld preis ausgaben verbrauch statistik csv export',
      'schedule.jobs': 'cron timer wiederkehrend später aufgabe automatisch erinnerung täglich',
      'connections.web': 'internet suche searxng brave tavily exa api schlüssel seite google',
      'connections.skills': 'agents.md skill.md anweisungen vertrauen ordner skills skill',
      'collections.collections':
        'dokumente ordner dateien wissen bibliothek rag index embeddings vektoren suche textstellen',
      'connections.servers': 'mcp server tools plugins erweiterungen integrationen import',
      'about.version': 'update release build',
      'about.diagnostics': 'debug fehlerbericht support diagnose',
      'about.logs': 'log protokoll datei debug fehler',
      'about.signOut': 'ausloggen logout sitzung sicherheit token',
      'about.licences': 'lizenz open source drittanbieter',
    },
  },

  approvals: {
    rows: {
      policies: {
        label: 'Wann gefragt wird',
        help: 'Befehle fragen immer, außer denen, die du immer erlaubst. Gilt ab dem nächsten Aufruf.',
      },
      commands: {
        label: 'In einem Ordner immer erlaubte Befehle',
        help: 'Sie laufen ohne Rückfrage in der Sandbox, auch in neuen Sitzungen.',
      },
      hosts: {
        label: 'Hosts, die Befehle erreichen dürfen',
        help: 'Befehle in der Sandbox fragen vor jedem Host. Nach fremdem Text fragt jede Runde noch einmal.',
      },
      session: {
        label: 'Für den Rest einer Sitzung erlaubt',
        help: 'Tools, die du in einem Ordner für eine Sitzung erlaubt hast. Geschützte Dateien fragen trotzdem.',
      },
      never: { label: 'Nie erlaubt', help: 'Diese Grenzen lassen sich nicht ändern.' },
    },
    ways: { atOnce: 'Sofort:', asks: 'Fragt:', asksEach: 'Fragt jedes Mal:' },
    tools: (tools) => plural(tools, 'Tool', 'Tools'),
    noTools: 'Es hat keine Tools.',
    asking: 'Wird geladen …',
    policyOf: (profile) => `Wann ${profile} fragt`,
    inUse: 'aktiv',
    noneGranted: 'Noch nichts erlaubt.',
    noCommands: 'Noch kein Befehl.',
    noHosts: 'Noch kein Host.',
    oneSession: 'eine Sitzung',
    ofPerson: (name) => `für ${name}`,
    suggestedIn: (folder) => `Oft gebraucht, für ${folder}`,
    suggestions: {
      npm: 'Pakete für JavaScript',
      python: 'Pakete für Python',
      rust: 'Pakete für Rust',
      go: 'Module für Go',
      github: 'GitHub, für Fetch und Push',
      gitlab: 'GitLab, für Fetch und Push',
    },
    commandsIn: (folder) => `Befehle in ${folder}`,
    hostsIn: (folder) => `Hosts in ${folder}`,
    used: (times, day) =>
      times === 0 ? `am ${day} erlaubt, noch nicht benutzt` : `${timesOf(times)} benutzt, zuletzt am ${day}`,
    removeLabel: (command, folder) => `Vor ${command} in ${folder} wieder fragen`,
    inSession: (session) => `In „${session}“`,
    open: 'geöffnet',
    risks: {
      read: 'liest',
      write: 'ändert Dateien',
      execute: 'führt Befehle aus',
      network: 'liest im Web',
    },
    revoke: 'Wieder fragen',
    revokeLabel: (tool, folder, session) =>
      `Vor ${tool}${folder === '' ? '' : ` in ${folder}`} in „${session}“ wieder fragen`,
    revokeAll: (number) => `Bei allen ${number} wieder fragen`,
    never: [
      'Ein Befehl außerhalb der Sandbox für mehr als einen Aufruf. Jeder fragt.',
      'Ein Dateitool außerhalb des Sitzungsordners, auch nicht über einen Link nach draußen.',
      'Andirons eigene Daten und das Innere von .git, für jedes Tool.',
      'Schlüssel, Browserdaten, Anmeldedateien und von Programmen ausgeführte Dateien, für mehr als einen Aufruf.',
      'Ein Tool, das das Profil nicht hat, egal was das Modell schreibt.',
      'Eine Erlaubnis durch das Modell, eine Webseite oder eine Datei. Nur du kannst erlauben.',
    ],
  },

  appearance: {
    rows: {
      theme: { label: 'Design', help: '„System“ folgt deinem Desktop.' },
      language: {
        label: 'Sprache',
        help: 'Sprache dieses Fensters. Modelle antworten in der Sprache, in der du schreibst.',
      },
      textSize: { label: 'Textgröße', help: 'Zeilen und Schaltflächen wachsen mit.' },
      motion: { label: 'Bewegung', help: 'Reduziert: Menüs und aufklappbare Teile öffnen ohne Animation.' },
      wrapCode: {
        label: 'Lange Codezeilen umbrechen',
        help: 'Aus: Sie laufen über den Rand hinaus und lassen sich scrollen.',
      },
    },
    sizes: { small: 'Klein', normal: 'Normal', large: 'Groß', largest: 'Sehr groß' },
    languages: { system: 'System' },
    motions: { system: 'Wie das System', reduced: 'Reduziert' },
    sample: 'Beispiel',
    sampleText:
      'Drei von 41 Paketen liegen zwei Hauptversionen zurück. Andiron hat jedes mit seinem Changelog verglichen.',
    sampleCode:
      "import { readFile } from 'node:fs/promises';\n\nconst outdated = Object.entries(lock.packages).filter(([name, { version }]) => isBehind(name, version, registry.latest(name)));",
  },

  memory: memoryWords,

  storage: {
    rows: {
      folder: { label: 'Datenordner', help: 'Hier liegt alles, was Andiron aufbewahrt.' },
      sizes: { label: 'Belegter Speicherplatz', help: 'Gemessen, wenn du diese Seite öffnest.' },
      purge: {
        label: 'Gelöschte Sitzungen endgültig entfernen',
        help: 'Gelöschte Sitzungen verschwinden nach 7 Tagen. Das lässt sich nicht rückgängig machen.',
      },
      compact: {
        label: 'Datenbank verkleinern',
        help: 'Macht ungenutzten Speicherplatz frei. Braucht vorübergehend noch einmal so viel.',
      },
      check: { label: 'Datenbank prüfen', help: 'Liest alles und sucht nach Schäden. Ändert nichts.' },
      export: {
        label: 'Alles exportieren',
        help: 'Alle Sitzungen, das Gedächtnis und deine Profile als JSON-Datei. Ein Import übernimmt die Sitzungen.',
      },
    },
    asking: 'Wird geladen …',
    parts: {
      database: 'Datenbank',
      backups: 'Kopien der Datenbank vor Updates',
      undo: 'Frühere Dateien zum Rückgängigmachen',
      attachments: 'Angehängte Dateien',
      collections: 'Index der Sammlungen',
      engine: 'Ollama, von Andiron eingerichtet',
      models: 'Modelle dieses Ollama',
      logs: 'Logs',
      other: 'Profile und der Rest',
    },
    inDatabase: {
      sessions,
      deleted: deletedSessions,
      nextAt: (day) => `die erste verschwindet am ${day}`,
      unused: 'Ungenutzter Platz',
      rest: 'Indizes und was Andiron gelernt hat',
    },
    total: 'Gesamt',
    free: 'Auf dieser Festplatte frei',
    unknown: 'unbekannt',
    none: 'nichts',
    measuring: 'Wird gemessen …',
    failed: 'Die Größen konnten nicht gemessen werden.',
    again: 'Neu messen',
    at: (time) => `gemessen um ${time}`,
    copyPath: 'Pfad kopieren',
    purge: (number) => `${sessions(number)} entfernen`,
    purgeNone: 'Keine gelöschten Sitzungen',
    purgeTitle: (number) => `${deletedSessions(number)} endgültig entfernen?`,
    purgeText: (size) => `Das löscht ${bytes(size)} und lässt sich nicht rückgängig machen.`,
    purgeKeep: 'Behalten',
    purged: (number) =>
      `${sessions(number)} entfernt. Verkleinere die Datenbank, um den Speicherplatz frei zu machen.`,
    compact: 'Verkleinern',
    compacted: (freed) =>
      freed === 0 ? 'Es gab nichts frei zu machen.' : `Das hat ${bytes(freed)} frei gemacht.`,
    check: 'Prüfen',
    sound: 'Die Datenbank ist in Ordnung.',
    damaged: (problems) =>
      `${plural(problems, 'Problem', 'Probleme')} gefunden. Schließ Andiron und ersetze die Datenbank durch eine Kopie aus dem Ordner „backups“. Oder exportiere jetzt alles.`,
    export: 'Exportieren',
    exporting: (done, total) => `Sitzung ${count(done)} von ${count(total)}`,
    stopExport: 'Stopp',
    exported: (size, number) => `Gespeichert: ${sessions(number)}, ${bytes(size)}.`,
    handedOver: (size, number) => `An den Browser übergeben: ${sessions(number)}, ${bytes(size)}.`,
    working: 'Läuft',
  },

  desktop: {
    rows: {
      keepAwake: {
        label: 'Während einer Runde wach bleiben',
        help: 'Der Bildschirm darf ausgehen. Ein Laptop schläft ein, wenn du ihn zuklappst.',
      },
      checkUpdates: {
        label: 'Nach Updates suchen',
        help: 'Täglich. Ein Hinweis meldet eine neue Version.',
      },
      hardwareAcceleration: {
        label: 'Fenster mit der GPU zeichnen',
        help: 'Aus: mehr VRAM für das Modell, aber mehr CPU-Last beim Scrollen. Gilt nach einem Neustart.',
      },
    },
    checkNow: 'Jetzt suchen',
    updateStates: {
      idle: 'Noch nicht gesucht.',
      checking: 'Suche läuft.',
      current: 'Das ist die neueste Version.',
      downloading: (version) => `${version} wird heruntergeladen.`,
      ready: (version) => `${version} kann installiert werden.`,
    },
    keepAwake: { always: 'Immer', mains: 'Am Netzteil', never: 'Nie' },
    notKept: {
      message: 'Die Einstellung konnte nicht gespeichert werden.',
      advice:
        'Prüf den freien Speicherplatz und deine Schreibrechte für den Datenordner. Ändere sie dann erneut.',
    },
  },

  about: {
    tagline: 'Ein Desktop-Agent für deine eigene GPU.',
    openFirstStart: 'Einrichtung öffnen',
    signOut: 'Überall abmelden',
    noSignIn: 'Dieses Fenster braucht keine Anmeldung.',
    rows: {
      version: { label: 'Version', help: '' },
      runs: { label: 'Läuft auf', help: '' },
      electron: { label: 'Electron', help: '' },
      chromium: { label: 'Chromium', help: '' },
      node: { label: 'Node', help: '' },
      sqlite: { label: 'SQLite', help: '' },
      ollama: { label: 'Ollama', help: '' },
      logs: { label: 'Logs', help: '' },
      searchPath: { label: 'Suchpfad', help: '' },
      sandbox: { label: 'Sandbox', help: '' },
      firstStart: {
        label: 'Einrichtung',
        help: 'Ollama, ein Modell, ein Ordner und eine erste Aufgabe.',
      },
      signOut: {
        label: 'Angemeldete Browser',
        help: 'Meldet diesen und jeden anderen Browser ab. Das Terminal zeigt dann eine neue Adresse.',
      },
      diagnostics: {
        label: 'Diagnosedaten',
        help: 'Für einen Fehlerbericht. Nichts wird gesendet.',
      },
      licences: {
        label: 'Lizenzen',
        help: 'Andiron steht unter der MIT-Lizenz. Es baut auf diesen Paketen auf.',
      },
    },
    searchPath: (source, shell, reason) => {
      if (source === 'shell') return `aus der Login-Shell ${shell ?? ''}`.trim();
      if (source === 'inherited') return 'wie beim Start von Andiron';
      return `mit den üblichen Ordnern ergänzt, weil ${shell ?? 'die Login-Shell'} nicht geantwortet hat: ${reason ?? 'unbekannt'}`;
    },
    sandboxed: {
      bwrap: (version, hasProxy) =>
        hasProxy
          ? `bubblewrap ${version}: Befehle ändern nur ihren Ordner und fragen vor jedem Host`
          : `bubblewrap ${version}: Befehle ändern nur ihren Ordner, ohne Netzwerk (mit python3 könnten sie nach Hosts fragen)`,
      srt: (version) => `sandbox-runtime ${version}: Befehle ändern nur ihren Ordner, ohne Netzwerk`,
    },
    notSandboxed: {
      system: () => 'keine für dieses System: Befehle können alles, was du kannst',
      missing: () => 'keine: Installiere bubblewrap und starte Andiron neu',
      refused: (detail) => `keine: Die Sandbox startet hier nicht (${detail})`,
      leaky: (detail) => `keine: Ein Versuch in der Sandbox ist misslungen (${detail})`,
    },
    none: 'nicht vorhanden: Das ist ein Browser',
    unknown: 'unbekannt',
    asking: 'Wird geladen …',
    failed: 'Andiron konnte diese Angaben nicht lesen.',
    simulated: 'simuliert',
    build: (commit, day) => `aus ${commit} gebaut, am ${day}`,
    buildDay: (day) => `am ${day} gebaut`,
    fromSource: 'läuft aus dem Quellcode',
    copy: 'Diagnosedaten kopieren',
    home: 'Dein persönlicher Ordner steht dort als ~.',
    licencesFailed: 'Die Liste gehört zu einem gebauten Andiron. Dieses hier läuft ohne sie.',
    packages: (packages) => plural(packages, 'Paket', 'Pakete'),
    licenceOf: (name) => `Lizenz von ${name}`,
    licenceUnknown: 'Lizenz unbekannt',
    facts: {
      andiron: 'Andiron',
      system: 'System',
      window: 'Fenster',
      engine: 'Ollama',
      gpu: 'GPU',
      loaded: 'Geladen',
      sessions: 'Sitzungen',
      profiles: 'Profile',
      connection: 'Verbindungen',
      data: 'Datenordner',
      searchPath: 'Suchpfad',
      sandbox: 'Sandbox',
    },
  },
};
