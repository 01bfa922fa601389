/** Hosts that commands may reach without a question, in a folder or for the rest of one session. */
export const hostRules = `
CREATE TABLE host_rules (
  id           TEXT PRIMARY KEY,
  -- Real path of the session's folder.
  workspace    TEXT NOT NULL,
  -- NULL = all sessions of the folder.
  session_id   TEXT REFERENCES sessions (id) ON DELETE CASCADE,
  -- As the question named it.
  host         TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER,
  used         INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE UNIQUE INDEX host_rules_once ON host_rules (workspace, ifnull(session_id, ''), host);
`;
