import { plural } from '../format.ts';

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
  code: (language: string): string => `Code, ${language}`,
} as const;
