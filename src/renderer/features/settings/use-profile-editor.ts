import { useState } from 'react';
import type { Profile, ProfileChanges } from '../../../protocol/model.ts';
import { changePrice, isFree, type Payer, type Price } from '../../stores/price.ts';
import type { ProfileActions } from './profile-actions.ts';
import { useAttempt, type Failure } from './use-attempt.ts';

/** Changes that are not saved yet, with the profile that was changed. */
export interface Unsaved {
  changes: ProfileChanges;
  from: Profile;
}

/** Where they are kept while another profile is looked at. */
export interface UnsavedPlace {
  unsaved: Unsaved | null;
  keep: (unsaved: Unsaved | null) => void;
}

/** Why something is not saved: it costs something, it was refused, or the file has changed meanwhile. */
export interface Waiting {
  changes: ProfileChanges;
  /** null when no session in sight would pay. */
  price: Price | null;
  failure: Failure | null;
  /** Of what is changed here: what the file says by now. */
  moved: (keyof ProfileChanges)[];
}

export interface ProfileEditor {
  /** The profile as it will be. */
  shown: Profile;
  /** As it is. */
  saved: Profile;
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
  actions: ProfileActions,
  { unsaved, keep }: UnsavedPlace,
): ProfileEditor {
  const [answer, setAnswer] = useState<{ before: Profile; saved: Profile } | null>(null);
  const { busy, failure, attempt } = useAttempt();
  // The answer to a change comes a moment before the news of it; until then it stands in.
  const base = answer?.before === profile ? answer.saved : profile;
  const priceOf = (changes: ProfileChanges): Price | null =>
    payer && changePrice(payer, base, withChanges(base, changes));
  const keepChanges = (changes: ProfileChanges | null): void =>
    keep(changes && { changes, from: unsaved?.from ?? base });

  const save = async (changes: ProfileChanges): Promise<void> => {
    keepChanges(changes);
    await attempt(async () => {
      setAnswer({ before: profile, saved: await actions.updateProfile(profile.id, changes) });
      keep(null);
    });
  };

  const changes = unsaved && realChanges(base, unsaved.changes);
  const price = changes && priceOf(changes);
  const moved = changes && !busy ? movedKeys(unsaved.from, base, changes) : [];
  const asks = failure !== null || moved.length > 0 || (price !== null && !isFree(price));
  return {
    shown: changes ? withChanges(base, changes) : base,
    saved: base,
    waiting: changes && asks ? { changes, price, failure, moved } : null,
    busy,
    change(more) {
      const next = realChanges(base, { ...changes, ...more });
      const cost = next && priceOf(next);
      if (!next || moved.length > 0 || (cost && !isFree(cost))) keepChanges(next);
      else void save(next);
    },
    apply() {
      if (changes) void save(changes);
    },
    discard: () => keep(null),
  };
}

export function withChanges(profile: Profile, changes: ProfileChanges): Profile {
  const { think, ...next } = { ...profile, ...changes };
  // null = back to the model's own, which a profile says by leaving it out.
  return (think === null || think === undefined ? next : { ...next, think }) as Profile;
}

/** Without what is as it was; null = nothing is left. */
export function realChanges(profile: Profile, changes: ProfileChanges): ProfileChanges | null {
  const real = Object.entries(changes).filter(([key, value]) => !same(value, valueOf(profile, key)));
  return real.length === 0 ? null : Object.fromEntries(real);
}

/** What is changed here and says something else in the file since then. */
function movedKeys(from: Profile, now: Profile, changes: ProfileChanges): (keyof ProfileChanges)[] {
  const keys = Object.keys(changes) as (keyof ProfileChanges)[];
  return keys.filter((key) => !same(valueOf(from, key), valueOf(now, key)));
}

const valueOf = (profile: Profile, key: string): unknown =>
  (profile as Partial<Record<string, unknown>>)[key];

const same = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a ?? undefined) === JSON.stringify(b ?? undefined);
