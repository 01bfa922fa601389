/** What one session may do without asking; null = as its profile has it. */
export const sessionApprovals = `
ALTER TABLE sessions ADD COLUMN approvals TEXT;
`;
