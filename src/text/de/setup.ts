import type { setup as english } from '../en/setup.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { bytes, downloadBytes, seconds } from './figures.ts';

/** Ollama in Andiron's own folder. */
export const setup: InAnyWords<typeof english> = {
  title: 'Mitgeliefertes Ollama',
  offer: (version) => `Ollama ${version}, von Andiron eingerichtet`,
  offerHelp:
    'Andiron prüft den offiziellen Download anhand der Prüfsumme. Außerhalb dieses Ordners ändert sich nichts.',
  from: 'Von',
  to: 'Nach',
  size: 'Download',
  price: (size, time) => `${downloadBytes(size)}, ${time}`,
  sizeUnknown: 'Größe unbekannt',
  downloaded: 'schon heruntergeladen',
  begin: 'Ollama einrichten',
  installed: (version, size) => (size === null ? `Ollama ${version}` : `Ollama ${version}, ${bytes(size)}`),
  update: (version) => `Auf ${version} aktualisieren`,
  remove: 'Entfernen',
  removeTitle: 'Andirons Ollama entfernen?',
  removeText: 'Das löscht das Programm und seine Downloads. Die Modelle bleiben auf der Festplatte.',
  removeAll: 'Mit Modellen entfernen',
  removeModelsText: 'Das löscht das Programm, seine Downloads und alle seine Modelle.',
  keep: 'Behalten',
  phases: {
    downloading: 'Wird heruntergeladen',
    verifying: 'Prüfsumme wird geprüft',
    unpacking: 'Wird entpackt',
    starting: 'Startet',
    removing: 'Wird entfernt',
    paused: 'Angehalten',
    failed: 'Fehlgeschlagen',
  },
  kinds: {
    install: 'Ollama wird eingerichtet',
    update: 'Ollama wird aktualisiert',
    remove: 'Ollama wird entfernt',
  },
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  retry: 'Erneut versuchen',
  of: (done, total) =>
    total === null ? `bisher ${downloadBytes(done)}` : `${downloadBytes(done)} von ${downloadBytes(total)}`,
  rate: (perSecond) => `${downloadBytes(perSecond)}/s`,
  left: (ms) => `noch ${seconds(ms)}`,
};
