import type { MarkedToken, Token, Tokens } from 'marked';
import { Fragment, memo, useState, type ReactNode } from 'react';
import { CodeBlock } from '../code/code-block.tsx';
import { Place } from '../code/wrapped.tsx';
import { FormulaSource } from '../drawings/formula-source.tsx';
import { LazyDiagram, LazyFormula } from '../drawings/lazy-drawings.tsx';
import { Icon } from '../icon.tsx';
import { positions } from '../positions.ts';
import { Inline } from './inline.tsx';
import { isMath } from './math-marks.ts';
import { MarkdownReader, type Block } from './reader.ts';
import { Table } from './table.tsx';
import { useLanguage } from '../language.ts';
import styles from './prose.module.css';

interface MarkdownProps {
  text: string;
  /** False while text still arrives; a caret then stands at its end. */
  complete: boolean;
}

/** Model text as React elements. Settled blocks are neither parsed nor rendered again while text arrives. */
export function Markdown({ text, complete }: MarkdownProps) {
  const [reader] = useState(() => new MarkdownReader());
  return <MarkdownBlocks blocks={reader.read(text, complete)} writing={!complete} />;
}

interface MarkdownBlocksProps {
  blocks: Block[];
  /** Text still arrives after the last block. */
  writing: boolean;
  /** The blocks before these stand above, in an element of their own. */
  continued?: boolean;
}

/** Blocks that were read elsewhere: a part of a long answer. */
export function MarkdownBlocks({ blocks, writing, continued = false }: MarkdownBlocksProps) {
  const classes = ['prose', writing && styles.writing, continued && styles.continued]
    .filter(Boolean)
    .join(' ');
  return (
    <div className={classes}>
      {blocks.map((block) => (
        <Place key={block.start} name={block.start}>
          <MemoBlock block={block} />
        </Place>
      ))}
    </div>
  );
}

/** An open block is parsed anew with every frame; only when it reads differently is it rendered anew. */
const MemoBlock = memo(
  ({ block }: { block: Block }) => {
    useLanguage();
    return renderBlock(block.token, !block.settled, 'auto');
  },
  (before, after) =>
    before.block === after.block ||
    (before.block.settled === after.block.settled && before.block.token.raw === after.block.token.raw),
);
MemoBlock.displayName = 'MarkdownBlock';

/** Each block of an answer has the direction of its own first word, and all that is in it the same. */
function renderBlock(block: Token, open: boolean, dir?: 'auto'): ReactNode {
  if (isMath(block)) {
    const { raw, text: tex, display, isOpen } = block;
    return (
      <p>
        {isOpen ? <FormulaSource raw={raw} /> : <LazyFormula raw={raw.trim()} tex={tex} display={display} />}
      </p>
    );
  }
  const token = block as MarkedToken;
  switch (token.type) {
    case 'paragraph':
      return (
        <p dir={dir}>
          <Inline tokens={token.tokens} />
        </p>
      );
    case 'heading':
      return <Heading token={token} dir={dir} />;
    case 'code':
      return <Code token={token} growing={open} />;
    case 'blockquote':
      return (
        <blockquote dir={dir}>
          <Blocks tokens={token.tokens} />
        </blockquote>
      );
    case 'list':
      return <List token={token} dir={dir} />;
    case 'table':
      return <Table token={token} growing={open} />;
    case 'hr':
      return <hr />;
    case 'space':
    case 'def':
      return null;
    case 'text':
      return <Inline tokens={token.tokens ?? [token]} />;
    // Raw HTML of a model is text like any other.
    case 'html':
    case 'br':
    case 'checkbox':
    case 'codespan':
    case 'del':
    case 'em':
    case 'escape':
    case 'image':
    case 'link':
    case 'list_item':
    case 'strong':
      return <p dir={dir}>{token.raw}</p>;
  }
}

function Blocks({ tokens }: { tokens: Token[] }): ReactNode {
  return positions(tokens).map(({ at, piece }) => <Fragment key={at}>{renderBlock(piece, false)}</Fragment>);
}

const closedFence = /\n[ \t]*(?:`{3,}|~{3,})\s*$/;

/** Behind a fence that is not closed more may come: that is code, whatever it is about to be. */
function Code({ token, growing }: { token: Tokens.Code; growing: boolean }) {
  const language = token.lang?.split(/\s/)[0] ?? '';
  if (language === 'mermaid' && closedFence.test(token.raw)) return <LazyDiagram source={token.text} />;
  return <CodeBlock code={token.text} language={language} growing={growing} />;
}

/** Answers stand below the transcript's own headings, and skip no level however deep a model begins. */
function Heading({ token, dir }: { token: Tokens.Heading; dir: 'auto' | undefined }) {
  const content = <Inline tokens={token.tokens} />;
  if (token.depth === 1)
    return (
      <h2 className={styles.top} dir={dir}>
        {content}
      </h2>
    );
  if (token.depth === 2) return <h2 dir={dir}>{content}</h2>;
  return <h3 dir={dir}>{content}</h3>;
}

function List({ token, dir }: { token: Tokens.List; dir: 'auto' | undefined }) {
  const items = positions(token.items).map(({ at, piece: item }) => (
    <li key={at} className={item.task ? styles.task : undefined}>
      {item.task && <Icon name={item.checked ? 'done' : 'idle'} />}
      {item.task ? (
        <div>
          <ItemContent item={item} />
        </div>
      ) : (
        <ItemContent item={item} />
      )}
    </li>
  ));
  if (!token.ordered) return <ul dir={dir}>{items}</ul>;
  return (
    <ol dir={dir} start={token.start === '' ? 1 : token.start}>
      {items}
    </ol>
  );
}

function ItemContent({ item }: { item: Tokens.ListItem }) {
  return <Blocks tokens={item.tokens.filter((token) => token.type !== 'checkbox')} />;
}
