/** Who speaks to Andiron, from where, and what is each person's own: sessions and memory (requirements B, X1, X3). */
export const people = `
CREATE TABLE users (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  level      TEXT NOT NULL CHECK (level IN ('guest', 'user', 'admin', 'owner')),
  -- Tokens in 30 days; NULL = without a limit.
  budget     INTEGER CHECK (budget >= 0),
  used       INTEGER NOT NULL DEFAULT 0,
  -- From then on nothing is used.
  reset_at   INTEGER NOT NULL,
  blocked_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
-- Whoever sits at this machine; all that was there before is theirs.
INSERT INTO users (id, name, level, budget, reset_at, created_at)
  VALUES ('owner', '', 'owner', NULL, 0, CAST(strftime('%s', 'now') AS INTEGER) * 1000);

CREATE TABLE user_links (
  platform         TEXT NOT NULL,
  platform_user_id TEXT NOT NULL,
  user_id          TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- As the platform shows them.
  name             TEXT NOT NULL,
  created_at       INTEGER NOT NULL,
  PRIMARY KEY (platform, platform_user_id)
) STRICT;
CREATE INDEX user_links_by_user ON user_links (user_id);

-- What answers where. Of no platform: everywhere else.
CREATE TABLE bindings (
  id         TEXT PRIMARY KEY,
  platform   TEXT NOT NULL,
  server     TEXT NOT NULL CHECK (platform <> '' OR server = ''),
  profile_id TEXT NOT NULL,
  model      TEXT,
  -- A list of names as JSON; NULL = the default ones.
  modules    TEXT,
  per_person INTEGER NOT NULL CHECK (per_person IN (0, 1)),
  pause_ms   INTEGER CHECK (pause_ms > 0),
  UNIQUE (platform, server)
) STRICT;

ALTER TABLE sessions ADD COLUMN user_id TEXT NOT NULL DEFAULT 'owner';
ALTER TABLE sessions ADD COLUMN server TEXT NOT NULL DEFAULT '';
-- Where a place has several conversations: whose, or since when.
ALTER TABLE sessions ADD COLUMN part TEXT NOT NULL DEFAULT '';
-- One conversation in each place. In a window a person opens as many as they like.
CREATE UNIQUE INDEX sessions_by_place ON sessions (platform, server, channel, thread, part)
  WHERE deleted_at IS NULL AND platform <> 'desktop';
CREATE INDEX sessions_by_user ON sessions (user_id) WHERE user_id <> 'owner';

DROP TRIGGER memory_facts_forgotten;
CREATE TABLE facts_of_users (
  -- The row of its words in memory_search.
  number         INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  user_id        TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  category       TEXT NOT NULL CHECK (length(category) BETWEEN 1 AND 100),
  key            TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 100),
  value          TEXT NOT NULL CHECK (length(value) BETWEEN 1 AND 1000),
  source_session TEXT REFERENCES sessions (id) ON DELETE SET NULL,
  confidence     REAL CHECK (confidence BETWEEN 0 AND 1),
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL,
  expires_at     INTEGER,
  UNIQUE (user_id, category, key)
) STRICT;
INSERT INTO facts_of_users
  SELECT number, id, 'owner', category, key, value, source_session, confidence, created_at, updated_at, expires_at
  FROM memory_facts;
DROP TABLE memory_facts;
ALTER TABLE facts_of_users RENAME TO memory_facts;
CREATE INDEX memory_facts_by_age ON memory_facts (user_id, updated_at DESC);
CREATE INDEX memory_facts_by_source ON memory_facts (source_session) WHERE source_session IS NOT NULL;
CREATE TRIGGER memory_facts_forgotten AFTER DELETE ON memory_facts BEGIN
  DELETE FROM memory_search WHERE rowid = old.number;
END;

CREATE TABLE summaries_of_users (
  user_id    TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  text       TEXT NOT NULL CHECK (length(text) BETWEEN 1 AND 4000),
  by_person  INTEGER NOT NULL CHECK (by_person IN (0, 1)),
  updated_at INTEGER NOT NULL
) STRICT;
INSERT INTO summaries_of_users SELECT 'owner', text, by_person, updated_at FROM memory_summary;
DROP TABLE memory_summary;
ALTER TABLE summaries_of_users RENAME TO memory_summary;
`;
