/** A search by the service that the person has set up. No page of results is ever taken apart. */
import { AndironError } from '../../protocol/errors.ts';
import { parseJson } from '../../protocol/json.ts';
import type { KeyedService, SearchService } from '../../protocol/web-methods.ts';
import { ToolFailure, type Reach } from '../tools/tool.ts';
import type { FetchDeps } from './fetch-page.ts';
import { readAddress } from './page-address.ts';
import { reachHost } from './reach-host.ts';
import {
  readAnswer,
  searchRequest,
  type FoundPage,
  type SearchQuery,
  type ServiceAccess,
} from './search-services.ts';
import { sendRequest, type WebResponse } from './send-request.ts';

export interface SearchDeps extends FetchDeps {
  /** Only tests have services elsewhere. */
  addresses?: Partial<Record<KeyedService, string>> | undefined;
}

export interface SearchWay {
  /** Whether the person lets the service be asked. */
  reach: Reach | undefined;
  signal: AbortSignal;
}

const maxTitle = 200;
const maxText = 500;

/** Rejects with ToolFailure, or with the signal's reason. */
export async function searchWeb(
  access: ServiceAccess,
  query: SearchQuery,
  { reach, signal }: SearchWay,
  deps: SearchDeps,
): Promise<FoundPage[]> {
  const { service } = access;
  const request = searchRequest(access, query, deps.addresses);
  const address = readAddress(request.url.href);
  // The person named it themselves: wherever it is, it is asked about like a host of the internet.
  const named: Reach | undefined = reach && ((wanted) => reach({ ...wanted, isPrivate: false }));
  const askedOnce: Reach | undefined = named && once(named);
  const { addresses } = await reachHost(address, { reach: askedOnce, signal }, deps);
  if (address.url.protocol === 'https:') deps.trustSystem?.();
  const { body } = await sendRequest({
    ...request,
    host: address.host,
    addresses,
    headers: { accept: 'application/json', ...request.headers },
    signal,
    wants: (response) => isAnswer(response, service),
  });
  return read(service, body)
    .filter(({ url }) => /^https?:\/\/\S+$/i.test(url) && URL.canParse(url))
    .slice(0, query.count)
    .map(({ title, url, text }) => ({
      title: oneLine(title).slice(0, maxTitle),
      url,
      text: oneLine(text).slice(0, maxText),
    }));
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().toWellFormed();

/** Its name and its address are one question. */
function once(reach: Reach): Reach {
  let answer: ReturnType<Reach> | undefined;
  return (wanted) => (answer ??= reach(wanted));
}

const names: Record<SearchService, string> = {
  searxng: 'SearXNG',
  brave: 'Brave',
  tavily: 'Tavily',
  exa: 'Exa',
  ollama: 'Ollama',
};

/** Throws ToolFailure for what is none. */
function isAnswer({ status }: WebResponse, service: SearchService): boolean {
  if (status >= 200 && status < 300) return true;
  throw new ToolFailure(`${names[service]} answers with ${String(status)}.`, {
    advice: whatToDo(status, service),
  });
}

function whatToDo(status: number, service: SearchService): string {
  if (service === 'searxng')
    return status === 403
      ? 'Its settings.yml must list json under search.formats.'
      : 'Its address may be wrong: check it in the settings.';
  if (status === 401 || status === 403) return 'Its key may be wrong: set it again in the settings.';
  return status === 429 ? 'Its limit is used up: wait, or use another service.' : 'Try again later.';
}

function read(service: SearchService, body: Uint8Array): FoundPage[] {
  try {
    return readAnswer(service, parseJson(Buffer.from(body).toString()));
  } catch (error) {
    throw new ToolFailure(`${names[service]} answered with something else than results.`, {
      advice: 'Its address may be wrong: check it in the settings.',
      cause: error,
    });
  }
}

/** For a person, who asked for it in the settings. */
export const asFailure = (error: unknown): unknown =>
  error instanceof ToolFailure
    ? new AndironError('engine_refused', error.message, error.advice ?? '', { cause: error })
    : error;
