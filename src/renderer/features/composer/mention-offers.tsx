/** What `@` offers beside files: collections, and resources of servers. A taken one leaves the text and becomes a chip. */
import { useEffect, useMemo, useState } from 'react';
import type { Collection } from '../../../protocol/collection-methods.ts';
import type { McpResource } from '../../../protocol/mcp-offers.ts';
import { visibleName } from '../../../rules/visible-text/visible-text.ts';
import { collectionsPane, composer } from '../../text.ts';
import { Icon } from '../../components/icon.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useAnswer } from '../../commands/use-answer.ts';
import { useHost } from '../../stores/stores.ts';
import type { Suggestion, SuggestionList } from './suggestions.tsx';
import styles from './composer.module.css';

const text = composer.mentions;

interface Offers {
  collections: readonly Collection[];
  resources: readonly McpResource[];
}

interface Takes {
  collection: (collection: Collection) => void;
  resource: (resource: McpResource) => void;
}

interface Entry {
  option: Suggestion;
  take: () => void;
}

/**
 * Behind the files, resources under the names of their servers. While nothing is written the files are all of a folder,
 * and nobody would scroll down to the collections: then those come first.
 */
export function withOffers(
  list: SuggestionList,
  query: string,
  offers: Offers,
  takes: Takes,
): SuggestionList {
  const { collections, resources } = offers;
  if (collections.length + resources.length === 0) return list;
  const files = list.options.map((option, index): Entry => ({ option, take: () => list.take(index) }));
  const ofCollections = collections.map((each): Entry => ({
    option: collectionOption(each),
    take: () => each.state !== 'gone' && takes.collection(each),
  }));
  const ofResources = resources.map((each): Entry => ({
    option: resourceOption(each),
    take: () => takes.resource(each),
  }));
  const first = query === '' ? [...ofCollections, ...files] : [...files, ...ofCollections];
  const all = [...first, ...ofResources];
  return {
    ...list,
    label: text.labelOfAll(collections.length > 0, resources.length > 0),
    options: all.map(({ option }) => option),
    announcement: text.foundOfAll(files.length, collections.length, resources.length),
    note: files.length === 0 ? null : list.note,
    take: (index) => all[index]?.take(),
  };
}

function collectionOption(collection: Collection): Suggestion {
  const { id, name, place, state } = collection;
  const { noFolder, noFiles, empty, unlisted, ready, reading } = collectionsPane.states;
  const words = {
    gone: place.folder === null ? noFiles : noFolder,
    empty,
    unlisted,
    ready: ready(collection),
    reading: reading(collection),
  }[state];
  return {
    id: `collection ${id}`,
    disabled: state !== 'ready' && state !== 'reading',
    title: [place.folder ?? place.files].flat().map(visibleName).join('\n'),
    group: text.collections,
    content: (
      <>
        <Icon name="collection" />
        <span className={`${styles.resource} cut`}>
          <VisibleText text={name} oneLine />
        </span>
        <span className="meta cut">{words}</span>
      </>
    ),
  };
}

function resourceOption({ server, uri, name, description }: McpResource): Suggestion {
  return {
    id: `${server} ${uri}`,
    disabled: false,
    title: [description, visibleName(uri)].filter((part) => part !== '').join('\n'),
    group: server,
    content: (
      <>
        <Icon name="plug" />
        <span className={`${styles.resource} cut`}>
          <VisibleText text={name} oneLine />
        </span>
        <span className="meta cut" dir="auto">
          <VisibleText text={uri} oneLine />
        </span>
      </>
    ),
  };
}

/** What the host takes. */
export const maxQuery = 200;
const noResources: McpResource[] = [];
const noCollections: Collection[] = [];

/** What fits the query; null asks for nothing. Files are listed without them as long as they are looked for. */
export function useOffers(query: string | null): Offers {
  return { collections: useCollections(query), resources: useResources(query) };
}

function useCollections(query: string | null): Collection[] {
  const changes = useHost((host) => host.skillChanges ?? 0);
  const { value } = useAnswer(query === null ? null : String(changes), (ask) => ask.collections());
  return useMemo(() => {
    const found = query === null ? noCollections : (value?.collections ?? noCollections);
    return found.filter(({ name }) => fits(name, query ?? ''));
  }, [query, value]);
}

/** By server. */
function useResources(query: string | null): McpResource[] {
  const changes = useHost((host) => host.mcpChanges ?? 0);
  const settled = usePause(query);
  const asked = query === null ? null : (settled ?? query);
  const key = asked === null ? null : `${String(changes)}\n${asked}`;
  const { value } = useAnswer(key, async (ask) => ask.resources((asked ?? '').slice(0, maxQuery)));
  return useMemo(() => {
    const found = query === null ? noResources : (value?.resources ?? noResources);
    const still = found.filter(({ server, name, uri }) => fits(`${server}/${name} ${uri}`, query ?? ''));
    return [...Map.groupBy(still, ({ server }) => server).values()].flat();
  }, [query, value]);
}

/** Short enough not to be noticed, long enough for the next key. */
const pauseMs = 80;

/** The value once it has stayed the same for a moment; the first one at once. */
export function usePause(value: string | null): string | null {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value === null || settled === null ? 0 : pauseMs);
    return () => clearTimeout(timer);
  }, [value, settled]);
  return settled;
}

/** Its letters are there in their order. */
export function fits(text: string, query: string): boolean {
  let at = 0;
  const path = text.toLowerCase();
  const wanted = Array.from(query.toLowerCase()).filter((letter) => letter.trim() !== '');
  return wanted.every((letter) => {
    at = path.indexOf(letter, at) + 1;
    return at > 0;
  });
}
