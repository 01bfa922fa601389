import type { transcript as english } from '../en/transcript.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { bytes, count, percent, plural, precise, roughCount, seconds, tenths, tokenRate } from './figures.ts';
import { askedWhy } from './asked-why.ts';
import { foreignQuote } from './foreign-quote.ts';
import { messageVersions } from './message-versions.ts';
import { toolDoing } from './tools.ts';
import { turnWords } from './turn-words.ts';

const list = new Intl.ListFormat('de-DE');

const secrets = (keys: number): string =>
  plural(keys, 'Schlüssel oder Passwort', 'Schlüssel oder Passwörter');

/** The conversation: messages, tool rows, cards, receipts. */
export const transcript: InAnyWords<typeof english> = {
  resultFiles: { label: 'Dateien dieser Antwort', elsewhere: 'auf einem Server' },
  sources: 'Quellen',
  passage: (place) => `Textstelle: ${place}`,
  label: 'Verlauf',
  sender: (name, platform) =>
    name === '' || platform === ''
      ? name || (platform === '' ? 'Von anderswo' : `Von ${platform}`)
      : `${name} auf ${platform}`,
  loading: 'Sitzung wird geladen',
  toEnd: 'Zum Neuesten',
  toQuestion: 'Zur Frage springen',
  olderComes: 'Frühere Nachrichten erscheinen beim Scrollen',
  copyAnswer: 'Antwort kopieren',
  copyMessage: 'Nachricht kopieren',
  folded: {
    calls: (calls) => plural(calls, 'Aufruf', 'Aufrufe'),
    of: (calls, verb) => `${count(calls)}× ${verb}`,
    failed: (calls) => `${count(calls)} fehlgeschlagen`,
  },
  find: {
    label: 'In dieser Sitzung suchen',
    placeholder: 'Wörter in Nachrichten und Antworten',
    at: (at, of, complete) =>
      `${count(at)} von ${count(of)}${complete ? '' : '+'} ${of === 1 ? 'Nachricht' : 'Nachrichten'}`,
    none: 'In keiner Nachricht oder Antwort',
    before: 'Vorige Stelle',
    after: 'Nächste Stelle',
    close: 'Schließen',
  },
  whole: {
    selected: 'Das ganze Gespräch ist ausgewählt. „Kopieren“ nimmt es als Markdown.',
    copied: 'Das Gespräch ist als Markdown kopiert.',
    notCopied: {
      message: 'Das Gespräch konnte nicht kopiert werden.',
      advice: 'Der Browser erlaubt das nur im aktiven Tab. Oder exportiere das Gespräch als Markdown.',
    },
  },
  thinking: (elapsedMs) => `Denkt nach, ${seconds(elapsedMs)}`,
  thought: (ms) => `${seconds(ms)} nachgedacht`,
  cut: 'Hier abgeschnitten',
  plainText: 'Als einfacher Text gezeigt: Das Formatieren dauert zu lange',
  unshown: 'Das konnte nicht angezeigt werden.',
  otherVerb: 'Aufruf',
  toolStates: {
    streaming: 'schreibt den Aufruf',
    awaiting_approval: 'fragt',
    running: 'läuft',
    done: 'fertig',
    failed: 'fehlgeschlagen',
    declined: 'von dir abgelehnt',
    stopped: 'gestoppt',
    interrupted: 'unterbrochen, vielleicht schon gelaufen',
  },
  unanswered: 'während der Rückfrage unterbrochen',
  timedOut: 'abgelehnt: 10 Minuten keine Antwort',
  repaired: 'repariert',
  edited: {
    tag: 'von dir geändert',
    asked: 'Du hast den Befehl geändert: − wie das Modell ihn schrieb, + wie er lief',
    askedLabel: 'Deine Änderung am Befehl',
    came: 'Ausgabe',
  },
  repairs: (repairs) => `Vor dem Ausführen repariert: ${repairs.join('; ')}`,
  notes: {
    budget: 'Schrittbudget',
    goal: 'An das Ziel erinnert',
    stall: 'Stillstand',
    replan: 'Neuer Plan angefordert',
    repeat: 'Gleicher Aufruf noch einmal',
    evidence: 'Beleg gefunden',
    memory: 'Gedächtnis',
    constrained: 'Aufrufe mit Grammatik',
    window: 'Kontext fast voll',
    reask: 'Noch einmal gefragt',
    lost_call: 'Toolaufruf verloren',
    reload: 'Modell noch einmal geladen',
    date: 'Datum',
    fan_out: 'Mehrere Subagenten',
    context_size: 'Kontextgröße unbekannt',
    too_many_calls: 'Zu viele Aufrufe',
    unproven: 'Nichts wurde geändert oder ausgeführt.',
    unrun: 'Kein Befehl wurde ausgeführt.',
    only_ran: 'Nur ein Befehl wurde ausgeführt.',
    all_failed: 'Jeder Befehl endete mit einem Fehler.',
    toolless: 'Ohne Tool beantwortet: Keines passt.',
    guessed: 'Geraten: Das Gesuchte wurde nicht gefunden.',
    instructions: 'Ordner nicht vertrauenswürdig',
  },
  scope: {
    answers: 'Antwortet ohne Tool',
    looks: 'Sieht nur nach',
    may: (acts) => `Darf ${list.format(acts)}`,
    acts: {
      change: 'Dateien ändern',
      run: 'Befehle ausführen',
      use: 'andere Programme und das Web nutzen',
    },
    allow: 'Änderungen erlauben',
    busy: 'Warte, bis die Runde endet, oder stopp sie.',
  },
  summary: {
    title: 'Ältere Runden zusammengefasst',
    tokens: (before, after) => `${count(before)} → ${count(after)} Token`,
    by: { model: 'vom Modell', rules: 'nach Regeln' },
    undone: 'rückgängig gemacht',
    show: 'Zusammenfassung lesen',
    hide: 'Zusammenfassung ausblenden',
    undo: 'Rückgängig machen',
    busy: 'Geht, wenn keine Runde läuft',
  },
  version: messageVersions,
  earlier: (messages) => `Frühere Fassung (${plural(messages, 'Nachricht', 'Nachrichten')})`,
  facts: {
    lines: (first, last, total) => `Zeilen ${count(first)}–${count(last)} von ${count(total)}`,
    entries: (total) => plural(total, 'Eintrag', 'Einträge'),
    hits: (hits, files) =>
      hits === 0 ? 'keine Treffer' : `${count(hits)} Treffer in ${plural(files, 'Datei', 'Dateien')}`,
    sources: (found) => plural(found, 'Quelle', 'Quellen'),
    exit: (code) => `Exit-Code ${code}`,
    signal: (name) => `durch ${name} beendet`,
  },
  readAs: (what) => `${what}, als Text gelesen`,
  cutList: (shown, total) => `${count(shown)} von ${count(total)} angezeigt`,
  notSandboxed: 'ohne Sandbox',
  sandboxed: 'in der Sandbox',
  argumentsLabel: 'Argumente',
  resultLabel: 'Ergebnis',
  pictures: 'Bilder des Ergebnisses',
  promptOf: (server, prompt) => `Aus dem Prompt ${prompt} von ${server}`,
  outputLabel: 'Ausgabe',
  noOutput: 'Keine Ausgabe.',
  keys: {
    hidden: (keys) => `${secrets(keys)} verborgen`,
    shown: secrets,
    show: 'Anzeigen',
    hide: 'Ausblenden',
  },
  stopCommand: 'Befehl stoppen',
  stoppingCommand: 'Wird gestoppt',
  longLine: (characters) => `Eine Zeile mit ${count(characters)} Zeichen`,
  details: 'Details',
  hideDetails: 'Details ausblenden',
  copyCall: 'Aufruf kopieren',
  copyResult: 'Ergebnis kopieren',
  wholeResult: {
    show: (characters) => `Ganzes Ergebnis anzeigen (${count(characters)} Zeichen)`,
    more: 'Mehr anzeigen',
    label: 'Ganzes Ergebnis',
  },
  noResult: 'Noch kein Ergebnis.',
  noArguments: 'Keine Argumente.',
  matchesIn: (matches) => `${count(matches)} Treffer`,
  approval: {
    label: 'Rückfrage',
    waiting: 'Wartet auf dich',
    show: 'Anzeigen',
    titles: {
      execute: 'Diesen Befehl ausführen?',
      write: 'Diese Änderung vornehmen?',
      network: 'Diese Anfrage senden?',
      read: 'Das erlauben?',
    },
    unsandboxed: 'Diesen Befehl ohne Sandbox ausführen?',
    again: 'Noch einmal ohne Sandbox ausführen?',
    edited: 'Deine Fassung ausführen?',
    files: { create: ['', ' anlegen?'], change: ['', ' ändern?'], replace: ['', ' ersetzen?'] },
    service: ['Das an ', ' senden?'],
    host: ['Darf dieser Befehl ', ' erreichen?'],
    page: ['Darf Andiron ', ' erreichen?'],
    lines: (lines) => `${count(lines)} Zeilen`,
    subagent: (profile) => `vom Subagenten ${profile}`,
    sandboxed: ['In der Sandbox: darf in ', ' schreiben'],
    networks: { none: ', kein Netzwerk', asks: ', fragt vor jedem neuen Host' },
    hostWaits: '. Der Befehl wartet. Jeder neue Host fragt.',
    notSandboxed: ['Ohne Sandbox, läuft in ', '.'],
    nothing: 'Ändert nichts',
    effects: {
      memory_save: 'Ändert, was Andiron jeder späteren Sitzung über dich sagt',
      schedule_add: 'Ändert, was Andiron später tut, wenn niemand zusieht',
      schedule_cancel: 'Entfernt einen Job und seinen Verlauf',
      switch_profile: 'Ändert, welche Tools die Sitzung hat und wann sie fragen',
      tool_call: 'Kann alles, was dieses Tool des anderen Programms kann',
    },
    call: 'Aufruf',
    showRest: 'Rest anzeigen',
    readFirst: 'Erlauben geht, sobald du das Ende gesehen hast.',
    readFromStart: 'Erlauben geht, sobald du den Anfang gesehen hast.',
    willRun: 'Das wird ausgeführt:',
    allowOnce: 'Einmal erlauben',
    allowForTurn: 'Für diese Runde erlauben',
    asked: askedWhy,
    quote: foreignQuote,
    allowSession: (tool, folder) =>
      `${toolDoing(tool)}${folder === '' ? '' : ` in ${folder}`} für diese Sitzung erlauben`,
    decline: 'Ablehnen',
    declineSaid: 'Ablehnen und antworten',
    said: (reply) => `„${reply}“`,
    declineKey: 'D',
    reply: 'Oder sag, was stattdessen zu tun ist',
    replyKey: 'R',
    allowKey: 'Enter',
    onceOnly: 'Dieser Befehl fragt jedes Mal.',
    onceBare: '„Immer erlauben“ braucht die Sandbox.',
    always: ['', ' hier immer erlauben'],
    alwaysThis: 'Genau das hier immer erlauben',
    alwaysHelp: (isExact) =>
      isExact
        ? 'Dieser Befehl fragt in diesem Ordner nicht mehr. Er bleibt in der Sandbox.'
        : 'Befehle, die mit diesen Wörtern beginnen, fragen in diesem Ordner nicht mehr. Sie bleiben in der Sandbox.',
    hostScopes: { session: 'Host für die Sitzung erlauben', folder: 'Host hier immer erlauben' },
    hostScopeHelp: {
      session:
        'Diese Sitzung erreicht den Host ohne Rückfrage. Hat sie fremden Text gelesen, fragt jede Runde einmal.',
      folder:
        'Sitzungen in diesem Ordner erreichen den Host ohne Rückfrage. Hat eine fremden Text gelesen, fragt jede ihrer Runden einmal.',
    },
    edit: 'Befehl bearbeiten',
    editKey: 'E',
    field: 'Befehl',
    allowEdited: 'Diese Fassung erlauben',
    original: 'Das Modell wollte:',
    takeBack: 'Original wiederherstellen',
    takeBackKey: 'Esc',
    editHelp: 'Das Modell erfährt von der Änderung.',
  },
  switched: {
    title: (from, to) => `Von ${from} zu ${to}`,
    head: 'Profil gewechselt',
    model: (from, to) => (from === to ? to : `${from} zu ${to}`),
    waiting: 'Kosten nach der nächsten Antwort bekannt',
    unknown: 'unbekannt, wie viel neu gelesen wurde',
    read: (evaluated, prompt) =>
      prompt === null
        ? `${count(evaluated)} Token neu gelesen`
        : `${count(evaluated)} von ${count(prompt)} Token neu gelesen`,
  },
  stopped: {
    appClosed: 'Gestoppt, weil Andiron geschlossen wurde.',
    title: (restMs) => (restMs === null ? 'Gestoppt.' : `In ${precise(restMs)} gestoppt.`),
    loaded: (model, vram) =>
      vram
        ? `${model} ist noch im VRAM (${bytes(vram)}).`
        : `${model} ist noch geladen${vram === 0 ? ', im Arbeitsspeicher' : ''}.`,
    unloaded: (model) => `${model} ist nicht mehr geladen.`,
    unknown: (model) => `Unbekannt, ob ${model} noch geladen ist.`,
    kept: (kept, prompt, counted) => {
      if (counted === 'both' && kept === prompt) return `Alle ${count(kept)} Prompt-Token sind erhalten.`;
      if (counted === 'both') return `${count(kept)} von ${count(prompt)} Prompt-Token sind erhalten.`;
      // Where the rounding would hide the difference, or only one is rounded, the figures are told in full.
      const figure = kept < 10_000 || roughCount(kept) === roughCount(prompt) ? count : roughCount;
      if (counted === 'kept' && kept === prompt)
        return `${count(kept)} Prompt-Token sind erhalten, etwa der ganze Prompt.`;
      if (counted === 'kept') return `${count(kept)} von etwa ${figure(prompt)} Prompt-Token sind erhalten.`;
      return `Etwa ${figure(kept)} von ${figure(prompt)} Prompt-Token sind erhalten.`;
    },
    keptUnknown: 'Unbekannt, wie viel vom Prompt erhalten ist.',
    finishing: 'Ollama beendet noch seinen letzten Schritt.',
    closed: (ms) => `Verbindung nach ${precise(ms)} geschlossen`,
    slots: {
      unproved: 'Andiron prüft, ob der Slot noch antwortet.',
      cured: (ms) =>
        ms === null
          ? 'Ollama hat beim Stoppen seinen Slot verloren. Das Modell wurde noch einmal geladen.'
          : `Ollama hat beim Stoppen seinen Slot verloren. Nach ${tenths(ms)} war das Modell wieder geladen.`,
      lost: 'Ollama hat beim Stoppen seinen Slot verloren, auch neues Laden half nicht. Entlade das Modell, bevor du weitermachst.',
    },
    ran: (files, commands, isIdle) => {
      const parts = [
        files > 0 && `${plural(files, 'Datei', 'Dateien')} geschrieben`,
        commands > 0 && `${plural(commands, 'Befehl', 'Befehle')} ausgeführt`,
        isIdle && 'jetzt läuft nichts mehr',
      ].filter(Boolean);
      const sentence = parts.join(', ');
      if (sentence === '') return '';
      return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
    },
  },
  failedTitle: 'Die Runde ist fehlgeschlagen',
  failedAdvice: '„Weiter“ macht hier weiter.',
  capped: (iterations) => `${plural(iterations, 'Schritt', 'Schritte')} verbraucht,`,
  cappedText: 'das Limit des Profils',
  cappedSteps: (done, steps) =>
    `${count(done)} von ${plural(steps, 'Planschritt', 'Planschritten')} erledigt`,
  interrupted: 'Unterbrochen',
  interruptedText: 'Andiron wurde während dieser Runde geschlossen',
  cutTitle: 'Antwort abgeschnitten',
  cutText: 'das Ausgabelimit war erreicht',
  continue: 'Weiter',
  continueMessage: 'Mach weiter.',
  putBack: 'Nachricht bearbeiten',
  remedies: {
    unload: (model, vram) => `${model} entladen, macht ${bytes(vram)} frei`,
    newSession: 'Neue Sitzung',
    fixed: (model) => `${model} mit Grammatik verwenden`,
    fixedHelp: (profile, builtIn) =>
      `Stellt das im Profil ${profile} ein${builtIn ? ', in deiner eigenen Kopie,' : ''} und macht weiter`,
    measured: (valid, asked) => `Hier gemessen: ${valid} von ${asked} Aufrufen mit Grammatik korrekt.`,
    notMeasured: 'Aufrufe mit Grammatik sind hier nicht gemessen.',
    chat: 'Nur chatten',
    chatHelp: (profile) => `Macht mit dem Profil ${profile} weiter, das keine Tools hat`,
  },
  ...turnWords,
  phases: {
    lease: 'Wartet auf die GPU',
    engine: 'Wartet auf Ollama',
    loading: 'Lädt das Modell',
    loadingModel: (model) => `Lädt ${model}`,
    checking: 'Prüft einmalig, wie dieses Modell Tools aufruft',
    compacting: 'Fasst ältere Runden zusammen',
    prefill: 'Liest den Prompt',
    thinking: 'Denkt nach',
    text: 'Schreibt',
    call: 'Schreibt einen Toolaufruf',
    approval: 'Wartet auf dich',
    tool: 'Führt ein Tool aus',
    stopping: 'Wird gestoppt',
    sending: 'Wird gesendet',
  },
  compactingHelp: 'Du siehst die älteren Runden weiterhin. Das Modell liest stattdessen die Zusammenfassung.',
  prefill: {
    measured: 'gemessen',
    predicted: 'geschätzt',
    left: (secondsLeft) => `noch ${seconds(Math.ceil(secondsLeft) * 1000)}`,
    label: (read, toRead) => `${count(read)} von ${count(toRead)} Token gelesen`,
    cached: 'aus dem Cache',
    read: (toRead) => `von ${count(toRead)} gelesen`,
    readSoFar: 'gelesen',
    toRead: 'zu lesen',
    blindLabel: (toRead) => `${count(toRead)} Token zu lesen`,
    rate: (tokens, ms) => tokenRate(tokens, ms)?.replace('tok/s', 'Token/s') ?? null,
    late: 'Das dauert länger als geschätzt. Der Modellserver meldet keinen Fortschritt.',
    lateMeasured: 'Das dauert länger als geschätzt.',
    keeps: 'Stopp behält, was gelesen ist.',
  },
  cancelLoad: 'Laden abbrechen',
  cancelLoadHelp: 'Bei „Stopp“ läuft das Laden weiter. Das hier bricht es ab.',
  prefillHelp: 'Du kannst jederzeit stoppen. Das Modell bleibt geladen.',
  leaseWarmHelp:
    'Andiron liest gerade vorab. Diese Runde kommt als Nächste und nutzt, was beide gemeinsam haben.',
  leaseHelp: 'Eine andere Runde hat die GPU. Diese startet, sobald die GPU frei ist.',
  leaseAhead: (turns) =>
    turns === 1 ? 'Eine Runde kommt vor dieser.' : `${String(turns)} Runden kommen vor dieser.`,
  engineHelp: {
    away: 'Starte Ollama, dann geht die Runde weiter. Sonst endet sie und behält ihre Arbeit.',
    coming: 'Andiron sucht oder startet Ollama. Dann geht die Runde weiter.',
  },
  elapsed: (ms) => `bisher ${seconds(ms)}`,
  about: (ratio) => `etwa ${percent(ratio)}`,
  expected: (ms) => `letztes Mal ${tenths(ms)}`,
  longer: (ms) => `länger als letztes Mal (${tenths(ms)})`,
  announce: {
    working: 'Andiron arbeitet.',
    asks: (summary) => `Andiron bittet um Erlaubnis: ${summary}`,
    finished: 'Fertig.',
    cut: 'Die Antwort wurde abgeschnitten.',
    stopped: 'Gestoppt.',
    failed: 'Die Runde ist fehlgeschlagen.',
    capped: 'Das Schrittlimit ist erreicht.',
    interrupted: 'Unterbrochen.',
  },
  first: {
    title: 'Es kann losgehen',
    titleNoModel: 'Was soll Andiron tun?',
    loaded: (model, gpu) =>
      gpu === null ? `${model} ist geladen.` : `${model} ist auf deiner ${gpu} geladen.`,
    loading: (model) => `${model} wird geladen. Du kannst schon tippen.`,
    cold: (model) => `${model} wird mit deiner ersten Nachricht geladen.`,
    elsewhere: (model) => `${model} läuft auf einem anderen Server.`,
    noFolder: 'Noch kein Ordner gewählt',
    chooseFolder: 'Eigenen Ordner wählen',
    pathLabel: 'Pfad des Ordners',
    takePath: 'Diesen Ordner verwenden',
    suggestions: 'Zum Beispiel',
    suggest: [
      'Was ist in diesem Ordner? Lies die README und sag mir, worum es geht.',
      'Finde die Teile ohne Tests und ordne sie nach Risiko.',
      'Erkläre, wie dieses Projekt gebaut und gestartet wird.',
    ],
  },
};
