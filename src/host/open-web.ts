/** The web, as the tools of a session and the settings reach it. Nothing is loaded before something is wanted. */
import { AndironError } from '../protocol/errors.ts';
import type { WebControl } from './rpc/web-handlers.ts';
import type { WebAccess } from './tools/web-access.ts';
import { ToolFailure } from './tools/tool.ts';
import { decodeText } from './web/decode-text.ts';
import { fetchPage } from './web/fetch-page.ts';
import { createPageReader, type PageReaderDeps, type ReadPage } from './web/page-reader.ts';
import type { ServiceAccess } from './web/search-services.ts';
import { asFailure, searchWeb, type SearchDeps } from './web/search-web.ts';
import type { SourceNumber } from './web/source-numbers.ts';
import { createWebSettings, type WebSettingsDeps } from './web/web-settings.ts';

export interface OpenWebDeps extends WebSettingsDeps, Omit<PageReaderDeps, 'module' | 'nodePath'> {
  /** Of a source in a turn. */
  number: SourceNumber;
  nodePath?: string | null | undefined;
  pageReader?: URL | undefined;
  /** Called before a server is asked over TLS. */
  trustSystem?: (() => void) | undefined;
  /** Only tests have public hosts and services on this computer. */
  webEdges?: Pick<SearchDeps, 'resolve' | 'classOf' | 'addresses'> | undefined;
}

/** They asked for it with their own hand. */
const allowed = () => Promise.resolve({ isAllowed: true });

/** A search for its own sake shows that it works. */
const triedResults = 3;

export function openWeb(deps: OpenWebDeps): { web: WebAccess; control: WebControl; readPage: ReadPage } {
  const { nodePath = null, pageReader: module, trustSystem, webEdges, number } = deps;
  const settings = createWebSettings(deps);
  const edges = { ...webEdges, trustSystem };
  const readPage = createPageReader({ ...deps, nodePath, module });
  const access = async (): Promise<ServiceAccess> => {
    const found = await settings.access();
    if (found) return found;
    throw new ToolFailure('No search service is set up.', {
      advice: 'Say that one can be set up in the settings, under Connections.',
    });
  };

  const web: WebAccess = {
    canSearch: () => settings.used() !== null,
    async read(address, { turnId, ...way }) {
      const { url, type, isHtml, body } = await fetchPage(address, way, edges);
      const text = decodeText(body, type);
      if (text === null)
        throw new ToolFailure('This is no page of text.', { advice: 'Read another source.' });
      const read = isHtml ? await readPage({ html: text, url: url.href }, way.signal) : { title: '', text };
      const title = read.title === '' ? url.host : read.title;
      return { number: number(turnId, url.href), title, url: url.href, text: read.text.trim() };
    },
    async search(query, count, { turnId, ...way }) {
      const found = await searchWeb(await access(), { query, count }, way, edges);
      return found.map((page) => ({ ...page, number: number(turnId, new URL(page.url).href) }));
    },
  };

  const control: WebControl = {
    settings: () => settings.list(),
    async change(changes) {
      await settings.change(changes);
      return settings.list();
    },
    async try(query, signal) {
      const found = await settings.access();
      if (!found)
        throw new AndironError(
          'not_found',
          'No search service is set up.',
          'Name your SearXNG, or set a key.',
        );
      try {
        const results = await searchWeb(
          found,
          { query, count: triedResults },
          { reach: allowed, signal },
          edges,
        );
        return { service: found.service, results: results.map(({ title, url }) => ({ title, url })) };
      } catch (error) {
        throw asFailure(error);
      }
    },
  };
  return { web, control, readPage };
}
