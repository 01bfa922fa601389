/** Since when a job is planned as it is: an earlier run is none of what it waits for now. */
export const jobTimes = `
-- NULL = since it was made.
ALTER TABLE jobs ADD COLUMN planned_since INTEGER;
`;
