/** Folders whose own instructions may be read, and skills as the person allowed them. */
export const skills = `
CREATE TABLE trusted_folders (
  path       TEXT PRIMARY KEY,
  trusted_at INTEGER NOT NULL
) STRICT;

CREATE TABLE skills (
  -- Real path of its folder.
  path       TEXT PRIMARY KEY,
  -- SHA-256 of all that was in the folder: anything else there waits for the person.
  hash       TEXT NOT NULL CHECK (length(hash) = 64),
  is_on      INTEGER NOT NULL CHECK (is_on IN (0, 1)),
  decided_at INTEGER NOT NULL
) STRICT;
`;
