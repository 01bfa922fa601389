/** Sizes of type that a style sheet writes itself, in place of a token of tokens.css. */
import { filesIn, read } from './source-files.ts';

/** One line for each, with the declaration. A size that follows the text around it, as a formula's, is none. */
export function ownSizes(css: string): string[] {
  const rules = css.replace(/\/\*[\s\S]*?\*\//g, '');
  return [...rules.matchAll(/(?<=[{;]\s*)(?:font|font-size|line-height):\s*[^;{}]+(?=[;}])/g)]
    .map(([declaration]) => declaration.replace(/\s+/g, ' '))
    .filter((declaration) => /\d(?:px|rem|pt)\b/.test(declaration));
}

export const sizesOffScale = (): string[] =>
  filesIn('src/renderer', /\.css$/)
    .filter((path) => !path.startsWith('src/renderer/gallery/'))
    .flatMap((path) => ownSizes(read(path)).map((declaration) => `${path}: ${declaration}`));
