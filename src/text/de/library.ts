import type { library as english } from '../en/library.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { bytes, count, downloadBytes, seconds } from './figures.ts';

/** Models: what is installed, what could be, and what they would take here. */
export const library: InAnyWords<typeof english> = {
  verdicts: {
    fits: 'passt',
    tight: 'passt knapp',
    spills: 'teilweise auf der CPU',
    too_big: 'zu groß',
    unknown: 'unklar, ob es passt',
  },
  verdictsOnCpu: { fits: 'auf der CPU, langsam', tight: 'knapp, auf der CPU' },
  pull: {
    title: 'Downloads',
    phases: {
      waiting: 'wartet',
      pulling: 'wird heruntergeladen',
      verifying: 'wird geprüft',
      paused: 'angehalten',
      failed: 'fehlgeschlagen',
      done: 'installiert',
    },
    of: (done, total) =>
      total === null ? `bisher ${downloadBytes(done)}` : `${downloadBytes(done)} von ${downloadBytes(total)}`,
    rate: (perSecond) => `${downloadBytes(perSecond)}/s`,
    left: (ms) => `noch ${seconds(ms)}`,
    label: (model) => `Download von ${model}`,
    pause: 'Anhalten',
    resume: 'Fortsetzen',
    forget: 'Verwerfen',
    dismiss: 'Aus der Liste entfernen',
    retry: 'Erneut versuchen',
    get: 'Herunterladen',
    getLabel: (model, size) =>
      size === null
        ? `${model} herunterladen, Größe unbekannt`
        : `${model} herunterladen, ${downloadBytes(size)}`,
  },
  catalogue: {
    title: 'Weitere Modelle',
    asking: 'Wird geladen …',
    note: 'Ob ein Modell passt, ist für diese GPU und einen üblichen Kontext geschätzt.',
    columns: {
      model: 'Modell',
      download: 'Download',
      madeFor: 'Gedacht für',
      here: 'Hier',
      action: 'Aktion',
    },
    unknown: 'unbekannt',
    vram: (gib) => `${count(gib)} GB VRAM`,
    anyMachine: 'jeden Computer',
    installed: 'installiert',
    byOllama: 'von Ollama',
    byName: 'Anderes Modell nach Namen',
    byNameHelp: 'Wie es auf ollama.com heißt, zum Beispiel qwen3:8b.',
    noRoom: (free) => `kein Platz, ${downloadBytes(free)} frei`,
    failed: 'Der Katalog konnte nicht gelesen werden.',
  },
  details: {
    open: (model) => `Details zu ${model}`,
    back: 'Alle Modelle',
    about: 'Was es ist',
    asking: 'Wird geladen …',
    failed: 'Die Details konnten nicht gelesen werden.',
    facts: {
      size: 'Speicherplatz',
      kind: 'Art',
      parameters: 'Parameter',
      quantization: 'Quantisierung',
      capabilities: 'Fähigkeiten',
      trained: 'Trainierter Kontext',
      layers: 'Schichten',
      cache: 'Cache',
      digest: 'Digest',
    },
    unknown: 'unbekannt',
    tokens: (tokens) => `${count(tokens)} Token`,
    perToken: (each) => `${bytes(each)} je Token Kontext`,
    defaults: 'Einstellungen des Modells',
    licence: 'Lizenz',
    used: 'Verwendet von',
    nobody: 'Kein Profil und keine Sitzung verwendet es.',
    memory: 'Speicher',
    kinds: {
      profile: 'Profil',
      session: 'Sitzung',
      loaded: 'gerade geladen',
      tag: 'gleiche Dateien',
    },
    remove: 'Modell löschen',
    removeTitle: (model) => `${model} löschen?`,
    removeText: (size, users) => {
      const freed = `Das macht ${bytes(size)} frei.`;
      const again = 'Um es wieder zu nutzen, müsstest du es neu herunterladen.';
      if (users === 0) return `${freed} ${again}`;
      const fallBack =
        users === 1
          ? 'Ein Profil oder eine Sitzung wechselt dann zu einem anderen Modell.'
          : `${count(users)} Profile oder Sitzungen wechseln dann zu einem anderen Modell.`;
      return `${freed} ${fallBack} ${again}`;
    },
    keep: 'Modell behalten',
  },
  abilities: {
    title: 'Fähigkeiten',
    asking: 'Wird geladen …',
    failed: 'Die Fähigkeiten konnten nicht gelesen werden.',
    columns: {
      ability: 'Fähigkeit',
      seen: 'Beobachtet',
      good: 'Gut',
      last: 'Zuletzt',
      holds: 'Verlässlich',
    },
    names: {
      opens: 'Sagt, was es vorhat',
      native: 'Ruft Tools nativ auf',
      text: 'Schreibt Aufrufe als Text',
      grammar: 'Hält eine Grammatik ein',
      settles: 'Beendet seine Runde',
      picks: 'Findet das Gefragte',
      restraint: 'Ändert nichts ungefragt',
      planning: 'Plant gut',
      notes: 'Befolgt Hinweise',
    },
    times: (times) => count(times),
    never: 'noch nie',
    yes: 'ja',
    no: 'nein',
    note: 'Aus Antworten und Tests gelernt. Ältere Ergebnisse zählen weniger.',
    test: 'Modell testen',
    again: 'Erneut testen',
    forget: 'Vergessen',
    forgetTitle: (model) => `Vergessen, was ${model} kann?`,
    forgetText: 'Andiron zählt ab der nächsten Antwort neu. Das lässt sich nicht rückgängig machen.',
    confirm: 'Fähigkeiten vergessen',
    keep: 'Fähigkeiten behalten',
  },
  fit: {
    title: 'Kontext und VRAM',
    slider: 'Kontext',
    tokens: (tokens) => `${count(tokens)} Token`,
    parts: { weights: 'Gewichte', cache: 'Cache', buffer: 'Puffer', overhead: 'Grundbedarf' },
    of: (total, free) => `${bytes(total)} von ${bytes(free)}, die für Modelle frei sind`,
    ofUnknown: (total) => `etwa ${bytes(total)}, freier VRAM unbekannt`,
    label: (total) => `Benötigter VRAM: ${bytes(total)}`,
    says: {
      fits: (left) => `Es passt und lässt ${bytes(left)} frei.`,
      tight: 'Es passt knapp.',
      spills: (over) => `${bytes(over)} zu viel. Ein Teil liefe auf der CPU, viel langsamer.`,
      too_big: 'Es ist zu groß für diesen Computer.',
      unknown: 'Andiron kann nicht sagen, ob es passt.',
    },
    basis: {
      measured: 'hier gemessen',
      learnt: 'hier beim Laden gelernt',
      formula: 'nach Formel',
      file_size: 'nur nach der Dateigröße',
    },
    asking: 'Wird geschätzt …',
    failed: 'Andiron konnte den Speicherbedarf nicht schätzen.',
    load: 'Mit diesem Kontext laden',
  },
};
