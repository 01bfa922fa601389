/** What the tools wrote into files, and what stood there before: the way back. */
export const fileChanges = `
-- Made before the file is touched: until it is settled, the file itself tells whether it happened.
CREATE TABLE file_changes (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id  TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  turn_id     TEXT,
  kind        TEXT NOT NULL CHECK (kind IN ('change', 'undo', 'redo')),
  -- Of an undo: the first change that it takes back; all after it go with it.
  undoes      INTEGER CHECK ((kind = 'undo') = (undoes IS NOT NULL)),
  -- Real and absolute, and as the person reads it.
  path        TEXT NOT NULL,
  shown       TEXT NOT NULL,
  -- Fingerprints; null = no file.
  before_hash TEXT,
  after_hash  TEXT,
  before_mode INTEGER,
  -- Lines of the whole change since the session's first one.
  added       INTEGER NOT NULL,
  removed     INTEGER NOT NULL,
  at          INTEGER NOT NULL,
  is_settled  INTEGER NOT NULL CHECK (is_settled IN (0, 1))
) STRICT;
CREATE INDEX file_changes_by_session ON file_changes (session_id, id);
CREATE INDEX file_changes_by_path ON file_changes (path);
CREATE INDEX file_changes_open ON file_changes (id) WHERE is_settled = 0;

-- What stood there before a change, compressed.
CREATE TABLE file_contents (
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  hash       TEXT NOT NULL,
  body       BLOB NOT NULL,
  PRIMARY KEY (session_id, hash)
) STRICT;
`;
