/** Tokens by which programs speak for a person: of each only the SHA-256 of its text is kept. */
export const apiTokens = `
CREATE TABLE api_tokens (
  id           TEXT PRIMARY KEY,
  user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name         TEXT NOT NULL,
  hash         TEXT NOT NULL UNIQUE CHECK (length(hash) = 64),
  level        TEXT NOT NULL CHECK (level IN ('guest', 'user', 'admin', 'owner')),
  -- A list of names as JSON; NULL = all of them.
  modules      TEXT,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at   INTEGER
) STRICT;
`;
