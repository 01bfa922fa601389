/** What is remembered about the person, over all sessions (requirements 2.1, P17). */
export const memory = `
-- The number is the row of its words in memory_search, so it must survive a copy of the database.
CREATE TABLE memory_facts (
  number         INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  category       TEXT NOT NULL CHECK (length(category) BETWEEN 1 AND 100),
  key            TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 100),
  value          TEXT NOT NULL CHECK (length(value) BETWEEN 1 AND 1000),
  source_session TEXT REFERENCES sessions (id) ON DELETE SET NULL,
  confidence     REAL CHECK (confidence BETWEEN 0 AND 1),
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL,
  expires_at     INTEGER,
  UNIQUE (category, key)
) STRICT;
CREATE INDEX memory_facts_by_age ON memory_facts (updated_at DESC);
CREATE INDEX memory_facts_by_source ON memory_facts (source_session) WHERE source_session IS NOT NULL;

-- The words of each fact, parted before they come here: languages without spaces can be searched too.
CREATE VIRTUAL TABLE memory_search USING fts5 (
  category, key, value, tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE TRIGGER memory_facts_forgotten AFTER DELETE ON memory_facts BEGIN
  DELETE FROM memory_search WHERE rowid = old.number;
END;

CREATE TABLE memory_summary (
  only       INTEGER PRIMARY KEY CHECK (only = 1),
  text       TEXT NOT NULL CHECK (length(text) BETWEEN 1 AND 4000),
  by_person  INTEGER NOT NULL CHECK (by_person IN (0, 1)),
  updated_at INTEGER NOT NULL
) STRICT;

-- How far each session was read for facts, and what came of the last attempt.
CREATE TABLE memory_extractions (
  session_id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  generation INTEGER NOT NULL,
  position   INTEGER NOT NULL,
  status     TEXT NOT NULL CHECK (status IN ('extracted', 'nothing', 'failed')),
  problem    TEXT,
  attempts   INTEGER NOT NULL,
  at         INTEGER NOT NULL
) STRICT;
`;
