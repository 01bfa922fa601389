/** One row for each request that a model has seen. Sessions and turns are named and may be gone. */
export const usage = `
CREATE TABLE usage_log (
  number        INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  user_id       TEXT NOT NULL DEFAULT 'owner',
  session_id    TEXT,
  turn_id       TEXT,
  purpose       TEXT NOT NULL,
  model         TEXT NOT NULL,
  ended         TEXT NOT NULL,
  input_tokens  INTEGER,
  cached_tokens INTEGER,
  output_tokens INTEGER,
  cost_nano     INTEGER,
  currency      TEXT,
  at            INTEGER NOT NULL
) STRICT;
CREATE INDEX usage_log_at ON usage_log (at);
`;
