/** Files that came from a server of tools: which one, and by which address. */
export const attachmentOrigins = `
ALTER TABLE attachments ADD COLUMN origin TEXT;
`;
