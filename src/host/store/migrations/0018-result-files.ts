/** Files that the tools of a turn brought out. A copy of a session has its own rows for them. */
export const resultFiles = `
CREATE TABLE result_files (
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  id         TEXT NOT NULL,
  turn_id    TEXT NOT NULL,
  item_id    TEXT NOT NULL,
  tool       TEXT NOT NULL,
  name       TEXT NOT NULL,
  path       TEXT,
  url        TEXT,
  bytes      INTEGER,
  mime       TEXT NOT NULL,
  at         INTEGER NOT NULL,
  PRIMARY KEY (session_id, id)
) STRICT;
`;
