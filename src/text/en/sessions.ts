import { count, plural } from './figures.ts';

/** The list on the left. */
export const sessions = {
  label: 'Sessions',
  search: 'Search sessions',
  clearSearch: 'Clear search',
  noMatch: (query: string): string => `Nothing matches “${query}”`,
  noMatchHelp: 'Search looks at titles, folders, messages and answers, also of archived sessions.',
  empty: 'Your sessions appear here.',
  groups: {
    pinned: 'Pinned',
    today: 'Today',
    yesterday: 'Yesterday',
    week: 'Last 7 days',
    older: 'Older',
    people: 'Other people',
    programs: 'Jobs and programs',
    /** What was imported, until a folder is chosen. */
    none: 'No folder',
  },
  /** Where a session is talked that no person is named for. */
  platforms: {
    schedule: { short: 'job', whole: 'From a job of the schedule' },
    api: { short: 'program', whole: 'From a program with a token' },
  } as Partial<Record<string, { short: string; whole: string }>>,
  filter: {
    open: 'Group and filter',
    by: 'Group by',
    groupings: { folder: 'Folder', date: 'Date' },
  },
  archive: {
    put: 'Archive',
    bring: 'Bring back',
    mark: 'archived',
    isAway: 'This session is archived. A new message brings it back, too.',
    only: 'Archived',
    empty: 'Nothing is archived.',
    selected: 'Archive the selected sessions',
    bringSelected: 'Bring the selected sessions back',
    done: (title: string): string => `“${title}” archived`,
    doneMany: (sessions: number): string => plural(sessions, 'session archived', 'sessions archived'),
    back: (title: string): string => `“${title}” is back in the list`,
    backMany: (sessions: number): string =>
      `${plural(sessions, 'session is', 'sessions are')} back in the list`,
  },
  forks: {
    show: 'Show forks',
    title: 'Forks',
    isFork: 'Forked from another session',
    from: (title: string): string => `Forked from “${title}”`,
    gone: 'A session that was deleted',
    here: 'this session',
    close: 'Close',
  },
  matches: (places: number, sessions: number): string =>
    `${plural(places, 'match', 'matches')} in ${plural(sessions, 'session', 'sessions')}`,
  found: (places: number): string => plural(places, 'match', 'matches'),
  moreHits: (places: number): string => `${count(places)} more`,
  moreIn: (places: number, title: string): string => `Show ${count(places)} more in ${title}`,
  speakers: { you: 'You', model: 'Andiron' },
  marks: {
    queued: 'queued',
    running: 'running',
    asking: 'asks',
    failed: 'failed',
    draft: 'new',
    unread: 'done',
  },
  /** Read out when it happens behind the open session: "Retry policy asks". */
  says: (title: string, mark: string): string => `${title} ${mark}`,
  untitled: 'New session',
  actions: (title: string): string => `Actions for ${title}`,
  rename: 'Rename',
  renameLabel: 'Session title',
  pin: 'Pin',
  unpin: 'Unpin',
  remove: 'Delete',
  removeTitle: (title: string): string => `Delete “${title}”?`,
  removeText: 'This stops the turn that is running in it.',
  removeConfirm: 'Delete session',
  keep: 'Keep session',
  removeManyTitle: (sessions: number): string => `Delete ${plural(sessions, 'session', 'sessions')}?`,
  removeManyText: 'This stops the turns that are running in them.',
  removeManyConfirm: (sessions: number): string => `Delete ${plural(sessions, 'session', 'sessions')}`,
  keepMany: 'Keep sessions',
  removed: (title: string): string => `“${title}” deleted`,
  removedMany: (sessions: number): string => plural(sessions, 'session deleted', 'sessions deleted'),
  undo: 'Undo',
  fork: 'Fork session',
  forkInto: {
    open: 'Fork into another folder…',
    title: (title: string): string => `Fork “${title}” into another folder`,
    why: 'A session keeps its folder. The fork works in the folder you choose here.',
    path: 'Folder of the fork',
    placeholder: 'Whole path of a folder',
    choose: 'Choose…',
    confirm: 'Fork session',
    keep: 'Cancel',
  },
  newInFolder: 'New session in this folder',
  export: 'Export',
  exportMarkdown: 'Export as Markdown',
  import: 'Import a session',
  /** Name of the file that holds several. */
  exported: 'Andiron sessions',
  exportedAll: (sessions: number): string =>
    `${plural(sessions, 'session', 'sessions')} exported into one file`,
  handedOver: (sessions: number): string =>
    `${plural(sessions, 'session', 'sessions')} handed to the browser in one file`,
  handedOverInFiles: (sessions: number, files: number): string =>
    `${plural(sessions, 'session', 'sessions')} handed to the browser in ${files} files, each small enough for an import`,
  exportedInFiles: (sessions: number, files: number): string =>
    `${plural(sessions, 'session', 'sessions')} exported into ${files} files, each small enough for an import`,
  leftOut: (session: string): string => `“${session}” was deleted meanwhile, so it was not exported.`,
  leftOutMany: (sessions: number): string =>
    `${count(sessions)} sessions were deleted meanwhile, so they were not exported.`,
  othersExported: (sessions: number): string =>
    sessions === 1 ? 'The other session is exported.' : `The other ${count(sessions)} sessions are exported.`,
  othersHandedOver: (sessions: number): string =>
    sessions === 1
      ? 'The other session was handed to the browser.'
      : `The other ${count(sessions)} sessions were handed to the browser.`,
  /** Of an export into several files that ended before the last one. */
  exportEnded: (sessions: number): string =>
    `${plural(sessions, 'session', 'sessions')} exported. The rest was not saved.`,
  noneExported: 'No file was saved: choose other sessions.',
  imported: (sessions: number): string => plural(sessions, 'session imported', 'sessions imported'),
  importTooLarge: 'The file is larger than 256 MB.',
  importFailed: (file: string): string => `${file} could not be imported`,
  forgetImport: 'Dismiss',
  dropHere: 'Drop exported sessions here',
  loading: 'Loading sessions',
  isSelected: 'selected',
  selection: {
    label: 'Selected sessions',
    count: (sessions: number): string => `${count(sessions)} selected`,
    export: 'Export the selected sessions',
    remove: 'Delete the selected sessions',
    clear: 'Clear selection',
  },
  folders: {
    heading: 'Show',
    all: 'All sessions',
    only: (name: string): string => `Group and filter: only sessions in ${name}`,
    showAll: 'Show all sessions',
  },
  compact: 'Summarise now',
  reset: 'Reset context',
  resetDone: (title: string): string => `The context of “${title}” is empty now. The transcript stays.`,
  more: 'There is more. Add a word to narrow it down.',
  notAll: (query: string): string => `No match for “${query}” so far`,
  notAllHelp: 'Andiron searched all titles, but not all messages yet.',
  searching: 'Searching messages',
  daysAgo: (days: number): string => `${days} d`,
} as const;
