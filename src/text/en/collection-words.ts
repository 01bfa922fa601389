import { bytes, count, plural, seconds } from './figures.ts';

interface Figures {
  files: number;
  read: number;
  passages: number;
}

const files = (number: number): string => plural(number, 'file', 'files');
const passages = (number: number): string => plural(number, 'passage', 'passages');

/** An estimate: minutes without their seconds. */
function roughTime(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 2) return seconds(ms);
  return minutes < 120 ? `${count(minutes)} min` : `${count(Math.round(minutes / 60))} h`;
}

/** Folders and files in which passages are found, in the settings. */
export const collectionsPane = {
  add: 'Add collection',
  asking: 'Looking.',
  failed: 'The collections could not be read.',
  none: 'No collections yet',
  noneHelp: 'Name a folder of yours with @ in a message, and the passages that fit your question go along.',
  columns: { collection: 'Collection', state: 'State', size: 'On disk' },
  show: (name: string): string => `Details of ${name}`,
  place: (first: string, more: number): string => (more === 0 ? first : `${first} and ${count(more)} more`),

  states: {
    reading: ({ read, files: all }: Figures): string =>
      all === 0 ? 'Listing files' : `Reading: ${count(read)} of ${files(all)}`,
    ready: ({ files: all, passages: found }: Figures): string => `${files(all)}, ${passages(found)}`,
    noFolder: 'The folder is not there',
    noFiles: 'The files are not there',
    empty: 'The folder is empty or not connected',
    unlisted: 'The folder cannot be read',
  },
  byBoth: 'By words and meaning',
  byWords: 'By words',
  bySome: (withMeaning: number, all: number): string =>
    `${count(withMeaning)} of ${passages(all)} can be found by meaning`,
  leftOut: (left: number): string => `${files(left)} left out: there are too many for one collection.`,
  goneHelp: 'Nothing is found in it until it is back. Its index is kept.',
  noModel: 'Passages are found by their words only. With an embedding model they are also found by meaning.',
  getModel: 'Set up in Memory',

  folder: 'Folder',
  filesOf: 'Files',
  rename: 'Rename',
  nameOf: (name: string): string => `New name of ${name}`,
  save: 'Save',
  refresh: 'Check again',
  remove: 'Remove',
  removeTitle: (name: string): string => `Remove “${name}”?`,
  removeText: 'Its index is deleted. Your files stay as they are.',
  removeCollection: 'Remove collection',
  keep: 'Keep collection',

  unread: (number: number): string => `${files(number)} not read`,
  unreadMore: (number: number): string => `And ${count(number)} more.`,

  search: {
    label: (name: string): string => `Search in ${name}`,
    field: 'Try a search',
    find: 'Search',
    asking: 'Searching.',
    results: (name: string): string => `Passages of ${name}`,
    found: (number: number, byMeaning: boolean): string =>
      `${passages(number)}, ${byMeaning ? 'searched by words and meaning' : 'searched by words only'}`,
    none: (query: string): string => `No passage fits “${query}”.`,
    by: { words: 'by words', meaning: 'by meaning', both: 'by words and meaning' },
  },

  form: {
    title: 'Add collection',
    kind: 'What it is made of',
    kinds: { folder: 'Folder', files: 'Files' },
    kindHelp: {
      folder: 'All files of the folder that can be read, with those that are added later.',
      files: 'These files alone.',
    },
    folder: 'Folder',
    folderHelp: 'The whole path',
    choose: 'Choose',
    files: 'Files',
    filesHelp: 'The whole path of each, one per line',
    name: 'Name',
    nameHelp: 'You name it with @ in a message.',
    noFolder: 'Write the path of the folder.',
    noFiles: 'Write the path of a file.',
    noName: 'Give it a name.',
    price: 'What it costs',
    asking: 'Looking at the files.',
    look: 'Show price',
    save: 'Add',
    cancel: 'Cancel',
    rows: {
      files: 'Files',
      passages: 'Passages',
      disk: 'On disk',
      meaning: 'By meaning',
      message: 'Each message',
    },
    sizeOf: (number: number, size: number): string =>
      number === 0 ? 'none yet' : `${files(number)}, ${bytes(size)}`,
    aboutPassages: (number: number): string => `about ${count(number)}`,
    aboutDisk: (size: number): string => `about ${bytes(size)}`,
    aboutTime: (ms: number): string => `after about ${roughTime(ms)}, while nothing else runs`,
    noModel: 'not yet: there is no embedding model',
    notTimed: 'time not known yet',
    upToTokens: (tokens: number): string => `up to ${plural(tokens, 'token', 'tokens')}`,
  },
};
