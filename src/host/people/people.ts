/** Who somebody is, by the account of a platform; what they may, and how much they have used (B1-B6, X1-X3). */
import type { Clock, NewId } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { WantedFor } from '../../protocol/model.ts';
import { ownerId, schedulePlatform, windowPlatform, type Level } from '../../protocol/principal.ts';
import { type BudgetRules, budgetAt, budgetMs, hasTokensLeft, overBudgetText } from '../../rules/budget.ts';
import type { User, UserLink } from '../store/people-store.ts';
import type { Store } from '../store/store.ts';

export interface Sender {
  platform: string;
  platformUserId: string;
  /** As the platform shows them; '' = it does not say. */
  name: string;
}

export interface PeopleDeps {
  store: Pick<
    Store,
    | 'getUser'
    | 'userBehind'
    | 'listUsers'
    | 'listUserLinks'
    | 'putUser'
    | 'putUserLink'
    | 'transaction'
    | 'speakerOf'
    | 'placeOf'
    | 'budgetRules'
    | 'setBudgetRules'
  >;
  clock: Pick<Clock, 'now'>;
  newId: NewId;
  onChange: () => void;
  /** They are blocked, or their level is another. */
  onRights: (userId: string) => void;
}

export interface UserChanges {
  name?: string | undefined;
  level?: Level | undefined;
  /** null = without a limit. */
  budget?: number | null | undefined;
  isBlocked?: boolean | undefined;
}

export type People = ReturnType<typeof createPeople>;

export function createPeople({ store, clock, newId, onChange, onRights }: PeopleDeps) {
  const find = (userId: string): User => {
    const user = store.getUser(userId);
    if (user) return user;
    throw new AndironError('not_found', 'This person is not known any more.', 'Look at the list again.');
  };

  const makeGuest = ({ platform, platformUserId, name }: Sender, now: number): User => {
    const user: User = {
      id: newId('user_'),
      name,
      level: 'guest',
      budget: store.budgetRules().guestTokens,
      used: 0,
      resetAt: now + budgetMs,
      blockedAt: null,
      createdAt: now,
    };
    store.putUser(user);
    store.putUserLink({ platform, platformUserId, userId: user.id, name, createdAt: now });
    return user;
  };

  /** Begins the 30 days anew where they are over, and keeps that. */
  const mayUseTokens = (userId: string): boolean => {
    const user = find(userId);
    const now = { ...user, ...budgetAt(user, clock.now()) };
    if (now.resetAt !== user.resetAt) store.putUser(now);
    return hasTokensLeft(now);
  };

  return {
    /** Whom nobody knows becomes a guest; two messages at once are one guest. */
    resolve(sender: Sender): User {
      const known = store.userBehind(sender.platform, sender.platformUserId);
      if (known) return known;
      const user = store.transaction(
        () => store.userBehind(sender.platform, sender.platformUserId) ?? makeGuest(sender, clock.now()),
      );
      onChange();
      return user;
    },
    get: find,
    mayUseTokens,
    /** Of whoever the session belongs to; one that is gone uses nothing any more. */
    assertTokensLeft(sessionId: string): void {
      const userId = store.speakerOf(sessionId);
      if (userId === null || store.getUser(userId) === null || mayUseTokens(userId)) return;
      throw new AndironError(
        'over_budget',
        overBudgetText,
        'Give this person more tokens in the settings, under People, or reset their used tokens.',
      );
    },
    /** Of a turn of that session; whoever is gone waits as a guest does. @param isForProgram nobody wrote its message */
    wantedFor(sessionId: string, isForProgram: boolean): WantedFor {
      const userId = store.speakerOf(sessionId) ?? '';
      const level = store.getUser(userId)?.level ?? 'guest';
      const platform = store.placeOf(sessionId)?.platform;
      const isOfJob = platform === schedulePlatform;
      // Nobody waits for a job.
      if (isOfJob && isForProgram) return { userId, rank: 3 };
      // Whoever waits at the window comes before their own programs.
      const isAtWindow = platform === windowPlatform || isOfJob;
      return { userId, rank: level === 'owner' && isAtWindow ? 0 : level === 'guest' ? 2 : 1 };
    },
    list: (): { users: User[]; links: UserLink[] } => ({
      users: store.listUsers(),
      links: store.listUserLinks(),
    }),
    /** The owner stays one, without a limit: nobody else could undo that. */
    update(userId: string, { name, level, budget, isBlocked }: UserChanges): User {
      const user = find(userId);
      refuseForOwner(userId, { level, budget, isBlocked });
      const isNow = isBlocked ?? user.blockedAt !== null;
      const changed: User = {
        ...user,
        ...(name !== undefined && { name }),
        ...(level !== undefined && { level }),
        ...(budget !== undefined && { budget }),
        blockedAt: isNow ? (user.blockedAt ?? clock.now()) : null,
      };
      store.putUser(changed);
      onChange();
      if (changed.blockedAt !== user.blockedAt || changed.level !== user.level) onRights(userId);
      return changed;
    },
    /** Nothing is used from now on, for 30 days. */
    resetBudget(userId: string): User {
      const user: User = { ...find(userId), used: 0, resetAt: clock.now() + budgetMs };
      store.putUser(user);
      onChange();
      return user;
    },
    budgetRules: (): BudgetRules => store.budgetRules(),
    setBudgetRules(rules: BudgetRules): void {
      store.setBudgetRules(rules);
      onChange();
    },
    /** The account is another person's from now on; what was said before stays where it was said. */
    link(platform: string, platformUserId: string, userId: string): void {
      find(userId);
      const known = store
        .listUserLinks()
        .find((each) => each.platform === platform && each.platformUserId === platformUserId);
      if (!known)
        throw new AndironError('not_found', 'This account is not known.', 'Have them write to Andiron once.');
      store.putUserLink({ ...known, userId });
      onChange();
    },
  };
}

function refuseForOwner(userId: string, { level, budget, isBlocked }: UserChanges): void {
  const isLess = level !== undefined || typeof budget === 'number' || isBlocked === true;
  if (userId === ownerId && isLess)
    throw new AndironError('invalid_params', 'You already have every right here.', 'Choose somebody else.');
  if (level === 'owner')
    throw new AndironError('invalid_params', 'There is one owner.', 'Make them an administrator instead.');
}
