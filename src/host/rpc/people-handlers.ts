/** People, as the owner's window asks for them. */
import type { Person, peopleMethods } from '../../protocol/people-methods.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import { budgetAt } from '../../rules/budget.ts';
import type { People } from '../people/people.ts';

export interface PeopleHandlerDeps {
  people: Pick<
    People,
    'list' | 'update' | 'resetBudget' | 'link' | 'mayUseTokens' | 'budgetRules' | 'setBudgetRules'
  >;
  now: () => number;
}

type Users = ReturnType<People['list']>;

export function peopleHandlers({ people, now }: PeopleHandlerDeps): Handlers<typeof peopleMethods> {
  // A budget whose 30 days are over is shown as the next message will find it.
  const shown = (user: Users['users'][number], links: Users['links']): Person => ({
    ...user,
    ...budgetAt(user, now()),
    accounts: links.filter(({ userId }) => userId === user.id),
  });
  const shownNow = (user: Users['users'][number]): Person => shown(user, people.list().links);
  return {
    'people/list': () => {
      const { users, links } = people.list();
      return { people: users.map((user) => shown(user, links)) };
    },
    'people/update': ({ userId, ...changes }) => ({ person: shownNow(people.update(userId, changes)) }),
    'people/reset-budget': ({ userId }) => ({ person: shownNow(people.resetBudget(userId)) }),
    'people/link': ({ platform, platformUserId, userId }) => {
      people.link(platform, platformUserId, userId);
      return {};
    },
    'people/budget-rules': () => ({ rules: people.budgetRules() }),
    'people/set-budget-rules': ({ rules }) => {
      people.setBudgetRules(rules);
      return {};
    },
  };
}
