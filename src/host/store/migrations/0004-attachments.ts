/** Files that people give with their messages: the bytes lie beside the database, named by these ids (C1). */
export const attachments = `
CREATE TABLE attachments (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
  kind       TEXT NOT NULL CHECK (kind IN ('image', 'text', 'other')),
  mime       TEXT NOT NULL,
  bytes      INTEGER NOT NULL CHECK (bytes > 0),
  -- Of a draft: when it was last added or given back.
  since      INTEGER NOT NULL
) STRICT;
CREATE INDEX attachments_by_age ON attachments (since);

-- Messages of these sessions have taken it: it goes with the last of them. A fork has the files of its source.
CREATE TABLE attachment_claims (
  attachment_id TEXT NOT NULL REFERENCES attachments (id) ON DELETE CASCADE,
  session_id    TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  PRIMARY KEY (attachment_id, session_id)
) STRICT;
CREATE INDEX attachment_claims_by_session ON attachment_claims (session_id);
`;
