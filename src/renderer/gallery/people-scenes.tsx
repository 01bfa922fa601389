/** People in the settings: several of every level, one of them open, and before anybody has written. */
import type { Person } from '../../protocol/people-methods.ts';
import { defaultBudgetRules } from '../../rules/budget.ts';
import { settings, type Scene } from './scene.tsx';
import { peoplePane } from '../text.ts';

const day = 24 * 60 * 60 * 1_000;
const person = (now: number, id: string, more: Partial<Person>): Person => ({
  id,
  name: '',
  level: 'guest',
  budget: 5_000,
  used: 0,
  resetAt: now + 14 * day,
  blockedAt: null,
  createdAt: now - 3 * day,
  accounts: [{ platform: 'Telegram', platformUserId: id, name: '' }],
  ...more,
});
const owner = (now: number) =>
  person(now, 'owner', { level: 'owner', budget: null, used: 9_812_400, accounts: [] });
const people = (now: number): Person[] => [
  owner(now),
  person(now, 'user_1', {
    name: 'Ben',
    level: 'user',
    budget: 3_000_000,
    used: 604_118,
    accounts: [
      { platform: 'Telegram', platformUserId: '11', name: 'ben_h' },
      { platform: 'Webhook', platformUserId: 'ci', name: '' },
    ],
  }),
  person(now, 'user_2', { name: 'Mia', level: 'admin', budget: null, used: 2_110_020 }),
  person(now, 'user_3', {
    used: 5_214,
    accounts: [
      {
        platform: 'Telegram',
        platformUserId: '77',
        name: 'A very long name that somebody chose to be seen by everyone',
      },
    ],
  }),
  person(now, 'user_4', { name: 'Leo', blockedAt: now - day, used: 120 }),
];

const pane = (id: string, known: (now: number) => Person[], first?: string): Scene =>
  settings(
    id,
    'people',
    (now) => ({
      hostAnswers: {
        'people/list': () => ({ people: known(now) }),
        'people/budget-rules': () => ({ rules: defaultBudgetRules }),
      },
    }),
    first === undefined ? {} : { press: () => `[aria-label="${peoplePane.show(first)}"]` },
  );

export const peopleScenes: Scene[] = [
  pane('people', people, 'Ben'),
  pane('people-none', (now) => [owner(now)]),
];
