import type { composer as english } from '../en/composer.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { bytes, count, percent, plural, seconds } from './figures.ts';

const pixels = (width: number, height: number): string => `${count(width)} × ${count(height)}`;

/** The message box and its chips. */
export const composer: InAnyWords<typeof english> = {
  label: 'Nachricht',
  placeholder: {
    idle: 'Nachricht an Andiron, @ für Dateien, / für Befehle',
    busy: 'Nachricht einreihen',
    first: 'Beschreib eine Aufgabe, @ für Dateien, / für Befehle',
    noFolder: 'Beschreib eine Aufgabe. Den Ordner wählst du beim Senden.',
  },
  folder: {
    label: 'Ordner dieser Nachricht',
    explain: 'In welchem Ordner soll Andiron arbeiten?',
    pathLabel: 'Pfad des Ordners',
    takePath: 'Verwenden und senden',
  },
  imported: {
    label: 'Ordner dieser importierten Sitzung',
    explain: 'Importiert. Bis du einen Ordner wählst, arbeitet die Sitzung in einem leeren Ordner.',
    take: (folder) => `${folder} verwenden`,
    other: 'Anderen Ordner wählen',
    pathLabel: 'Pfad des Ordners',
    takePath: 'Diesen Ordner verwenden',
  },
  send: 'Senden',
  unsent: {
    notSent: 'Eine Nachricht wurde nicht gesendet, weil Andiron die Verbindung verlor.',
    isBack: 'Sie steht wieder im Nachrichtenfeld. Sende sie noch einmal.',
  },
  stop: 'Stopp',
  stopping: 'Wird gestoppt',
  queue: 'Einreihen',
  queued: {
    label: 'Wartende Nachrichten',
    waits: (place) => (place === 0 ? 'Als Nächstes:' : 'Danach:'),
    noModel: 'Wird gesendet, sobald ein Modell bereit ist:',
    unsent: 'Nicht gesendet:',
    unsentWhy: 'Du hast vorher die Runde gestoppt oder Andiron geschlossen.',
    sendNow: 'Jetzt senden',
    sendAll: 'Alle senden',
    edit: 'Bearbeiten',
    up: 'Wartende Nachricht nach oben schieben',
    remove: 'Wartende Nachricht entfernen',
    field: 'Wartende Nachricht',
    keep: 'Übernehmen',
    leave: 'Abbrechen',
    tooLate: 'Die Nachricht wurde gesendet, bevor deine Änderung gespeichert war.',
    tooLateAdvice: 'Deine Änderung ist im Nachrichtenfeld.',
    files: (number) => plural(number, 'Datei', 'Dateien'),
  },
  files: {
    label: 'Anhänge',
    attach: 'Dateien anhängen',
    uploading: 'wird angehängt',
    remove: (name) => `${name} entfernen`,
    cancel: (name) => `${name} doch nicht anhängen`,
    retry: 'Erneut versuchen',
    look: (name) => `${name} ansehen`,
    meta: (kind, size) => `${kind}, ${bytes(size)}`,
    metaFrom: (kind, size, server) => `${kind}, ${bytes(size)}, von ${server}`,
    fromCollection: (collection) => `Aus der Sammlung ${collection}`,
    readLater: (server) => `Von ${server}, wird beim Senden gelesen`,
    reduced: (size, width, height) => `${bytes(size)}, verkleinert: ${pixels(width, height)}`,
    undrawn: (kind, size) =>
      `${kind}, ${bytes(size)}. Andiron kann das nicht lesen und sendet es unverändert. Vielleicht kann es auch das Modell nicht lesen.`,
    kinds: { text: 'Text', other: 'Datei' },
    waits: 'Du kannst senden, sobald die Dateien angehängt sind.',
    failed: 'Versuch es erneut oder entferne fehlgeschlagene Dateien. Sende dann.',
    failedOf: (failed, all) =>
      `${count(failed)} von ${plural(all, 'Datei', 'Dateien')} ließ${failed === 1 ? '' : 'en'} sich nicht anhängen.`,
    drop: 'Zum Anhängen hier ablegen',
    dropHelp: (most, size) => `Bis zu ${most} Dateien mit je ${bytes(size)}`,
    words: {
      empty: (name) => `${name} ist leer.`,
      emptyAdvice: 'Wähle eine andere Datei.',
      tooLarge: (name, size, most) =>
        `${name} hat ${bytes(size)}, ein Anhang darf höchstens ${bytes(most)} haben.`,
      tooLargeAdvice: 'Leg die Datei in den Ordner der Sitzung und erwähne sie mit @.',
      tooMany: (most, left) =>
        `Eine Nachricht fasst ${most} Dateien. ${plural(left, 'Datei blieb', 'Dateien blieben')} weg.`,
      tooManyAdvice: 'Sende den Rest mit der nächsten Nachricht, oder erwähne Dateien im Ordner mit @.',
      folder: (name) => `${name} ist ein Ordner. Anhängen lassen sich nur Dateien.`,
      folderAdvice: 'Erwähne Dateien im Ordner der Sitzung mit @.',
      unreadable: 'Die Datei konnte nicht gelesen werden.',
    },
    unseen: (model) => `${model} kann keine Bilder sehen, deshalb lässt sich die Nachricht nicht senden.`,
    seer: (model, price) => `Zu ${model} wechseln: ${price}`,
    noSeer: 'Modell suchen, das Bilder sieht',
  },
  viewer: {
    pixels,
    place: (at, of) => `${at} von ${of}`,
    before: 'Vorige Datei',
    after: 'Nächste Datei',
    zoom: {
      stage: 'Bild. Plus und Minus zoomen, 0 passt es ein, Pfeiltasten verschieben es.',
      fits: 'Eingepasst',
      now: percent,
      in: 'Vergrößern',
      out: 'Verkleinern',
      fit: 'Einpassen',
      fitHelp: 'In das Fenster einpassen (0)',
      actual: '100 %',
      actualHelp: 'Originalgröße (1)',
    },
    save: 'Speichern',
    close: 'Schließen',
    opening: 'Wird geöffnet',
    broken: (name) => `${name} ist beschädigt und lässt sich nicht anzeigen.`,
    unshown:
      'Andiron kann diese Art von Datei nicht anzeigen. Speichere sie und öffne sie in einem anderen Programm.',
    cut: (shown, all) =>
      `Die ersten ${count(shown)} von ${count(all)} Zeichen. Den Rest siehst du, wenn du die Datei speicherst.`,
  },
  pasted: {
    told: (characters, lines) =>
      `${plural(lines, 'Zeile', 'Zeilen')} eingefügt, ${count(characters)} Zeichen.`,
    attach: 'Als Datei anhängen',
    keep: 'Als Text behalten',
    name: 'eingefügt.txt',
  },
  mentions: {
    label: 'Dateien',
    found: (number) => `${plural(number, 'Datei', 'Dateien')}. Pfeiltasten wählen aus, Enter übernimmt.`,
    none: (query) => `Keine Datei passt zu „${query}“`,
    empty: 'In diesem Ordner sind noch keine Dateien.',
    looking: 'Dateien werden gesucht',
    more: 'Es gibt noch mehr. Tipp weiter, um die Auswahl einzugrenzen.',
    labelOfAll: (hasCollections, hasResources) =>
      hasCollections
        ? `Dateien${hasResources ? ',' : ' und'} Sammlungen${hasResources ? ' und Ressourcen' : ''}`
        : 'Dateien und Ressourcen',
    foundOfAll: (files, collections, resources) =>
      `${[
        plural(files, 'Datei', 'Dateien'),
        ...(collections > 0 ? [plural(collections, 'Sammlung', 'Sammlungen')] : []),
        ...(resources > 0 ? [`${plural(resources, 'Ressource', 'Ressourcen')} von Servern`] : []),
      ].join(', ')}. Pfeiltasten wählen aus, Enter übernimmt.`,
    collections: 'Sammlungen',
  },
  collections: {
    later: 'Sammlung',
    noQuery: 'Schreib eine Nachricht: Sie sagt, was in der Sammlung zu suchen ist.',
  },
  prompts: {
    from: (server) => `Ein Prompt von ${server}`,
    goesTo: (server) =>
      `Deine Antworten gehen an ${server}. Der Text kommt ins Nachrichtenfeld. An das Modell geht noch nichts.`,
    fill: 'Als Entwurf einfügen',
    leave: 'Abbrechen',
    empty: (server, prompt) => `Der Prompt ${prompt} von ${server} ist leer.`,
    emptyAdvice: 'Versuch andere Antworten oder einen anderen Prompt.',
    leftOut: (parts) =>
      `${plural(parts, 'Bild oder eine Datei', 'Bilder oder Dateien')} des Prompts ausgelassen. Der Entwurf zeigt, wo.`,
  },
  slash: {
    label: 'Befehle',
    found: (number) => `${plural(number, 'Befehl', 'Befehle')}. Pfeiltasten wählen aus, Enter führt aus.`,
    hints: { move: 'wählen', take: 'übernehmen', run: 'ausführen', leave: 'als Text lassen' },
    enter: 'Enter',
    noWords: 'Dahinter darf nichts stehen. Mit Esc bleibt es Text.',
    current: 'aktiv',
    help: {
      new: 'Neue Sitzung beginnen',
      fork: 'In einer neuen Sitzung weitermachen',
      rename: 'Sitzung umbenennen',
      model: 'Modell dieser Sitzung wählen',
      profile: 'Profil dieser Sitzung wählen',
      attach: 'Dateien an die Nachricht anhängen',
      compact: 'Ältere Nachrichten zusammenfassen, um Kontext frei zu machen',
      undo: 'Letzte Zusammenfassung rückgängig machen',
      reset: 'Kontext des Modells leeren, Verlauf behalten',
      export: 'Sitzung als Datei speichern',
      stop: 'Runde stoppen',
      settings: 'Einstellungen öffnen',
      help: 'Alle Tastenkürzel anzeigen',
    },
    args: { rename: 'Titel', model: 'Name', profile: 'Name', export: 'Format' },
    renameTo: (title) => `In „${title}“ umbenennen`,
    nothing: (words) => `Nichts passt zu „${words}“. Mit Esc bleibt es Text.`,
    renameEmpty: 'Schreib den neuen Titel.',
    exports: { markdown: 'Zum Lesen', json: 'Zum Importieren' },
    why: { noSummary: 'Es gibt keine Zusammenfassung zum Rückgängigmachen.', busy: 'Es läuft eine Runde.' },
  },
  profile: {
    label: 'Profil',
    none: 'Kein Profil',
    nextReply: 'Gilt ab der nächsten Antwort. Für sie wird der Prompt neu gelesen.',
  },
  model: {
    label: 'Modell',
    none: 'Kein Modell',
    auto: 'Vom Profil gewählt',
    loaded: 'geladen',
    loads: (size, ms = null) =>
      ms === null ? `lädt ${bytes(size)}` : `lädt ${bytes(size)}, etwa ${seconds(ms)}`,
    search: 'Modelle durchsuchen',
    nothing: 'Kein installiertes Modell passt',
    rereads: (tokens) =>
      tokens === null
        ? 'Ein anderes Modell liest die Sitzung neu.'
        : `Ein anderes Modell liest die Sitzung neu, etwa ${count(tokens)} Token.`,
    heading: 'Installierte Modelle',
    noneInstalled: 'Kein installiertes Modell kann chatten.',
    get: 'Modell herunterladen',
    notRunning: 'Andiron erreicht Ollama nicht.',
    setUp: 'Ollama einrichten',
    everywhere: {
      heading: 'Modelle',
      nothing: 'Kein Modell passt',
      on: (server) => `Auf ${server}`,
      asking: 'Andere Server werden nach ihren Modellen gefragt',
      silent: (server) => `${server} antwortet nicht.`,
      unlisted: (server, why) => `${server} hat seine Modelle nicht genannt. ${why}`,
    },
  },
  approvals: {
    label: 'Rückfragen',
    heading: 'Rückfragen in dieser Sitzung',
    names: {
      ask: 'Jedes Mal fragen',
      auto_read: 'Vor Änderungen fragen',
      accept_edits: 'Dateien ändern lassen',
      plan_only: 'Nur planen',
      autonomous: 'Selbstständig arbeiten',
    },
    help: {
      ask: 'Jedes Tool fragt, auch beim Lesen.',
      auto_read: 'Lesen geht ohne Rückfrage. Änderungen und Befehle fragen.',
      accept_edits: 'Dateien ändern sich ohne Rückfrage. Befehle fragen.',
      plan_only: 'Andiron liest und plant. Geändert wird erst, wenn du den Plan annimmst.',
      autonomous:
        'Auch Befehle laufen ohne Rückfrage in der Sandbox, wenn sich der Ordner zurücksetzen lässt.',
    },
    ofProfile: (profile) => `Im Profil ${profile} eingestellt.`,
    needsSandbox: 'Braucht eine Sandbox: siehe Einstellungen, Über Andiron.',
    note: (keys) => `${keys} schaltet weiter.`,
  },
};
