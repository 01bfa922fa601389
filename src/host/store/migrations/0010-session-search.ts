/**
 * An index of what person and agent said: the trigrams of each text, none of its words in their order. What it names
 * is read again in `items`, so a row that is left over does no harm.
 */
export const sessionSearch = `
-- The number of a session times 2^24, plus the index of an item in it, is the row of its text in search_text.
CREATE TABLE search_sessions (
  number         INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id     TEXT NOT NULL UNIQUE REFERENCES sessions (id) ON DELETE CASCADE,
  -- Items with a smaller index are older than this table, and are still to be indexed; 0 = all of them are.
  unfilled_below INTEGER NOT NULL
) STRICT;
CREATE INDEX search_sessions_unfilled ON search_sessions (number) WHERE unfilled_below > 0;
INSERT INTO search_sessions (session_id, unfilled_below)
  SELECT id, (SELECT coalesce(max(item_index) + 1, 0) FROM items WHERE session_id = sessions.id)
  FROM sessions ORDER BY created_at, id;
CREATE TRIGGER sessions_begun AFTER INSERT ON sessions BEGIN
  INSERT INTO search_sessions (session_id, unfilled_below) VALUES (new.id, 0);
END;

-- Folded before they come here, so that a search and an item are folded by the same rules.
CREATE VIRTUAL TABLE search_text USING fts5 (
  text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram remove_diacritics 1'
);
-- Rows of texts that are too long to be indexed while somebody waits.
CREATE TABLE search_long (place INTEGER PRIMARY KEY) STRICT;

-- Sessions that are gone, while rows of theirs are left.
CREATE TABLE search_gone (number INTEGER PRIMARY KEY) STRICT;
CREATE TRIGGER search_sessions_gone AFTER DELETE ON search_sessions BEGIN
  INSERT INTO search_gone (number) VALUES (old.number);
END;
`;
