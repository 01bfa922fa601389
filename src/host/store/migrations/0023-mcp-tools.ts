/** Definitions of tools that come from servers, as the person allowed them (X8). */
export const mcpTools = `
CREATE TABLE mcp_servers (
  name       TEXT PRIMARY KEY,
  -- When its first list of tools was taken up.
  allowed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE mcp_tools (
  server       TEXT NOT NULL REFERENCES mcp_servers (name) ON DELETE CASCADE,
  name         TEXT NOT NULL,
  -- Canonical JSON, and the SHA-256 of it: any other definition of that name is suspended.
  definition   TEXT NOT NULL,
  hash         TEXT NOT NULL CHECK (length(hash) = 64),
  is_on        INTEGER NOT NULL DEFAULT 1 CHECK (is_on IN (0, 1)),
  confirmed_at INTEGER NOT NULL,
  PRIMARY KEY (server, name)
) STRICT, WITHOUT ROWID;
`;
