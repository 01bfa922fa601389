import type { MarkedToken, Token, Tokens } from 'marked';
import { Fragment, useContext, type ReactNode } from 'react';
import { prose } from '../../text.ts';
import { LazyFormula } from '../drawings/lazy-drawings.tsx';
import { SafeLink } from '../link.tsx';
import { positions } from '../positions.ts';
import { CitedLink, CitedText } from './citations.tsx';
import { FolderPictureContext, folderPath } from './folder-pictures.ts';
import { isMath } from './math-marks.ts';

/** Inline tokens as React elements. Model text never becomes markup: raw HTML is shown as the text it is. */
export function Inline({ tokens }: { tokens: Token[] | undefined }): ReactNode {
  return positions(tokens ?? []).map(({ at, piece }) => <Fragment key={at}>{renderInline(piece)}</Fragment>);
}

const maxAddressLength = 80;

/** Where it would come from, as text: a data address would fill the page. */
function shortAddress(href: string): string {
  return href.length > maxAddressLength ? `${href.slice(0, maxAddressLength - 1)}…` : href;
}

/** A picture of the folder is shown. Loading any other would tell its server that the answer was read. */
function Picture({ token: { href, text } }: { token: Tokens.Image }) {
  const draw = useContext(FolderPictureContext);
  const path = folderPath(href);
  if (draw && path !== null) return draw({ path, alt: text });
  return (
    <>
      <SafeLink href={href}>{prose.image(text)}</SafeLink>
      {href !== '' && <span className="t3"> ({shortAddress(href)})</span>}
    </>
  );
}

function renderInline(inline: Token): ReactNode {
  if (isMath(inline)) return <LazyFormula raw={inline.raw} tex={inline.text} display={inline.display} />;
  const token = inline as MarkedToken;
  switch (token.type) {
    case 'text':
      return token.tokens ? (
        <Inline tokens={token.tokens} />
      ) : (
        <CitedText text={decodeEntities(token.text)} />
      );
    case 'escape':
      return token.text;
    case 'strong':
      return (
        <strong>
          <Inline tokens={token.tokens} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <Inline tokens={token.tokens} />
        </em>
      );
    case 'del':
      return (
        <del>
          <Inline tokens={token.tokens} />
        </del>
      );
    case 'codespan':
      // It says nothing about the direction of its sentence.
      return <code dir="ltr">{token.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return (
        <CitedLink raw={token.raw} href={token.href}>
          <Inline tokens={token.tokens} />
        </CitedLink>
      );
    case 'image':
      return <Picture token={token} />;
    // Raw HTML, and blocks that cannot stand here, are the text they are.
    case 'html':
    case 'blockquote':
    case 'checkbox':
    case 'code':
    case 'def':
    case 'heading':
    case 'hr':
    case 'list':
    case 'list_item':
    case 'paragraph':
    case 'space':
    case 'table':
      return token.raw;
  }
}

/** The few character references that models write; everything else stays as written. */
const named: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  mdash: '—',
  ndash: '–',
  hellip: '…',
  copy: '©',
  rarr: '→',
  larr: '←',
  times: '×',
};

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole;
    const code = name[1]?.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    const valid = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return valid ? String.fromCodePoint(code) : '\ufffd';
  });
}
