/** Who the person is to servers that want to know: signed in by a browser, renewed without one, kept as other secrets are. */
import { randomBytes } from 'node:crypto';
import type { AuthProvider, FetchLike, StoredOAuthTokens } from '@modelcontextprotocol/client';
import type { Clock, Timer } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import { parseJson } from '../../protocol/json.ts';
import type { McpSignIn } from '../../protocol/mcp-methods.ts';
import type { SecretFile } from '../store/secret-file.ts';
import { openCallbackPage, type CallbackPage } from './callback-page.ts';
import type { AddressServer } from './server-file.ts';
import { attemptProvider, renewingProvider, signInNeeded, type SignIn } from './sign-in-provider.ts';
import { watchRenewal } from './watch-renewal.ts';

/** From the click to the answer of the browser. */
export const maxSignInMs = 300_000;
const maxAddress = 8_000;

export interface SignInsDeps {
  /** By the names of servers. */
  secrets: SecretFile<string>;
  clock: Clock;
  send: FetchLike;
  /** The standing of this server is another one; `isIn`: it can be connected now. */
  onChange: (server: string, isIn: boolean) => void;
}

/** What a server said as it wanted more. */
interface Challenge {
  resourceMetadataUrl?: URL;
  scope?: string;
}

/** `isForMore`: beyond what was granted, so a renewal does not answer it. */
interface KeptChallenge extends Challenge {
  isForMore: boolean;
}

interface Attempt {
  server: string;
  page: CallbackPage;
  late: Timer;
}

export class SignIns {
  readonly #deps: SignInsDeps;
  readonly #challenges = new Map<string, KeptChallenge>();
  /** null = nobody is signed in there. */
  readonly #kept = new Map<string, Promise<SignIn | null>>();
  readonly #renewals = new Map<string, Promise<void>>();
  readonly #problems = new Map<string, string>();
  #attempt: Attempt | null = null;

  constructor(deps: SignInsDeps) {
    this.#deps = deps;
  }

  async standing({ name, url }: Pick<AddressServer, 'name' | 'url'>): Promise<McpSignIn> {
    const isIn = (await this.#keptOf({ name, url }).catch(() => null)) !== null;
    const problem = this.#problems.get(name) ?? null;
    if (this.#attempt?.server === name) return { state: 'waiting', problem: null };
    if (this.#challenges.has(name)) return { state: 'needed', problem };
    return { state: isIn ? 'signed_in' : 'none', problem };
  }

  /** How requests to that server say who asks. */
  providerFor(server: AddressServer): AuthProvider {
    return {
      token: async () => (await this.#keptOf(server))?.tokens.access_token,
      onUnauthorized: ({ response, fetchFn }) => this.#renew(server, response, fetchFn),
    };
  }

  /** A server that wants more than was granted says so as it refuses a call. */
  async heed(server: AddressServer, response: Response): Promise<void> {
    if (response.status !== 403) return;
    const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
    const { error, ...challenge } = extractWWWAuthenticateParams(response);
    if (error === 'insufficient_scope') await this.#want(server, { ...challenge, isForMore: true });
  }

  /** Resolves with the address that the person opens in their browser. One at a time: an older attempt is ended. */
  async begin(server: AddressServer): Promise<string> {
    this.cancel();
    this.#problems.delete(server.name);
    const state = randomBytes(32).toString('base64url');
    const page = await openCallbackPage(state);
    const late = this.#deps.clock.after(maxSignInMs, () => {
      this.#problems.set(server.name, 'You were not signed in within five minutes.');
      this.#end(attempt);
    });
    const attempt: Attempt = { server: server.name, page, late };
    this.#attempt = attempt;
    let address = '';
    const provider = attemptProvider(server, {
      redirectUrl: page.url,
      state,
      onAddress: (url) => (address = url),
    });
    const { auth } = await import('@modelcontextprotocol/client');
    const asked = {
      serverUrl: server.url,
      fetchFn: this.#deps.send,
      ...this.#challenges.get(server.name),
    };
    try {
      await auth(provider, { ...asked, forceReauthorization: true });
      if (!/^https?:/.test(address) || address.length > maxAddress) throw new Error('It names no page.');
    } catch (error) {
      this.#end(attempt);
      throw signInFailed(error);
    }
    this.#deps.onChange(server.name, false);
    void this.#finish(server, attempt, async () => {
      const { code, iss } = await page.answer;
      await auth(provider, { ...asked, authorizationCode: code, ...(iss !== undefined && { iss }) });
      return provider.result();
    });
    return address;
  }

  cancel(): void {
    if (this.#attempt) this.#end(this.#attempt);
  }

  /** Resolves when nothing of it is kept. */
  async signOut(server: string): Promise<void> {
    if (this.#attempt?.server === server) this.cancel();
    this.#challenges.delete(server);
    this.#problems.delete(server);
    this.#kept.set(server, Promise.resolve(null));
    if (await this.#deps.secrets.has(server)) await this.#deps.secrets.set(server, null);
    this.#deps.onChange(server, false);
  }

  async #finish(
    server: AddressServer,
    attempt: Attempt,
    work: () => Promise<Omit<SignIn, 'url'> | null>,
  ): Promise<void> {
    let isIn = false;
    try {
      const result = await work();
      // It was cancelled, or another one began, while the server was asked.
      if (this.#attempt !== attempt) return;
      if (!result) throw new Error('It granted nothing.');
      await this.#keep(server.name, { url: server.url, ...result });
      this.#challenges.delete(server.name);
      isIn = true;
    } catch (error) {
      if (this.#attempt !== attempt) return;
      this.#problems.set(server.name, signInFailed(error).message);
    }
    this.#end(attempt);
    this.#deps.onChange(server.name, isIn);
  }

  #end(attempt: Attempt): void {
    attempt.late.cancel();
    attempt.page.close();
    if (this.#attempt !== attempt) return;
    this.#attempt = null;
    this.#deps.onChange(attempt.server, false);
  }

  async #keptOf({ name, url }: Pick<AddressServer, 'name' | 'url'>): Promise<SignIn | null> {
    let kept = this.#kept.get(name);
    if (!kept) {
      kept = this.#deps.secrets.get(name).then((text) => (text === null ? null : readSignIn(text)));
      this.#kept.set(name, kept);
      // The system may refuse it now, and not the next time.
      kept.catch(() => this.#kept.delete(name));
    }
    const found = await kept;
    return found?.url === url ? found : null;
  }

  async #keep(name: string, signIn: SignIn): Promise<void> {
    await this.#deps.secrets.set(name, JSON.stringify(signIn));
    this.#kept.set(name, Promise.resolve(signIn));
  }

  async #want(
    { name }: AddressServer,
    { resourceMetadataUrl, scope, isForMore }: KeptChallenge,
  ): Promise<void> {
    const { computeScopeUnion } = await import('@modelcontextprotocol/client');
    const granted = (await this.#kept.get(name)?.catch(() => null))?.tokens.scope;
    const known = this.#challenges.get(name);
    const wanted = computeScopeUnion(known?.scope, granted, scope);
    this.#challenges.set(name, {
      isForMore: isForMore || known?.isForMore === true,
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      ...(wanted !== undefined && { scope: wanted }),
    });
    this.#deps.onChange(name, false);
  }

  /** One at a time: a token that renews is often good for once. Rejects where the person has to sign in. */
  #renew(server: AddressServer, response: Response, send: FetchLike): Promise<void> {
    const { name } = server;
    const running = this.#renewals.get(name);
    if (running) return running;
    const renewal = this.#renewNow(server, response, send).finally(() => this.#renewals.delete(name));
    this.#renewals.set(name, renewal);
    return renewal;
  }

  async #renewNow(server: AddressServer, response: Response, send: FetchLike): Promise<void> {
    const { auth, extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    const challenge: Challenge = {
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      ...(scope !== undefined && { scope }),
    };
    const kept = await this.#keptOf(server);
    const { fetch, isFault } = watchRenewal(send);
    try {
      if (kept?.tokens.refresh_token === undefined) throw signInNeeded();
      const onTokens = (tokens: StoredOAuthTokens): Promise<void> =>
        this.#keep(server.name, { ...kept, tokens });
      await auth(renewingProvider(kept, onTokens), { serverUrl: server.url, fetchFn: fetch, ...challenge });
    } catch (error) {
      if (isFault()) throw notRenewedNow();
      await this.#want(server, { ...challenge, isForMore: false });
      throw error instanceof AndironError ? error : signInNeeded();
    }
    this.#answered(server.name);
  }

  /** What was granted is good again, so the person is asked for nothing that it covers. */
  #answered(name: string): void {
    if (this.#challenges.get(name)?.isForMore !== false) return;
    this.#challenges.delete(name);
    this.#deps.onChange(name, false);
  }
}

const notRenewedNow = (): AndironError =>
  new AndironError(
    'disconnected',
    'Your sign-in could not be renewed now: whoever grants it cannot be reached.',
    'Andiron tries again. If that goes on, check the network, then refresh the server.',
  );

function readSignIn(text: string): SignIn | null {
  const kept = parseJson(text) as Partial<SignIn> | null;
  return typeof kept?.url === 'string' && kept.client && kept.tokens ? (kept as SignIn) : null;
}

/** Foreign text in part, so it is bounded. */
function signInFailed(error: unknown): AndironError {
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, 300);
  return new AndironError(
    'disconnected',
    `You could not be signed in: ${reason}`,
    'Try again, or ask whoever runs the server.',
  );
}
