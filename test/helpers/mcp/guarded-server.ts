/** A server of tools that wants to know who asks, with an authorization server beside it, by hand: both at one address. */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Request {
  id?: number | string;
  method?: string;
}

const sendJson = (response: ServerResponse, status: number, body: object, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
};

export class GuardedServer {
  readonly #server: Server;
  readonly #codes = new Map<string, { challenge: string; redirect: string }>();
  readonly #access = new Set<string>();
  readonly #refresh = new Set<string>();
  /** What each request for tokens was about, and whether it got some. */
  readonly tokenRequests: { grant: string; isGranted: boolean }[] = [];
  registrations = 0;
  /** What it was shown of whoever asks. */
  readonly shown = new Set<string>();
  /** Who grants what it takes; null = itself. */
  grantedBy: string | null = null;
  /** Whom the answer of the browser says it is from; null = nobody. */
  iss: string | null = null;
  /** What each request for tokens is answered instead; null = nothing is wrong with it. */
  tokenFault: number | null = null;
  /** What a call needs beyond what was granted; null = nothing. */
  wantedScope: string | null = null;
  /** What the metadata calls itself. */
  issuer = '';

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<GuardedServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const guarded = new GuardedServer(server);
    guarded.issuer = guarded.origin;
    guarded.iss = guarded.origin;
    server.on('request', (request: IncomingMessage, response) => void guarded.#answer(request, response));
    return guarded;
  }

  get origin(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  /** What was granted is over. */
  expire(): void {
    this.#access.clear();
  }

  /** Also what could renew it. */
  revoke(): void {
    this.expire();
    this.#refresh.clear();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.origin);
    const body = await text(request);
    switch (pathname) {
      case '/.well-known/oauth-protected-resource/mcp':
        return sendJson(response, 200, {
          resource: this.url,
          authorization_servers: [this.grantedBy ?? this.origin],
        });
      case '/.well-known/oauth-authorization-server':
        return sendJson(response, 200, this.#metadata());
      case '/register':
        this.registrations += 1;
        return sendJson(response, 201, { ...(JSON.parse(body) as object), client_id: randomUUID() });
      case '/authorize':
        return this.#authorize(searchParams, response);
      case '/token':
        return this.#token(new URLSearchParams(body), response);
      case '/mcp':
        return this.#serve(request, body, response);
      default:
        return sendJson(response, 404, {});
    }
  }

  #metadata(): object {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.origin}/authorize`,
      token_endpoint: `${this.origin}/token`,
      registration_endpoint: `${this.origin}/register`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: this.iss !== null,
    };
  }

  /** The person says yes at once. */
  #authorize(asked: URLSearchParams, response: ServerResponse): void {
    const code = randomUUID();
    const redirect = asked.get('redirect_uri') ?? '';
    this.#codes.set(code, { challenge: asked.get('code_challenge') ?? '', redirect });
    const back = new URL(redirect);
    back.searchParams.set('code', code);
    back.searchParams.set('state', asked.get('state') ?? '');
    if (this.iss !== null) back.searchParams.set('iss', this.iss);
    response.writeHead(302, { location: back.href });
    response.end();
  }

  #token(asked: URLSearchParams, response: ServerResponse): void {
    if (this.tokenFault !== null) return sendJson(response, this.tokenFault, {});
    const grant = asked.get('grant_type') ?? '';
    const isGranted = grant === 'refresh_token' ? this.#takesRefresh(asked) : this.#takesCode(asked);
    this.tokenRequests.push({ grant, isGranted });
    if (!isGranted) return sendJson(response, 400, { error: 'invalid_grant' });
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    this.#access.add(access);
    this.#refresh.add(refresh);
    return sendJson(response, 200, {
      access_token: access,
      refresh_token: refresh,
      token_type: 'Bearer',
      expires_in: 3_600,
    });
  }

  /** Each is good for once. */
  #takesRefresh(asked: URLSearchParams): boolean {
    return this.#refresh.delete(asked.get('refresh_token') ?? '');
  }

  #takesCode(asked: URLSearchParams): boolean {
    const code = asked.get('code') ?? '';
    const known = this.#codes.get(code);
    this.#codes.delete(code);
    const proof = createHash('sha256')
      .update(asked.get('code_verifier') ?? '')
      .digest('base64url');
    return known !== undefined && known.challenge === proof && known.redirect === asked.get('redirect_uri');
  }

  #serve(request: IncomingMessage, body: string, response: ServerResponse): void {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (token !== '') this.shown.add(token);
    if (!this.#access.has(token)) {
      const about = `${this.origin}/.well-known/oauth-protected-resource/mcp`;
      return sendJson(response, 401, {}, { 'www-authenticate': `Bearer resource_metadata="${about}"` });
    }
    if (request.method !== 'POST') return sendJson(response, 405, {});
    const { id, method } = JSON.parse(body) as Request;
    if (id === undefined) return sendJson(response, 202, {});
    if (method === 'tools/call' && this.wantedScope !== null) {
      const more = `Bearer error="insufficient_scope", scope="${this.wantedScope}"`;
      return sendJson(response, 403, {}, { 'www-authenticate': more });
    }
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'guarded', version: '1' },
      },
      'tools/list': { tools: [{ name: 'who', description: 'Says who', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'You are in.' }] },
    };
    const result = results[method ?? ''];
    const error = { code: -32_601, message: 'Method not found' };
    return sendJson(response, 200, { jsonrpc: '2.0', id, ...(result ? { result } : { error }) });
  }
}
