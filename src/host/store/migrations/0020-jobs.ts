/** Jobs, and what became of each time that they were planned for. */
export const jobs = `
CREATE TABLE jobs (
  id           TEXT PRIMARY KEY,
  user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name         TEXT NOT NULL,
  task         TEXT NOT NULL,
  -- One of the kinds of the protocol, as JSON.
  planned      TEXT NOT NULL,
  profile_id   TEXT NOT NULL,
  -- NULL = an empty folder of its own.
  workspace    TEXT,
  after_missed TEXT NOT NULL CHECK (after_missed IN ('run_once', 'skip')),
  is_paused    INTEGER NOT NULL CHECK (is_paused IN (0, 1)),
  -- NULL = it is paused, done, or waits for a session.
  next_at      INTEGER,
  created_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX jobs_by_next ON jobs (next_at);

CREATE TABLE job_runs (
  id              TEXT PRIMARY KEY,
  job_id          TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  planned_at      INTEGER NOT NULL,
  last_planned_at INTEGER NOT NULL CHECK (last_planned_at >= planned_at),
  count           INTEGER NOT NULL CHECK (count >= 1),
  is_manual       INTEGER NOT NULL CHECK (is_manual IN (0, 1)),
  state           TEXT NOT NULL CHECK (state IN ('running', 'ran', 'late', 'missed', 'skipped', 'failed')),
  -- While it runs: why it began late.
  reason          TEXT,
  detail          TEXT NOT NULL DEFAULT '',
  started_at      INTEGER,
  ended_at        INTEGER,
  session_id      TEXT,
  turn_id         TEXT,
  -- Only a turn makes a run one that ran.
  CHECK (state NOT IN ('ran', 'late') OR (turn_id IS NOT NULL AND ended_at IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX job_runs_planned ON job_runs (job_id, planned_at) WHERE is_manual = 0;
CREATE INDEX job_runs_running ON job_runs (state) WHERE state = 'running';
`;
