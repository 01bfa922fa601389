/**
 * Texts that want to be more than text, from wherever Andiron takes text: each would do something in a page, a terminal,
 * a template or a prompt that takes it for more.
 */
import type { Bait } from './bait.ts';
import {
  comments,
  diagrams,
  drawings,
  embeds,
  formulas,
  handlers,
  scripts,
  styles,
} from './malicious-markup.ts';
import { edges, fences, images, links, tables, unclosed } from './malicious-links.ts';
import {
  approvals,
  disguises,
  lengths,
  notes,
  prototypes,
  roles,
  templates,
  terminals,
} from './malicious-words.ts';

export interface MaliciousText {
  /** "017": with a letter before it stands beside the text wherever it goes, so that it is known to have been shown. */
  id: string;
  kind: string;
  text: string;
}

const asMarkup = {
  scripts,
  handlers,
  embeds,
  drawings,
  comments,
  styles,
  links,
  images,
  edges,
  fences,
  tables,
  unclosed,
};
const asOther = {
  formulas,
  diagrams,
  terminals,
  disguises,
  templates,
  prototypes,
  notes,
  approvals,
  roles,
  lengths,
};

const kinds: Record<string, (bait: Bait) => string[]> = { ...asMarkup, ...asOther };

/** Those that a page would take for markup. */
export const markupKinds: ReadonlySet<string> = new Set(Object.keys(asMarkup));

export function maliciousTexts(bait: Bait): MaliciousText[] {
  const all = Object.entries(kinds).flatMap(([kind, make]) => make(bait).map((text) => ({ kind, text })));
  return all.map(({ kind, text }, index) => ({ id: String(index).padStart(3, '0'), kind, text }));
}
