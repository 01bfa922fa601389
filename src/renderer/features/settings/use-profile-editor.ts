import { useState } from 'react';
import type { Profile, ProfileChanges } from '../../../protocol/model.ts';
import type { SettingsActions } from './actions.ts';
import { changePrice, isFree, type Payer, type Price } from './price.ts';
import { useAttempt, type Failure } from './use-attempt.ts';

export interface ProfileEditor {
  /** The profile with the changes that wait for a yes. */
  shown: Profile;
  /** Changes that cost something wait here until they are applied. */
  waiting: ProfileChanges | null;
  /** What `waiting` costs. */
  price: Price | null;
  failure: Failure | null;
  busy: boolean;
  /** Saved at once when it costs nothing, else it waits with its price. */
  change: (changes: ProfileChanges) => void;
  apply: () => void;
  discard: () => void;
}

/** `payer` is the session that would pay; null when none in sight uses this profile. */
export function useProfileEditor(
  profile: Profile,
  payer: Payer | null,
  actions: SettingsActions,
): ProfileEditor {
  const [waiting, setWaiting] = useState<ProfileChanges | null>(null);
  const { busy, failure, attempt } = useAttempt();
  const priceOf = (changes: ProfileChanges): Price | null =>
    payer && changePrice(payer, profile, withChanges(profile, changes));

  const save = async (changes: ProfileChanges): Promise<void> => {
    const saved = await attempt(() => actions.updateProfile(profile.id, changes));
    // What could not be saved stays on screen, to be corrected or tried again; what was changed meanwhile stays as well.
    setWaiting((now) =>
      saved ? now && realChanges(withChanges(profile, changes), now) : { ...changes, ...now },
    );
  };

  return {
    shown: waiting ? withChanges(profile, waiting) : profile,
    waiting,
    price: waiting && priceOf(waiting),
    failure,
    busy,
    change(changes) {
      const next = realChanges(profile, { ...waiting, ...changes });
      if (!next) {
        setWaiting(null);
        return;
      }
      const price = priceOf(next);
      if (price && !isFree(price)) setWaiting(next);
      else void save(next);
    },
    apply() {
      if (waiting) void save(waiting);
    },
    discard: () => setWaiting(null),
  };
}

export function withChanges(profile: Profile, changes: ProfileChanges): Profile {
  return { ...profile, ...changes } as Profile;
}

/** Without what is as it was; null = nothing is left. */
export function realChanges(profile: Profile, changes: ProfileChanges): ProfileChanges | null {
  const before: Partial<Record<string, unknown>> = profile;
  const real = Object.entries(changes).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]),
  );
  return real.length === 0 ? null : Object.fromEntries(real);
}
