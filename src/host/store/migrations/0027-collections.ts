/** Folders and files in which passages are found. What is known of them is made again at any time, and lies elsewhere. */
export const collections = `
CREATE TABLE collections (
  id         TEXT PRIMARY KEY,
  user_id    TEXT NOT NULL,
  name       TEXT NOT NULL COLLATE NOCASE,
  -- Whole path; NULL = the files below.
  folder     TEXT,
  -- JSON: whole paths.
  files      TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (user_id, name)
) STRICT;
`;
