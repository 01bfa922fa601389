import { useState } from 'react';
import type { Profile, ProfileChanges } from '../../../protocol/model.ts';
import type { SettingsActions } from './actions.ts';
import { changePrice, isFree, type Payer, type Price } from '../../stores/price.ts';
import { useAttempt, type Failure } from './use-attempt.ts';

/** Changes that are not saved yet, because they cost something or because they were refused. */
export interface Waiting {
  changes: ProfileChanges;
  /** null when no session in sight would pay. */
  price: Price | null;
  failure: Failure | null;
}

export interface ProfileEditor {
  /** The profile as it will be. */
  shown: Profile;
  /** null = nothing needs a yes. */
  waiting: Waiting | null;
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
  const [unsaved, setUnsaved] = useState<ProfileChanges | null>(null);
  const [answer, setAnswer] = useState<{ before: Profile; saved: Profile } | null>(null);
  const { busy, failure, attempt } = useAttempt();
  // The answer to a change comes a moment before the news of it; until then it stands in.
  const base = answer?.before === profile ? answer.saved : profile;
  const priceOf = (changes: ProfileChanges): Price | null =>
    payer && changePrice(payer, base, withChanges(base, changes));

  const save = async (changes: ProfileChanges): Promise<void> => {
    setUnsaved(changes);
    await attempt(async () => {
      const saved = await actions.updateProfile(profile.id, changes);
      setAnswer({ before: profile, saved });
      // What was changed meanwhile stays.
      setUnsaved((now) => now && realChanges(withChanges(saved, changes), now));
    });
  };

  const price = unsaved && priceOf(unsaved);
  const asks = failure !== null || (price !== null && !isFree(price));
  return {
    shown: unsaved ? withChanges(base, unsaved) : base,
    waiting: unsaved && asks ? { changes: unsaved, price, failure } : null,
    busy,
    change(changes) {
      const next = realChanges(base, { ...unsaved, ...changes });
      const cost = next && priceOf(next);
      if (!next || (cost && !isFree(cost))) setUnsaved(next);
      else void save(next);
    },
    apply() {
      if (unsaved) void save(unsaved);
    },
    discard: () => setUnsaved(null),
  };
}

export function withChanges(profile: Profile, changes: ProfileChanges): Profile {
  const { think, ...next } = { ...profile, ...changes };
  // null = back to the model's own, which a profile says by leaving it out.
  return (think === null || think === undefined ? next : { ...next, think }) as Profile;
}

/** Without what is as it was; null = nothing is left. */
export function realChanges(profile: Profile, changes: ProfileChanges): ProfileChanges | null {
  const before: Partial<Record<string, unknown>> = profile;
  const real = Object.entries(changes).filter(
    ([key, value]) => JSON.stringify(value ?? undefined) !== JSON.stringify(before[key]),
  );
  return real.length === 0 ? null : Object.fromEntries(real);
}
