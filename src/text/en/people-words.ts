import { count, plural } from './figures.ts';

/** The people who write to this Andiron, in the settings. */
export const peoplePane = {
  rows: {
    you: { label: 'You', help: '' },
    others: {
      label: 'Other people',
      help: 'Everyone has their own sessions, memory and folder. You see all sessions.',
    },
    budgets: { label: 'Budgets', help: 'They apply from the next request.' },
  },
  guestTokens: 'Tokens of a new guest',
  guestTokensHelp: 'In 30 days. Leave it empty for no limit. Guests who are here keep theirs.',
  cacheFree: 'Cached tokens are free',
  cacheFreeHelp: 'Only what the model has to read or write counts.',
  owner: 'Owner',
  you: 'you',
  computer: 'This computer',
  noLimit: (used: number): string => `${count(used)} tokens, no limit`,
  used: (used: number, budget: number): string => `${count(used)} of ${count(budget)} tokens`,
  resets: (day: string): string => `Resets ${day}`,
  none: 'Nobody else has written yet',
  noneHelp: (budget: number | null): string =>
    budget === null
      ? 'New senders become guests without a token limit. They get no files and no commands.'
      : `New senders become guests with ${count(budget)} tokens in 30 days. They get no files and no commands.`,
  levels: { guest: 'Guest', user: 'User', admin: 'Administrator', owner: 'Owner' },
  mayDo: {
    guest: 'May ask, and use a to-do list, notes and their own memory.',
    user: 'May also read files in their own folder.',
    admin: 'May also write files in their own folder, and add to their memory.',
    owner: '',
  },
  accounts: (accounts: readonly { platform: string; name: string }[]): string =>
    accounts.map(({ platform, name }) => (name === '' ? platform : `${name} on ${platform}`)).join(', '),
  noAccount: 'No account',
  blocked: 'Blocked',
  show: (name: string): string => `Settings of ${name}`,
  name: 'Name',
  nameHelp: 'Only you see it.',
  level: 'Level',
  budget: 'Tokens in 30 days',
  budgetHelp: 'Leave it empty for no limit.',
  tokens: 'tokens',
  wrongBudget: 'Write a whole number, such as 5000, or nothing.',
  usedTokens: 'Used tokens',
  reset: 'Reset',
  resetHelp: 'All tokens are free again, for 30 days from now.',
  access: 'Access',
  block: 'Block',
  unblock: 'Unblock',
  blockHelp: 'A blocked person gets one line as an answer. Their sessions stay.',
  count: (people: number): string => plural(people, 'person', 'people'),
  asking: 'Loading…',
  failed: 'The people could not be read.',
};
