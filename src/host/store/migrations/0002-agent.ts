/** What a session keeps beside its transcript, what is known of a model, and where a piece of context came from. */
export const agent = `
ALTER TABLE sessions ADD COLUMN platform TEXT NOT NULL DEFAULT 'desktop';
ALTER TABLE sessions ADD COLUMN channel TEXT NOT NULL DEFAULT 'desktop';
ALTER TABLE sessions ADD COLUMN thread TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN forked_from TEXT;
-- Deleted, and still to be had back for a while.
ALTER TABLE sessions ADD COLUMN deleted_at INTEGER;

ALTER TABLE context ADD COLUMN turn_id TEXT;

-- Todo list and scratchpad: survive a restart, belong to one session (2.1, P2).
CREATE TABLE session_data (
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  key        TEXT NOT NULL,
  body       TEXT NOT NULL,
  PRIMARY KEY (session_id, key)
) STRICT;

-- Learnt once for the bytes of a model: its template card, how it calls, how many characters make a token.
CREATE TABLE model_facts (
  digest TEXT NOT NULL,
  key    TEXT NOT NULL,
  body   TEXT NOT NULL,
  PRIMARY KEY (digest, key)
) STRICT;
`;
