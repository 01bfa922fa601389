/** What can be done with a file outside the window. */
export const files = {
  menu: (path: string): string => `Actions for ${path}`,
  open: 'Open file',
  show: 'Show in folder',
  copyPath: 'Copy path',
  openFolder: 'Open the folder',
  copyFolder: 'Copy the path of the folder',
  copied: (path: string): string => `Copied: ${path}`,
  notCopied: {
    message: 'The path could not be copied.',
    advice: 'The browser only allows it in the active tab.',
  },
  saved: 'The file was saved.',
  saveFailed: {
    message: 'The file could not be saved.',
    advice: 'Check that the disk has space and that you may write to that folder. Then save it again.',
  },
  shown: 'Andiron does not open this kind of file. It is shown in its folder instead.',
  outside: (path: string): { message: string; advice: string } => ({
    message: `${path} is outside the session’s folder.`,
    advice: 'Andiron only opens files in that folder or in its own data folder.',
  }),
  missing: (path: string): { message: string; advice: string } => ({
    message: `${path} no longer exists.`,
    advice: 'It may have been moved or deleted since.',
  }),
  failed: (path: string): { message: string; advice: string } => ({
    message: `The system could not open ${path}.`,
    advice: 'It may have no program for this kind of file. Show it in its folder instead.',
  }),
} as const;
