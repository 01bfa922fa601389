import { plural } from './figures.ts';

/** Inside answers: code blocks, images, tables. */
export const prose = {
  image: (alt: string): string => (alt === '' ? 'image' : `image: ${alt}`),
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Not copied',
  wrap: 'Wrap',
  /** Lines of a diff that are not shown. */
  unchanged: (lines: number): string => plural(lines, 'unchanged line', 'unchanged lines'),
  plainText: 'text',
  table: 'Table',
  copyTable: 'Copy table',
  copyMarkdown: 'Copy as Markdown',
  formula: 'Formula',
  diagram: 'Diagram',
  /** `words`: what is written in it. */
  diagramOf: (words: string): string => (words === '' ? 'Diagram' : `Diagram: ${words}`),
  diagramSource: 'Source of the diagram',
  showSource: 'Show source',
  showDiagram: 'Show diagram',
  noDiagram: 'This diagram can’t be drawn, so you see its source.',
  fromFolder: 'from this folder',
  openPicture: (name: string): string => `Open ${name}`,
  code: (language: string): string => `Code, ${language}`,
} as const;
