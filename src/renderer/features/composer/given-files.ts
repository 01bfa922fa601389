/** What of a clipboard or of something dropped is files. */

export function carriesFiles(given: DataTransfer | null): boolean {
  return given?.types.includes('Files') ?? false;
}

/**
 * The files of a clipboard. What a program copied as text goes as text, also where it gave a picture of it; the names
 * that a file manager adds to its files are no such text.
 */
export function filesOf(clipboard: DataTransfer): File[] {
  const files = [...clipboard.files];
  const names = new Set(files.map(({ name }) => name));
  const lines = clipboard.getData('text/plain').trim().split(/\r?\n/u);
  const isText = lines.some((line) => line !== '' && !names.has(line.slice(line.lastIndexOf('/') + 1)));
  return isText ? [] : files;
}

/** What was dropped: files, and the names of folders, which come as files that cannot be read. */
export function dropped(given: DataTransfer): { files: File[]; folders: string[] } {
  const folders = [...given.items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null;
    return entry?.isDirectory ? [entry.name] : [];
  });
  return { files: [...given.files].filter(({ name }) => !folders.includes(name)), folders };
}
