/** The folder that an import named, until the person has chosen where the session works. */
export const importedSessions = `
ALTER TABLE sessions ADD COLUMN imported_from TEXT;
`;
