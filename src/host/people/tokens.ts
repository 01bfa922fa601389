/** Tokens by which programs speak for a person, and the connections that were opened with them (X2). */
import type { Clock, NewId } from '../../platform/clock.ts';
import { hashOfText } from '../../platform/text-hash.ts';
import { isSameHash, newTokenText } from '../../platform/token-text.ts';
import { AndironError } from '../../protocol/errors.ts';
import { apiPlatform, lowerLevel, reaches, type Level, type Principal } from '../../protocol/principal.ts';
import type { ApiTokenInfo } from '../../protocol/token-methods.ts';
import type { ApiToken } from '../store/api-token-store.ts';
import type { Store } from '../store/store.ts';

export interface TokensDeps {
  store: Pick<
    Store,
    'getUser' | 'apiToken' | 'listApiTokens' | 'addApiToken' | 'apiTokenUsed' | 'revokeApiToken'
  >;
  clock: Pick<Clock, 'now'>;
  newId: NewId;
  /** Stops what programs with this token have asked for. */
  stopTurns: (tokenId: string) => void;
}

export interface NewToken {
  name: string;
  userId: string;
  level: Level;
  modules: readonly string[] | null;
}

interface Closable {
  close(): void;
  onClose(listener: () => void): void;
}

export type Tokens = ReturnType<typeof createTokens>;

/** A program never does what the owner's window does, such as answering questions or making tokens. */
const maxLevelOfPrograms: Level = 'admin';

export function createTokens({ store, clock, newId, stopTurns }: TokensDeps) {
  const connections = new Map<string, Set<Closable>>();

  const end = (tokenId: string): void => {
    for (const connection of connections.get(tokenId) ?? []) connection.close();
    stopTurns(tokenId);
  };

  /** All are compared, so that the time says nothing. */
  const find = (text: string): ApiToken | null => {
    const hash = hashOfText(text);
    const same = store.listApiTokens().filter((token) => isSameHash(token.hash, hash));
    return same.find(({ revokedAt }) => revokedAt === null) ?? null;
  };

  return {
    /** The text is returned here and never again. */
    create({ name, userId, level, modules }: NewToken): { token: ApiTokenInfo; text: string } {
      const user = store.getUser(userId);
      if (!user)
        throw new AndironError('not_found', 'This person is not known any more.', 'Look at the list again.');
      if (!reaches(user.level, level))
        throw new AndironError(
          'invalid_params',
          'A token cannot have a higher level than its person.',
          `Choose ${user.level} or a lower level.`,
        );
      const text = newTokenText();
      const token: ApiToken = {
        id: newId('tok_'),
        userId,
        name,
        // A text of so many random bits needs no slow hash.
        hash: hashOfText(text),
        level,
        modules,
        createdAt: clock.now(),
        lastUsedAt: null,
        revokedAt: null,
      };
      store.addApiToken(token);
      return { token: shown(token), text };
    },
    list: (): ApiTokenInfo[] => store.listApiTokens().map(shown),
    /** From this moment on it opens nothing, and what it opened ends. */
    revoke(tokenId: string): void {
      if (!store.revokeApiToken(tokenId, clock.now()))
        throw new AndironError('not_found', 'This token is revoked already.', 'Look at the list again.');
      end(tokenId);
    },
    /** Ends what is open for a person who is blocked, or may less than before; their tokens are looked at anew. */
    endOfUser(userId: string): void {
      for (const token of store.listApiTokens()) if (token.userId === userId) end(token.id);
    },
    /** Throws `not_allowed` for every text that opens nothing, and does not say why. */
    principalOf(text: string): Principal & { tokenId: string } {
      const token = find(text);
      const user = token && store.getUser(token.userId);
      if (!token || !user || user.blockedAt !== null) throw refused();
      store.apiTokenUsed(token.id, clock.now());
      return {
        userId: user.id,
        level: lowerLevel(maxLevelOfPrograms, lowerLevel(token.level, user.level)),
        platform: apiPlatform,
        tokenId: token.id,
        modules: token.modules ?? 'all',
      };
    },
    /** Closed when the token ends. */
    opened(tokenId: string, connection: Closable): void {
      const open = connections.get(tokenId) ?? new Set();
      connections.set(tokenId, open.add(connection));
      connection.onClose(() => {
        open.delete(connection);
        if (open.size === 0) connections.delete(tokenId);
      });
    },
  };
}

const refused = (): AndironError =>
  new AndironError(
    'not_allowed',
    'This token opens nothing here.',
    'Ask whoever runs this Andiron for a new one.',
  );

/** Field by field: the hash stays in here. */
const shown = ({
  id,
  userId,
  name,
  level,
  modules,
  createdAt,
  lastUsedAt,
  revokedAt,
}: ApiToken): ApiTokenInfo => ({
  id,
  userId,
  name,
  level,
  modules: modules && [...modules],
  createdAt,
  lastUsedAt,
  revokedAt,
});
