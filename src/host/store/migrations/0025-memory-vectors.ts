/** What facts mean, as vectors of one model each. Made again at any time, so nothing is lost with them. */
export const memoryVectors = `
CREATE TABLE memory_vectors (
  fact    INTEGER PRIMARY KEY REFERENCES memory_facts (number) ON DELETE CASCADE,
  -- Of the fact, which never becomes another person's.
  user_id TEXT NOT NULL,
  -- Of the bytes of the model: vectors of two models have nothing in common.
  digest  TEXT NOT NULL,
  -- 32-bit floats, little-endian, of length 1.
  vector  BLOB NOT NULL CHECK (length(vector) BETWEEN 4 AND 65536 AND length(vector) % 4 = 0)
) STRICT;
CREATE INDEX memory_vectors_by_user ON memory_vectors (user_id, digest, fact);
CREATE TRIGGER memory_facts_reworded AFTER UPDATE OF key, value ON memory_facts
  WHEN old.key <> new.key OR old.value <> new.value
BEGIN
  DELETE FROM memory_vectors WHERE fact = old.number;
END;
`;
