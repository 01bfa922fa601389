/** Tokens as the owner's window asks for them, and what programs that hold one ask. */
import { AndironError } from '../../protocol/errors.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { tokenMethods } from '../../protocol/token-methods.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { Tokens } from '../people/tokens.ts';
import type { Profiles } from '../profiles/profiles.ts';

export interface TokenHandlerDeps {
  tokens: Pick<Tokens, 'create' | 'list' | 'revoke'>;
  inbox: Pick<Inbox, 'openForProgram'>;
  profiles: Pick<Profiles, 'state'>;
}

export function tokenHandlers({ tokens, inbox, profiles }: TokenHandlerDeps): Handlers<typeof tokenMethods> {
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
    'program/profiles': () => ({
      profiles: profiles.state().profiles.map(({ id, name }) => ({ id, name })),
    }),
    'program/open-session': async ({ profileId }, { principal: { userId, tokenId } }) => {
      if (tokenId === null)
        throw new AndironError('invalid_params', 'This is for programs with a token.', 'Create a session.');
      return { sessionId: await inbox.openForProgram(userId, tokenId, profileId) };
    },
  };
}
