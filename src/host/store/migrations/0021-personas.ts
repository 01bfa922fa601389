/** Personas with a name of their own, who speaks in a session, and rules that belong to a person (P24, B8, X2). */
export const personas = `
CREATE TABLE personas (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL CHECK (length(name) > 0) UNIQUE,
  text       TEXT NOT NULL CHECK (length(text) > 0),
  created_at INTEGER NOT NULL
) STRICT;

-- NULL = that of the profile.
ALTER TABLE bindings ADD COLUMN persona_id TEXT REFERENCES personas (id) ON DELETE SET NULL;
-- Tokens of one reply; NULL = as many as the context has room for.
ALTER TABLE bindings ADD COLUMN max_output INTEGER CHECK (max_output > 0);
-- As the conversation began: its head never becomes another one because a binding does.
ALTER TABLE sessions ADD COLUMN persona_id TEXT REFERENCES personas (id) ON DELETE SET NULL;
-- Whose message was taken up last, where several people share a conversation; NULL = whoever it belongs to.
ALTER TABLE sessions ADD COLUMN speaker_id TEXT;

CREATE TABLE rules_of_people (
  id           TEXT PRIMARY KEY,
  -- In whose turns it lets a command run.
  user_id      TEXT NOT NULL,
  workspace    TEXT NOT NULL,
  words        TEXT NOT NULL,
  is_exact     INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER,
  used         INTEGER NOT NULL DEFAULT 0,
  UNIQUE (user_id, workspace, words, is_exact)
) STRICT;
INSERT INTO rules_of_people
  SELECT id, 'owner', workspace, words, is_exact, created_at, last_used_at, used FROM command_rules;
DROP TABLE command_rules;
ALTER TABLE rules_of_people RENAME TO command_rules;

-- In whose turns it lets a host be reached.
ALTER TABLE host_rules ADD COLUMN user_id TEXT NOT NULL DEFAULT 'owner';
DROP INDEX host_rules_once;
CREATE UNIQUE INDEX host_rules_once ON host_rules (user_id, workspace, ifnull(session_id, ''), host);
`;
