/** What the protocol's library is told of a sign-in: with a browser, or later with what that left. */
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { AndironError } from '../../protocol/errors.ts';
import type { AddressServer } from './server-file.ts';

/** What is kept of a sign-in: of one server, at one issuer. */
export interface SignIn {
  /** Of the server. With another one in `mcp.json` it is worth nothing. */
  url: string;
  client: StoredOAuthClientInformation;
  tokens: StoredOAuthTokens;
}

export const signInNeeded = (): AndironError =>
  new AndironError('not_allowed', 'The server wants you to sign in.', 'Press “Sign in” under Connections.');

const metadata = (redirectUrl: string) => ({
  client_name: 'Andiron',
  redirect_uris: [redirectUrl],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  application_type: 'native',
});

type Provider = OAuthClientProvider & { redirectUrl: string };

interface Attempt {
  redirectUrl: string;
  state: string;
  /** Gets the address that the person is to open. */
  onAddress: (url: string) => void;
}

/** One attempt in the browser. Nothing of an older one goes into it. */
export function attemptProvider(
  { oauth }: Pick<AddressServer, 'oauth'>,
  { redirectUrl, state, onAddress }: Attempt,
): Provider & { result: () => Omit<SignIn, 'url'> | null } {
  const { clientId, clientSecret, clientMetadataUrl } = oauth;
  let client: StoredOAuthClientInformation | undefined =
    clientId === undefined
      ? undefined
      : { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
  let tokens: StoredOAuthTokens | undefined;
  let verifier = '';
  let discovery: OAuthDiscoveryState | undefined;
  return {
    redirectUrl,
    clientMetadata: metadata(redirectUrl),
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    state: () => state,
    clientInformation: () => client,
    saveClientInformation: (given) => void (client = given),
    tokens: () => tokens,
    saveTokens: (given) => void (tokens = given),
    redirectToAuthorization: (url) => onAddress(url.href),
    saveCodeVerifier: (given) => void (verifier = given),
    codeVerifier: () => verifier,
    invalidateCredentials: () => void (tokens = undefined),
    saveDiscoveryState: (given) => void (discovery = given),
    discoveryState: () => discovery,
    result: () => (client && tokens ? { client, tokens } : null),
  };
}

const ofIssuer = <T extends { issuer?: string | undefined }>(
  given: T,
  issuer: string | undefined,
): T | undefined => (issuer === undefined || given.issuer === issuer ? given : undefined);

/** Without a browser: only what was granted is renewed. Whatever needs more throws that a sign-in is needed. */
export function renewingProvider(
  kept: SignIn,
  onTokens: (tokens: StoredOAuthTokens) => Promise<void>,
): Provider {
  let isOver = false;
  return {
    // Never used: nothing begins here.
    redirectUrl: 'http://127.0.0.1/callback',
    clientMetadata: metadata('http://127.0.0.1/callback'),
    // Nothing saves a client here, so none is registered that nobody asked for.
    clientInformation: (context) => ofIssuer(kept.client, context?.issuer),
    tokens: (context) => (isOver ? undefined : ofIssuer(kept.tokens, context?.issuer)),
    invalidateCredentials: () => void (isOver = true),
    saveTokens: onTokens,
    redirectToAuthorization() {
      throw signInNeeded();
    },
    saveCodeVerifier: () => undefined,
    codeVerifier: () => '',
  };
}
