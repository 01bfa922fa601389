/** What the three kinds of Office documents share: parts that name each other by relations. */
import { UnreadableDocument } from '../reading-limits.ts';
import { attributeOf, scanXml } from './xml-scan.ts';
import { resolvePart, type ZipParts } from './zip-parts.ts';

export interface Relation {
  /** The end of its type: `worksheet`, `styles`. */
  type: string;
  /** The name of a part; of what lies outside of the document, nothing. */
  target: string | null;
}

/** The relations of a part, by their ids; `''` = of the document itself. */
export function relationsOf(zip: ZipParts, part: string): Map<string, Relation> {
  const name = relationsName(part);
  const found = new Map<string, Relation>();
  if (!zip.has(name)) return found;
  for (const piece of scanXml(zip.text(name))) {
    if (piece.kind !== 'open' || piece.name !== 'Relationship') continue;
    const { attributes } = piece;
    const id = attributeOf(attributes, 'Id');
    const target = attributeOf(attributes, 'Target');
    if (id === undefined || target === undefined) continue;
    const isOutside = attributeOf(attributes, 'TargetMode') === 'External';
    const type = attributeOf(attributes, 'Type')?.split('/').at(-1) ?? '';
    found.set(id, { type, target: isOutside ? null : resolvePart(part, target) });
  }
  return found;
}

export function relationsName(part: string): string {
  const at = part.lastIndexOf('/') + 1;
  return `${part.slice(0, at)}_rels/${part.slice(at)}.rels`;
}

/** Those that are in the document. */
export const partsOfType = (
  relations: ReadonlyMap<string, Relation>,
  zip: Pick<ZipParts, 'has'>,
  types: readonly string[],
): string[] =>
  [...relations.values()].flatMap(({ type, target }) =>
    target !== null && types.includes(type) && zip.has(target) ? [target] : [],
  );

export const contentTypes = '[Content_Types].xml';

/** The part in which the document begins. */
export function mainPart(zip: ZipParts): string {
  const [main] = partsOfType(relationsOf(zip, ''), zip, ['officeDocument']);
  if (main === undefined) throw new UnreadableDocument('broken');
  return main;
}
