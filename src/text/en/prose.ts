/** Inside answers: code blocks, images, tables. */
export const prose = {
  image: (alt: string): string => (alt === '' ? 'image' : `image: ${alt}`),
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Not copied',
  plainText: 'text',
  table: 'Table',
  code: (language: string): string => `Code, ${language}`,
} as const;
