import type { Engine } from '../engine.ts';
import type { Exchange } from '../http/exchange.ts';
import { psBody, showBody, tagsBody } from '../model-answers.ts';
import type { TruthRequest } from '../truth/truth.ts';
import { parseModelName } from '../wire/names.ts';
import { decodeShow } from '../wire/requests.ts';
import { chat } from './chat.ts';
import { embed } from './embed.ts';
import { generate } from './generate.ts';
import { deleteModel, recommendations } from './library.ts';
import { pull } from './pull.ts';

/** Answers one kind of request. Endpoints that take no body get an empty text. */
type Endpoint = (
  engine: Engine,
  exchange: Exchange,
  text: string,
  record: TruthRequest,
) => void | Promise<void>;

const isRunning: Endpoint = (_, exchange) =>
  exchange.whole(200, 'text/plain; charset=utf-8', 'Ollama is running');
const version: Endpoint = (engine, exchange) => exchange.json(200, { version: engine.version });
const tags: Endpoint = (engine, exchange) => exchange.json(200, tagsBody(engine.store.all, engine.dialect));
const status: Endpoint = (engine, exchange) => {
  const disabled = engine.recommendations === null;
  exchange.json(200, { cloud: { disabled, source: disabled ? 'env' : 'none' } });
};

const ps: Endpoint = (engine, exchange) =>
  exchange.json(200, psBody(engine.scheduler.loaded, engine.clock.now(), engine.dialect));

const show: Endpoint = (engine, exchange, text) => {
  const decoded = decodeShow(text);
  if (!decoded.ok) return exchange.json(decoded.status, { error: decoded.error });
  const { model: asked, verbose } = decoded.value;
  if (asked === '') return exchange.json(400, { error: 'model is required' });
  const name = parseModelName(asked);
  if (!name.ok) return exchange.json(name.status, { error: name.error });
  const model = engine.store.find(name.value.short);
  if (model === undefined) return exchange.json(404, { error: `model '${name.value.short}' not found` });
  return exchange.json(200, showBody(model, verbose, engine.dialect));
};

/** Without the cloud these say so; the simulator has none. */
const account: Endpoint = (_, exchange) => exchange.json(503, { error: 'account unavailable' });
const webSearch: Endpoint = (_, exchange) =>
  exchange.json(403, { error: 'ollama cloud is disabled: web search is unavailable' });

type Route = Partial<Record<string, Endpoint>>;

const ROUTES: Partial<Record<string, Route>> = {
  '/': { GET: isRunning, HEAD: isRunning },
  '/api/version': { GET: version, HEAD: version },
  '/api/tags': { GET: tags, HEAD: tags },
  '/api/ps': { GET: ps },
  '/api/status': { GET: status },
  '/api/show': { POST: show },
  '/api/chat': { POST: chat },
  '/api/generate': { POST: generate },
  '/api/embed': { POST: embed },
  '/api/pull': { POST: pull },
  '/api/delete': { DELETE: deleteModel },
  '/api/me': { POST: account },
  '/api/experimental/model-recommendations': { GET: recommendations },
  '/api/experimental/web_search': { POST: webSearch },
};

/** What answers a request: an endpoint, or which methods there would be (none = unknown path). */
export function routeOf(path: string, method: string): { endpoint: Endpoint } | { methods: string[] } {
  const route = ROUTES[path];
  const endpoint = route?.[method];
  return endpoint === undefined ? { methods: Object.keys(route ?? {}) } : { endpoint };
}
