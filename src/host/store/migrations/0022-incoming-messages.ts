/** Messages that bridges handed in, each once, with what became of them: no crash loses one or answers it twice. */
export const incomingMessages = `
CREATE TABLE incoming_messages (
  id           TEXT PRIMARY KEY,
  platform     TEXT NOT NULL,
  server       TEXT NOT NULL,
  channel      TEXT NOT NULL,
  thread       TEXT NOT NULL,
  -- As the platform knows it.
  message_id   TEXT NOT NULL,
  -- As it was handed in, as JSON.
  message      TEXT NOT NULL,
  session_id   TEXT REFERENCES sessions (id) ON DELETE CASCADE,
  -- Of the newest attempt, written before the turn itself; NULL = there was none.
  turn_id      TEXT,
  attempts     INTEGER NOT NULL DEFAULT 0,
  -- As JSON; NULL = there is none yet.
  response     TEXT,
  begun_pieces INTEGER NOT NULL DEFAULT 0,
  sent_pieces  INTEGER NOT NULL DEFAULT 0 CHECK (sent_pieces <= begun_pieces),
  received_at  INTEGER NOT NULL,
  delivered_at INTEGER,
  UNIQUE (platform, server, channel, message_id)
) STRICT;
CREATE INDEX incoming_messages_waiting ON incoming_messages (platform) WHERE delivered_at IS NULL;
CREATE INDEX incoming_messages_by_session ON incoming_messages (session_id) WHERE session_id IS NOT NULL;
`;
