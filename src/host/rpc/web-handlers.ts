/** Where the web is searched, as the owner's window asks. */
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { SearchTrial, WebChanges, webMethods, WebSettings } from '../../protocol/web-methods.ts';

export interface WebControl {
  settings(): WebSettings;
  change(changes: WebChanges): Promise<WebSettings>;
  /** Rejects with AndironError. */
  try(query: string, signal: AbortSignal): Promise<SearchTrial>;
}

export function webHandlers(web: WebControl): Handlers<typeof webMethods> {
  return {
    'web/settings': () => web.settings(),
    'web/change': (changes) => web.change(changes),
    'web/try': ({ query }, { signal }) => web.try(query, signal),
  };
}
