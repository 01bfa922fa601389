/** Sessions with what a person sees (turns, items) and what the model sees (context), side by side. */
export const sessions = `
CREATE TABLE sessions (
  id             TEXT PRIMARY KEY,
  title          TEXT NOT NULL,
  workspace      TEXT NOT NULL,
  workspace_real TEXT NOT NULL,
  profile_id     TEXT NOT NULL,
  model          TEXT,
  pinned         INTEGER NOT NULL CHECK (pinned IN (0, 1)),
  status         TEXT NOT NULL,
  head           TEXT,
  context_usage  TEXT,
  generation     INTEGER NOT NULL DEFAULT 1,
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_recency ON sessions (pinned DESC, updated_at DESC);

CREATE TABLE turns (
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  position   INTEGER NOT NULL,
  id         TEXT NOT NULL UNIQUE,
  status     TEXT NOT NULL,
  body       TEXT NOT NULL,
  PRIMARY KEY (session_id, position)
) STRICT;
CREATE INDEX turns_running ON turns (id) WHERE status = 'running';

CREATE TABLE items (
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  item_index INTEGER NOT NULL,
  id         TEXT NOT NULL UNIQUE,
  turn_id    TEXT NOT NULL,
  is_open    INTEGER NOT NULL CHECK (is_open IN (0, 1)),
  body       TEXT NOT NULL,
  PRIMARY KEY (session_id, item_index)
) STRICT;
CREATE INDEX items_open ON items (turn_id) WHERE is_open = 1;

-- A tool row is made together with the call it answers, so each call has one result; a placeholder at first.
CREATE TABLE context (
  session_id     TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  generation     INTEGER NOT NULL,
  position       INTEGER NOT NULL,
  role           TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'tool')),
  call_id        TEXT CHECK ((role = 'tool') = (call_id IS NOT NULL)),
  is_placeholder INTEGER NOT NULL CHECK (is_placeholder IN (0, 1)),
  body           TEXT NOT NULL,
  PRIMARY KEY (session_id, generation, position)
) STRICT;
CREATE UNIQUE INDEX context_results ON context (session_id, generation, call_id) WHERE call_id IS NOT NULL;

-- The journal of side effects: written before a tool starts, completed when it ended.
CREATE TABLE tool_calls (
  session_id  TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  call_id     TEXT NOT NULL,
  turn_id     TEXT NOT NULL,
  tool        TEXT NOT NULL,
  args        TEXT NOT NULL,
  started_at  INTEGER NOT NULL,
  ended_at    INTEGER,
  ok          INTEGER CHECK (ok IN (0, 1)),
  result      TEXT,
  PRIMARY KEY (session_id, call_id)
) STRICT;
CREATE INDEX tool_calls_by_turn ON tool_calls (turn_id);

CREATE TABLE approvals (
  id          TEXT PRIMARY KEY,
  session_id  TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  call_id     TEXT NOT NULL,
  tool        TEXT NOT NULL,
  risk        TEXT NOT NULL,
  body        TEXT NOT NULL,
  decision    TEXT NOT NULL CHECK (decision IN ('allow', 'deny')),
  scope       TEXT NOT NULL CHECK (scope IN ('once', 'session')),
  answered_at INTEGER NOT NULL
) STRICT;
CREATE INDEX approvals_by_session ON approvals (session_id);

CREATE TABLE settings (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
`;
