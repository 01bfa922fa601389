/** Who named a session, and when the model is asked again; sessions that were put away. */
export const sessionList = `
-- NULL = it is called as its first message begins, or it is older than this.
ALTER TABLE sessions ADD COLUMN titled_by TEXT CHECK (titled_by IN ('model', 'person'));
-- With so many answered turns the model is asked for a title; NULL = with the first.
ALTER TABLE sessions ADD COLUMN title_due INTEGER;
-- NULL = it is in the list.
ALTER TABLE sessions ADD COLUMN archived_at INTEGER;
`;
