/** Commands that the person always allows in a folder. */
export const commandRules = `
CREATE TABLE command_rules (
  id           TEXT PRIMARY KEY,
  -- Real path of the session's folder.
  workspace    TEXT NOT NULL,
  -- JSON: the words, as they stood on the button.
  words        TEXT NOT NULL,
  -- 1 = these alone, 0 = also with more behind them.
  is_exact     INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER,
  used         INTEGER NOT NULL DEFAULT 0,
  UNIQUE (workspace, words, is_exact)
) STRICT;
`;
