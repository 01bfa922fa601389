/** What commands changed: permissions, too. Its hashes name links and folders as well, its contents may lie in files. */
export const commandChanges = `
ALTER TABLE file_changes ADD COLUMN after_mode INTEGER;
`;
