import { plural } from './figures.ts';

/** Tokens and cost, in the settings. */
export const usagePane = {
  periods: { today: 'Today', week: '7 days', month: '30 days', all: 'All' },
  period: 'Period',
  parts: {
    models: { label: 'By model', help: '' },
    days: { label: 'By day', help: '' },
    export: {
      label: 'Export CSV',
      help: 'One line for each request in this period. It names no message.',
    },
  },
  tokens: 'tokens read and written, cached ones left out',
  requests: (requests: number): string => plural(requests, 'request', 'requests'),
  uncounted: (requests: number): string =>
    `${plural(requests, 'request was', 'requests were')} not fully counted, such as stopped ones. Sums leave out what was not counted.`,
  columns: { model: 'Model', day: 'Day', read: 'Read', written: 'Written', cached: 'Cached', cost: 'Cost' },
  unknown: 'unknown',
  noCost: '–',
  olderDays: (days: number): string => `${plural(days, 'earlier day is', 'earlier days are')} in the export.`,
  none: 'No use in this period',
  noneYet: 'No use yet',
  noneHelp: 'Token use appears after your first message.',
  asking: 'Loading…',
  failed: 'Token use could not be read.',
  again: 'Refresh',
  export: 'Export',
  exported: 'Exported.',
  handedOver: 'Your browser has the file.',
};
