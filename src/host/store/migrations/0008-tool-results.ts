/** Untruncated results of tool calls, compressed: those of which the model read less. */
export const toolResults = `
CREATE TABLE tool_results (
  number     INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  item_id    TEXT NOT NULL,
  body       BLOB NOT NULL,
  UNIQUE (session_id, item_id)
) STRICT;
`;
