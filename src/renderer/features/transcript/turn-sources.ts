/** The sources of a turn, as its tools brought them. */
import type { Source } from '../../../protocol/foreign-text.ts';
import type { Item } from '../../../protocol/model.ts';
import { citation } from '../../components/markdown/citations.tsx';

/** Each once, by its number. A source keeps its identity as long as its item does. */
export function sourcesOf(items: readonly Item[]): Source[] {
  const sources = new Map<number, Source>();
  for (const item of items) {
    if (item.kind !== 'tool' || item.display?.kind !== 'sources') continue;
    for (const source of item.display.sources)
      if (!sources.has(source.number)) sources.set(source.number, source);
  }
  return [...sources.values()].toSorted((a, b) => a.number - b.number);
}

/** Those that the answer cites; all where it cites none. */
export function shownSources(sources: readonly Source[], answer: string): readonly Source[] {
  const cited = sources.filter(({ number }) => answer.includes(citation(number)));
  return cited.length > 0 ? cited : sources;
}
