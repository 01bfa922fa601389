import type { enginePanel as english } from '../en/engine-panel.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { bytes, clock, count, gigabytes, percent, seconds } from './figures.ts';

/** The panel above the engine's bar: what the GPU holds, who uses it, and what can be done. */
export const enginePanel: InAnyWords<typeof english> = {
  label: 'Maschinenraum',
  open: 'Maschinenraum',
  states: {
    unknown: 'Status unbekannt',
    cold: 'nicht geladen: lädt mit deiner nächsten Nachricht',
    loading: 'wird geladen',
    warm: 'geladen',
    lent: 'freigegeben: Andere Programme können die GPU nutzen',
    hot: 'bereit',
    elsewhere: 'auf einem anderen Server, der es selbst lädt und freigibt',
  },
  hot: (tokens) =>
    tokens === null
      ? 'bereit: geladen, diese Sitzung ist im Cache'
      : `bereit: geladen, ${count(tokens)} Token dieser Sitzung sind im Cache`,
  warmth: {
    cold: 'Das Modell hat diese Sitzung noch nicht gelesen.',
    waiting: 'Andiron liest diese Sitzung vorab, sobald die GPU frei ist.',
    warming: 'Andiron liest diese Sitzung vorab.',
    off: 'Vorablesen ist für dieses Modell ausgeschaltet.',
  },
  model: {
    load: 'Jetzt laden',
    eject: 'Entladen',
    ejectOf: (model) => `${model} entladen`,
    cancelLoad: 'Laden abbrechen',
    elapsed: (ms) => `bisher ${seconds(ms)}`,
    about: (ratio) => `etwa ${percent(ratio)}`,
  },
  lend: {
    verb: 'GPU freigeben',
    help: (vram) => `Das macht ${bytes(vram)} frei, bis du die GPU zurückholst.`,
    lent: (model, tokens, since) =>
      `Frei seit ${since}. Beim Zurückholen wird ${model} mit ${count(tokens)} Token Kontext geladen.`,
    freed: (freed) => `Das hat ${bytes(freed)} frei gemacht.`,
    back: 'GPU zurückholen',
  },
  spill: {
    title: (model, ratio) => `${percent(ratio)} von ${model} laufen auf der CPU`,
    others: (held) => `Andere Programme belegen ${bytes(held)} VRAM.`,
    help: 'Antworten dauern länger. Beim nächsten Laden hilft weniger Kontext oder mehr freier VRAM.',
  },
  vram: {
    title: 'VRAM',
    of: (used, total) => `${gigabytes(used)} von ${gigabytes(total)} GB`,
    unknown: 'unbekannt',
    segments: {
      weights: 'Gewichte',
      cache: 'Cache und Puffer',
      model: 'Modelle',
      other: 'andere Programme',
      free: 'frei',
    },
    about: (gb) => `etwa ${gb}`,
    also: 'Weitere Modelle im VRAM',
    holds: (held) => bytes(held),
    utilization: 'Auslastung',
    temperature: 'Temperatur',
    power: 'Leistung',
    throttled: (causes) => `Gedrosselt: ${causes}`,
    causes: { heat: 'Hitze', power: 'Leistungslimit', other: 'Treiber' },
  },
  memory: {
    title: 'Arbeitsspeicher',
    label: (used, total) => `Arbeitsspeicher: ${gigabytes(used)} von ${gigabytes(total)} GB belegt`,
    noGpu: 'Keine GPU gefunden: Modelle laufen auf dem Prozessor.',
    busy: (load) => `CPU zu ${percent(load)} ausgelastet`,
  },
  window: {
    title: 'Kontext',
    none: 'Nach deiner ersten Nachricht siehst du hier die Kontextnutzung.',
    planned: 'Geplant',
    loaded: 'Geladen',
    used: 'Belegt',
    label: (used, window) => `Kontext: ${count(used)} von ${count(window)} Token belegt`,
    notLoaded: 'nicht geladen',
    unknown: 'unbekannt',
    other: (tokens) => `${count(tokens)}, anders als geplant`,
    asPlanned: (tokens) => count(tokens),
    unplanned: (tokens) => count(tokens),
    about: (tokens) => `etwa ${count(tokens)}`,
    compacts: (tokens) => `Zusammenfassung ab ${count(tokens)}`,
    room: 'Platz schaffen',
    compact: 'Jetzt zusammenfassen',
    compactPrice: (tokens) => `eine Nebenanfrage, danach höchstens ${count(tokens)} Token neu lesen`,
    larger: (tokens) => `Kontext auf ${count(tokens)} vergrößern`,
    fewerTools: 'Weniger Tools',
    busy: 'Geht, wenn keine Runde läuft',
  },
  queue: {
    title: 'GPU-Warteschlange',
    free: 'frei',
    uses: 'nutzt sie',
    waits: (place) => `${count(place)}.`,
    purposes: { turn: 'Runde', warm: 'liest vorab' },
    since: (ms) => clock(ms),
  },
  side: {
    title: 'Sitzungen im Cache',
    held: (held) => `etwa ${bytes(held)} Arbeitsspeicher`,
    help: 'Zu ihnen kommst du schnell zurück.',
  },
  why: 'Warum ist es langsam?',
  settings: 'Engine-Einstellungen',
  close: 'Schließen',
};
