/** A title as the name of a file: letters, digits and dashes of any language. */
export function fileName(title: string, extension: string): string {
  const name = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  return `${name || 'session'}.${extension}`;
}
