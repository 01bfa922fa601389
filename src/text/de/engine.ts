import type { engine as english } from '../en/engine.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { count, gigabytes, percent, seconds } from './figures.ts';

/** The bottom bar: GPU, model, window. */
export const engine: InAnyWords<typeof english> = {
  gpuUnread: 'GPU: wird geprüft',
  gpuNone: 'Keine GPU gefunden',
  gpuUnreadable: 'GPU: Werte unbekannt',
  figuresUnknown: 'Werte unbekannt',
  more: (others) => (others === 1 ? 'und eine weitere' : `und ${count(others)} weitere`),
  of: (total) => `von ${gigabytes(total)} GB`,
  usedUnknown: 'Belegung unbekannt',
  memory: 'Speicher',
  cpu: 'CPU',
  vramLabel: (used, total) => `VRAM: ${gigabytes(used)} von ${gigabytes(total)} GB belegt`,
  temperature: (celsius) => `${Math.round(celsius)} °C`,
  power: (watts) => `${Math.round(watts)} W`,
  noModel: 'Kein Modell',
  states: {
    cold: 'nicht geladen',
    loading: 'wird geladen',
    warm: 'geladen',
    hot: 'bereit',
    lent: 'freigegeben',
    unknown: 'Status unbekannt',
    elsewhere: 'auf einem anderen Server',
  },
  without: {
    searching: 'Ollama wird gesucht',
    absent: 'Ollama nicht gefunden',
    stopped: 'Ollama läuft nicht',
    starting: 'Ollama startet',
    wrong: 'Ollama antwortet nicht',
  },
  throttled: 'gedrosselt',
  loading: (elapsedMs) => `wird geladen, ${seconds(elapsedMs)}`,
  loadingAbout: (ratio) => `wird geladen, etwa ${percent(ratio)}`,
  onCpu: 'auf der CPU',
  lastReply: 'Tempo der letzten Antwort',
  exposed: 'im Netzwerk erreichbar',
  hostLost: 'Agent-Host: wird neu verbunden',
  engineLost: 'Engine: wird neu verbunden',
  waiting: (turns) =>
    turns === 1 ? '1 Runde wartet auf die GPU' : `${count(turns)} Runden warten auf die GPU`,
};
