/** Tokens as the owner's window asks for them. */
import { AndironError } from '../../protocol/errors.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { tokenMethods } from '../../protocol/token-methods.ts';
import type { Tokens } from '../people/tokens.ts';

export interface TokenHandlerDeps {
  tokens: Pick<Tokens, 'create' | 'list' | 'revoke'>;
}

export function tokenHandlers({ tokens }: TokenHandlerDeps): Handlers<typeof tokenMethods> {
  return {
    'token/create': (token) => tokens.create(token),
    'token/list': () => ({ tokens: tokens.list() }),
    'token/revoke': ({ tokenId }) => {
      tokens.revoke(tokenId);
      return {};
    },
    'host/sign-in': () => {
      throw new AndironError('invalid_params', 'This connection is somebody’s already.', 'Open another one.');
    },
  };
}
