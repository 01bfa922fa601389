/** Who searches the web for the person: how each is asked, by its own documentation, and what comes back. */
import { z } from 'zod';
import { AndironError } from '../../protocol/errors.ts';
import type { KeyedService, SearchService } from '../../protocol/web-methods.ts';
import { lazyObject } from '../../protocol/lazy-object.ts';

export interface SearchQuery {
  query: string;
  count: number;
}

export interface FoundPage {
  title: string;
  url: string;
  /** What of it fits the query. */
  text: string;
}

export interface SearchRequest {
  url: URL;
  headers: Record<string, string>;
  body?: string;
}

const text = z.string().nullish();
const pages = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.array(z.object({ title: text, url: z.string(), ...shape }));

const plain = (
  title: string | null | undefined,
  url: string,
  words: string | null | undefined,
): FoundPage => ({
  title: title ?? '',
  url,
  text: words ?? '',
});

const withContent = lazyObject(() => ({ results: pages({ content: text }) }));
const readContent = (value: unknown): FoundPage[] =>
  withContent.parse(value).results.map(({ title, url, content }) => plain(title, url, content));

/** Brave marks what it found in a page. */
const withoutMarks = (words: string | null | undefined): string =>
  (words ?? '').replaceAll(/<\/?strong>/g, '');

interface KeyedForm {
  address: string;
  request: (
    query: SearchQuery,
    key: string,
  ) => Omit<SearchRequest, 'url'> & { parameters?: Record<string, string> };
  read: (value: unknown) => FoundPage[];
}

const forms: Record<KeyedService, KeyedForm> = {
  brave: {
    address: 'https://api.search.brave.com/res/v1/web/search',
    request: ({ query, count }, key) => ({
      headers: { 'x-subscription-token': key },
      parameters: { q: query, count: String(count) },
    }),
    read(value) {
      const { web } = z
        .object({ web: z.object({ results: pages({ description: text }) }).nullish() })
        .parse(value);
      return (web?.results ?? []).map(({ title, url, description }) =>
        plain(withoutMarks(title), url, withoutMarks(description)),
      );
    },
  },
  tavily: {
    address: 'https://api.tavily.com/search',
    request: ({ query, count }, key) => ({
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, max_results: count }),
    }),
    read: readContent,
  },
  exa: {
    address: 'https://api.exa.ai/search',
    request: ({ query, count }, key) => ({
      headers: { 'x-api-key': key },
      body: JSON.stringify({ query, numResults: count, contents: { text: { maxCharacters: 500 } } }),
    }),
    read: (value) =>
      z
        .object({ results: pages({ text }) })
        .parse(value)
        .results.map(({ title, url, text: words }) => plain(title, url, words)),
  },
  ollama: {
    address: 'https://ollama.com/api/web_search',
    request: ({ query, count }, key) => ({
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, max_results: count }),
    }),
    read: readContent,
  },
};

export interface ServiceAccess {
  service: SearchService;
  /** The address of a SearXNG, or the key of the others. */
  by: string;
}

/** @param addresses only tests have services elsewhere */
export function searchRequest(
  { service, by }: ServiceAccess,
  query: SearchQuery,
  addresses: Partial<Record<KeyedService, string>> = {},
): SearchRequest {
  if (service === 'searxng') {
    const url = new URL('search', by);
    url.search = new URLSearchParams({ q: query.query, format: 'json' }).toString();
    return { url, headers: {} };
  }
  const form = forms[service];
  const { parameters, ...request } = form.request(query, by);
  const url = new URL(addresses[service] ?? form.address);
  if (parameters) url.search = new URLSearchParams(parameters).toString();
  return { url, ...request };
}

/** Throws where it is not in the form of that service. */
export const readAnswer = (service: SearchService, value: unknown): FoundPage[] =>
  service === 'searxng' ? readContent(value) : forms[service].read(value);

/** With a `/` at its end, as its paths are relative to it. Throws AndironError. */
export function searxngAddress(given: string): string {
  const url = URL.parse(given.trim());
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.username !== '')
    throw new AndironError(
      'invalid_params',
      'This is not the address of a SearXNG.',
      'Write an address that begins with http:// or https://, without a user name.',
    );
  const path = url.pathname.replace(/\/(?:search\/?)?$/, '');
  return `${url.origin}${path}/`;
}
