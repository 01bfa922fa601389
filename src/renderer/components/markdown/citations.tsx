/** Numbers in an answer that name a source of its turn, such as [1]: they open it, wherever they stand. */
import { createContext, Fragment, useContext, type ReactNode } from 'react';
import type { Source } from '../../../protocol/foreign-text.ts';
import { SafeLink } from '../link.tsx';
import { SourceLink } from '../source-link.tsx';
import { positions } from '../positions.ts';

const none: readonly Source[] = [];

/** Those of the turn that the text belongs to. */
export const SourcesContext = createContext<readonly Source[]>(none);

const numbers = /(\[\d{1,3}\])/;
/** As it stands in a text. */
export const citation = (number: number): string => `[${String(number)}]`;

/** A number without a source stays the text it is. */
export function CitedText({ text }: { text: string }): ReactNode {
  const sources = useContext(SourcesContext);
  if (sources.length === 0 || !text.includes('[')) return text;
  return positions(text.split(numbers)).map(({ at, piece }) => {
    const source = sources.find(({ number }) => citation(number) === piece);
    return source ? (
      <SourceLink key={at} source={source}>
        {piece}
      </SourceLink>
    ) : (
      <Fragment key={at}>{piece}</Fragment>
    );
  });
}

/** What a model says that a number leads to counts for less than the source that has it. */
export function CitedLink({ raw, href, children }: { raw: string; href: string; children: ReactNode }) {
  const source = useContext(SourcesContext).find(({ number }) => citation(number) === raw);
  return source ? (
    <SourceLink source={source}>{children}</SourceLink>
  ) : (
    <SafeLink href={href}>{children}</SafeLink>
  );
}
