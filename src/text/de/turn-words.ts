import type { turnWords as english } from '../en/turn-words.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { count, plural, seconds } from './figures.ts';
import { timesOf } from './times.ts';

type Work = (typeof english)['work']['done'];

const files = (number: number): string => plural(number, 'Datei', 'Dateien');

/** "Plan: 4 von 6 erledigt. 3 Dateien angesehen, 1 geändert": kinds and counts, never the names of tools. */
const workDone: Work = (done) => {
  const looked = [
    done.folders > 0 && plural(done.folders, 'Ordner', 'Ordner'),
    done.looked > 0 && files(done.looked),
  ].filter(Boolean);
  const parts = [
    looked.length > 0 && `${looked.join(' und ')} angesehen`,
    done.searches > 0 && `${timesOf(done.searches)} gesucht`,
    done.sources > 0 && `${plural(done.sources, 'Quelle', 'Quellen')} gefunden`,
    done.changed > 0 && `${files(done.changed)} geändert`,
    done.commands > 0 && `${plural(done.commands, 'Befehl', 'Befehle')} ausgeführt`,
    done.agents > 0 && `${plural(done.agents, 'Subagent', 'Subagenten')} gefragt`,
    done.uses > 0 && `${timesOf(done.uses)} ein anderes Programm benutzt`,
    done.others > 0 && plural(done.others, 'weiterer Aufruf', 'weitere Aufrufe'),
    done.declined > 0 && `${plural(done.declined, 'Aufruf', 'Aufrufe')} abgelehnt`,
  ].filter(Boolean);
  const did = parts.length === 0 && done.thoughts > 0 ? 'Nachgedacht' : parts.join(', ');
  const plan = done.steps > 0 ? `Plan: ${String(done.stepsDone)} von ${String(done.steps)} erledigt` : '';
  return [plan, did].filter(Boolean).join('. ');
};

/** What stands around an answer: its work, its foot, and where its time went. */
export const turnWords: InAnyWords<typeof english> = {
  work: {
    done: workDone,
    some: 'Daran gearbeitet',
    failed: (calls) => `${count(calls)} fehlgeschlagen`,
  },
  foot: {
    receipt: 'Wo die Zeit blieb',
    asked: (ms) => `${seconds(ms)} auf dich gewartet`,
    steps: (steps) => plural(steps, 'Schritt', 'Schritte'),
    files: (number) => `${files(number)} geändert`,
    undone: (number) => `${files(number)} geändert, rückgängig gemacht`,
    more: 'Mehr zu dieser Runde',
    engine: 'Maschinenraum',
  },
  receipt: {
    title: 'Wo die Zeit blieb',
    loading: 'Laden',
    reading: 'Lesen',
    writing: 'Schreiben',
    tools: 'Tools',
    tokens: (tokens) => plural(tokens, 'Token', 'Token'),
    calls: (calls) => plural(calls, 'Aufruf', 'Aufrufe'),
    unknownTime: 'unbekannt',
    label: (cached, fresh, reread) =>
      `${count(cached)} Token aus dem Cache, ${count(fresh)} neue, ${count(reread)} neu gelesen`,
    cached: 'aus dem Cache',
    fresh: 'neu',
    reread: 'neu gelesen',
    unknown: 'Dieser Server meldet keine Token im Cache.',
    saved: (ms) => `Der Cache hat etwa ${seconds(ms)} Lesen gespart.`,
    engine: 'Maschinenraum öffnen',
    agents: (requests, { fresh, reread, written }) =>
      [
        `Subagenten: ${plural(requests, 'Anfrage', 'Anfragen')}`,
        fresh !== null && `${count(fresh)} neue`,
        reread > 0 && `${count(reread)} neu gelesen`,
        written !== null && `${count(written)} geschrieben`,
      ]
        .filter(Boolean)
        .join(', '),
  },
};
