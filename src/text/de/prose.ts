import type { prose as english } from '../en/prose.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { plural } from './figures.ts';

/** Inside answers: code blocks, images, tables. */
export const prose: InAnyWords<typeof english> = {
  image: (alt) => (alt === '' ? 'Bild' : `Bild: ${alt}`),
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyFailed: 'Nicht kopiert',
  wrap: 'Umbrechen',
  unchanged: (lines) => plural(lines, 'unveränderte Zeile', 'unveränderte Zeilen'),
  plainText: 'Text',
  table: 'Tabelle',
  copyTable: 'Tabelle kopieren',
  copyMarkdown: 'Als Markdown kopieren',
  formula: 'Formel',
  diagram: 'Diagramm',
  diagramOf: (words) => (words === '' ? 'Diagramm' : `Diagramm: ${words}`),
  diagramSource: 'Quelltext des Diagramms',
  showSource: 'Quelltext anzeigen',
  showDiagram: 'Diagramm anzeigen',
  noDiagram: 'Dieses Diagramm lässt sich nicht zeichnen. Du siehst den Quelltext.',
  fromFolder: 'aus diesem Ordner',
  openPicture: (name) => `${name} öffnen`,
  code: (language) => `Code, ${language}`,
};
