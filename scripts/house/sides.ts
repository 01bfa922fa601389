/** Declarations that say left or right, where a language that is written from the right wants the other side. */
import { filesIn, read } from './source-files.ts';

const named =
  /^(?:left|right|(?:margin|padding|scroll-margin|scroll-padding)-(?:left|right)|border-(?:left|right)\b.*|border-(?:top|bottom)-(?:left|right)-radius)$/;

/** One line for each, with the declaration. */
export function physicalSides(css: string): string[] {
  const rules = css.replace(/\/\*[\s\S]*?\*\//g, '');
  return [...rules.matchAll(/(?<=[{;]\s*)([a-z-]+):\s*([^;{}]+)(?=[;}])/g)]
    .filter(([, property = '', value = '']) => isPhysical(property, value.trim()))
    .map(([declaration]) => declaration.replace(/\s+/g, ' '));
}

function isPhysical(property: string, value: string): boolean {
  if (named.test(property)) return true;
  if (property === 'text-align' || property === 'float') return value === 'left' || value === 'right';
  if (!['margin', 'padding', 'inset'].includes(property)) return false;
  // Four sides, of which the second and the last are not the same.
  const sides = value.match(/(?:[^\s(]|\((?:[^()]|\([^()]*\))*\))+/g) ?? [];
  return sides.length === 4 && sides[1] !== sides[3];
}

export const physicalDeclarations = (): string[] =>
  filesIn('src/renderer', /\.css$/)
    .filter((path) => !path.startsWith('src/renderer/gallery/'))
    .flatMap((path) => physicalSides(read(path)).map((declaration) => `${path}: ${declaration}`));
