import { count } from '../format.ts';

/** The list on the left. */
export const sessions = {
  label: 'Sessions',
  search: 'Search sessions',
  clearSearch: 'Clear search',
  noMatch: (query: string): string => `No sessions match “${query}”`,
  noMatchHelp: 'Search looks at titles and folders.',
  empty: 'Your sessions appear here.',
  loading: 'Loading sessions',
  groups: {
    pinned: 'Pinned',
    today: 'Today',
    yesterday: 'Yesterday',
    week: 'Last 7 days',
    older: 'Older',
  },
  marks: { queued: 'queued', running: 'running', asking: 'asks', failed: 'failed', draft: 'new' },
  untitled: 'New session',
  actions: (title: string): string => `Actions for ${title}`,
  rename: 'Rename',
  renameLabel: 'Session title',
  pin: 'Pin',
  unpin: 'Unpin',
  remove: 'Delete',
  removeTitle: (title: string): string => `Delete “${title}”?`,
  removeText:
    'Its messages, tool results and token counts are deleted. Files in the workspace stay as they are.',
  removeRunning: 'A turn runs in this session. It is stopped first.',
  removeConfirm: 'Delete session',
  keep: 'Keep session',
  found: (matches: number): string => (matches === 1 ? '1 session' : `${count(matches)} sessions`),
  daysAgo: (days: number): string => `${days} d`,
} as const;
