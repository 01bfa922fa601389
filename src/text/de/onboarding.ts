import type { onboarding as english } from '../en/onboarding.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { bytes, clock, downloadBytes, gigabytes, seconds } from './figures.ts';

/** The page of the first start: one step at a time between a new person and a first answer. */
export const onboarding: InAnyWords<typeof english> = {
  title: 'Andiron einrichten',
  stepsLabel: 'Schritte',
  skip: 'Einrichtung überspringen',
  looking: 'Nur mal schauen?',
  demo: 'Demo ausprobieren',
  tour: 'Tour ansehen',
  leads: {
    coming: 'Das Modell wird heruntergeladen.',
    elsewhere: 'Das Modell läuft auf einem anderen Server.',
    local: 'Alles läuft auf diesem Computer.',
    waits: 'Deine Aufgabe startet, sobald das Modell bereit ist.',
  },
  states: { done: 'erledigt', busy: 'läuft', now: 'jetzt', later: 'später' },
  details: 'Details',
  otherOllama: 'Anderes Ollama verwenden',
  otherServer: 'Anderen Server verwenden',
  check: 'Erneut prüfen',
  checking: 'Wird geprüft',
  pace: (size) => `etwa ${left((size / hundredMegabits) * 1_000)} bei 100 Mbit/s`,

  engine: {
    name: 'Ollama',
    version: (version) => `Ollama ${version}`,
    elsewhere: 'nicht nötig',
    exposed: 'Jeder in deinem Netzwerk kann dieses Ollama nutzen. Starte es ohne OLLAMA_HOST=0.0.0.0.',
    looking: { title: 'Ollama suchen', fact: 'wird geprüft' },
    absent: {
      title: 'Ollama einrichten',
      fact: 'nicht gefunden',
      failed: 'Ollama ließ sich nicht einrichten',
      offer:
        'Andiron führt Modelle mit Ollama aus. Es installiert eine Kopie im eigenen Ordner und ändert sonst nichts.',
      lead: 'Andiron führt Modelle mit Ollama aus.',
      openPage: 'ollama.com/download öffnen',
      verified: 'Geprüft',
      verifiedHelp: 'anhand der Prüfsumme, vor dem Entpacken',
      byHand: 'Selbst installieren',
      searched: 'Durchsucht',
    },
    gone: {
      title: 'Ollama wieder starten',
      fact: 'antwortet nicht mehr',
    },
    stopped: {
      title: 'Ollama starten',
      fact: 'läuft nicht',
      byHand: 'Andiron kann es hier nicht starten, starte es also selbst.',
      start: 'Ollama starten',
      found: 'Gefunden unter',
    },
    starting: {
      title: 'Ollama starten',
      fact: 'startet',
      waited: (ms) => `${clock(ms)} von höchstens 1:00`,
      overdue: (ms) => `${clock(ms)}, länger als üblich`,
    },
    wrong: {
      title: 'Ollama finden',
      fact: 'kein Ollama',
      lead: (message) =>
        `${message} Beende das Programm unter dieser Adresse, oder verwende ein anderes Ollama.`,
    },
    barred: {
      fact: 'nicht erreichbar',
      certificate: (message) =>
        `${message} Nimm das Zertifikat auf diesem Computer als vertrauenswürdig auf, oder verwende ein anderes Ollama.`,
      refusal: (message) => `${message} Lass Andiron dort durch, oder verwende ein anderes Ollama.`,
      gateway: (message) => `${message} Starte Ollama dort, oder verwende ein anderes Ollama.`,
    },
  },

  model: {
    name: 'Modell',
    choose: 'Modell wählen',
    best: 'passt am besten',
    more: 'Weitere Modelle',
    get: (model) => `${model} herunterladen`,
    size: (gb) => (gb === null ? 'Größe unbekannt' : downloadBytes(gb * 1e9)),
    spare: (free) => (free === null ? 'Passt' : `Passt, ${bytes(free)} bleiben frei`),
    busy: 'Passt, wenn VRAM frei wird',
    tooBig: (need) => `Zu groß, braucht ${bytes(need)}`,
    noRoom: (free) => `Nur ${downloadBytes(free)} Speicherplatz`,
    spills: 'Teilweise auf der CPU, langsam',
    cpu: 'Läuft auf der CPU, langsam',
    unknown: 'Unklar, ob es passt',
    paused: 'Der Download ist angehalten',
    failed: 'Der Download ist fehlgeschlagen',
    another: 'Anderes Modell wählen',
    progress: (model, done, total, leftMs) =>
      [
        model,
        total === null ? downloadBytes(done) : `${downloadBytes(done)} von ${downloadBytes(total)}`,
        leftMs === null ? '' : `noch ${left(leftMs)}`,
      ]
        .filter((part) => part !== '')
        .join(', '),
    verifying: (model) => `${model}, wird geprüft`,
    pause: 'Download anhalten',
    onHost: (model) => `${model}, auf einem anderen Server`,
    constrained: (model) => `${model}, Aufrufe mit Grammatik`,
    calls: (model, valid, asked) => `${model}, ${valid} von ${asked} Toolaufrufen korrekt`,
    undo: 'Rückgängig machen',
    gpu: {
      reading: 'GPU wird geprüft',
      none: 'keine GPU, Modelle laufen auf der CPU',
      unreadable: 'VRAM unbekannt',
      free: (name, free) => `${name}, ${gigabytes(free)} GB frei`,
      total: (name, total) => `${name}, ${gigabytes(total)} GB`,
      several: (cards, name) => `${cards} × ${name}`,
    },
    missing: {
      title: (model) => `${model} ist nicht installiert`,
      lead: 'Es war für diese Sitzung gewählt.',
      auto: 'Modell des Profils verwenden',
    },
  },

  noTools: {
    title: (model) => `${model} unterstützt keine Tools`,
    lead: 'Mit einer Grammatik schreibt es trotzdem Toolaufrufe.',
    notMeasured: 'Auf diesem Computer nicht gemessen',
    measure: 'Messen',
    changes: (profile, builtIn) =>
      builtIn ? `Ändert deine Kopie von ${profile}` : `Ändert das Profil ${profile}`,
    steer: (model) => `${model} mit Grammatik verwenden`,
    chat: 'Nur chatten',
    chatWith: (profile) => `Mit dem Profil ${profile}, das keine Tools hat`,
    use: (model) => `${model} verwenden`,
    or: 'Oder',
  },

  folder: {
    name: 'Ordner',
    title: 'Ordner wählen',
    lead: 'Andiron liest und schreibt nur in diesem Ordner und fragt vor jeder Änderung.',
    choose: 'Ordner wählen …',
    pathLabel: 'Pfad des Ordners',
    takePath: 'Diesen Ordner verwenden',
    sample: 'Beispielprojekt verwenden',
    change: 'Anderen Ordner wählen',
  },

  task: {
    name: 'Erste Aufgabe',
    title: 'Gib Andiron eine erste Aufgabe',
    field: 'Erste Aufgabe',
    first: 'Erkläre, was dieses Projekt tut und wie seine Teile zusammenspielen.',
    others: ['Finde einen Fehler und behebe ihn', 'Schreib eine README', 'Führe die Tests aus'],
    start: 'Starten',
    edit: 'Aufgabe bearbeiten',
  },

  models: {
    'qwen3.5:0.8b': 'Am schnellsten geladen, nur für einen ersten Eindruck',
    'qwen3.5:2b': 'Läuft überall, schwach bei Tools',
    'qwen3.5:4b': 'Klein und schnell, für seine Größe gut mit Tools',
    'granite4.2:8b': 'Schlicht und zuverlässig',
    'ministral-3:8b': 'Eine Alternative gleicher Größe',
    'qwen3.5:9b': 'Gut mit Tools, viel Platz für Kontext',
    'gemma4:12b': 'Schreibt gut, etwas schwächer bei Tools',
    'gpt-oss:20b': 'Denkt auf drei Stufen nach',
    'qwen3.8:27b': 'Am besten bei Tools und langen Aufgaben',
    'gemma4:26b-a4b': 'Schreibt schneller, schwächer bei Tools',
    'qwen3.6:35b-a3b': 'Schreibt etwa fünfmal so schnell',
  },
};

/** In bytes a second. */
const hundredMegabits = 12.5e6;

/** Minutes are enough for what takes minutes. */
function left(ms: number): string {
  return ms >= 90_000 ? `${Math.round(ms / 60_000)} min` : seconds(ms);
}
