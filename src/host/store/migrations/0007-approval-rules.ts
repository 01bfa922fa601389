/**
 * What the person allowed for the rest of a session: a tool in a folder. What was allowed by a tool's name alone reached
 * further than its card said, so it is not taken over: those tools ask again.
 */
export const approvalRules = `
CREATE TABLE approval_rules (
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  tool       TEXT NOT NULL,
  -- Real path; '' = the tool touches no files.
  folder     TEXT NOT NULL,
  risk       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (session_id, tool, folder)
) STRICT;

UPDATE approvals SET scope = 'once' WHERE scope = 'session';
`;
