import { useMemo, useRef, useState } from 'react';
import type { Profile, ProfileChanges } from '../../../protocol/model.ts';
import { useCommands } from '../../commands/commands.ts';
import { readFlagsDraft, storedFlags } from '../../stores/profile-drafts.ts';
import { useUi } from '../../stores/stores.ts';
import { changePrice, isFree, type PricingContext, type Price } from '../../../rules/price.ts';
import { useAttempt, type Failure } from './use-attempt.ts';

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

/** `pricing` is the session that would pay; null when none in sight uses this profile. */
export function useProfileEditor(profile: Profile, pricing: PricingContext | null): ProfileEditor {
  const { run, actions } = useCommands();
  const stored = useUi(({ drafts }) => storedFlags(drafts, profile.id));
  const unsaved = useMemo(() => readFlagsDraft(stored, profile), [stored, profile]);
  const [answer, setAnswer] = useState<{ before: Profile; saved: Profile } | null>(null);
  const { busy, failure, attempt } = useAttempt();
  /** On its way to the host: what takes it back must follow it there. */
  const sent = useRef<ProfileChanges>({});
  // The answer to a change comes a moment before the news of it; until then it stands in.
  const base = answer?.before === profile ? answer.saved : profile;
  const priceOf = (changes: ProfileChanges): Price | null =>
    pricing && changePrice(pricing, base, withChanges(base, changes));
  const keep = (changes: ProfileChanges | null): void => {
    const draft = changes && { changes, from: { ...partOf(base, changes), ...unsaved?.from } };
    void run('profile/keep-flags', { profileId: profile.id, draft });
  };

  const save = async (changes: ProfileChanges): Promise<void> => {
    keep(changes);
    sent.current = { ...sent.current, ...changes };
    await attempt(async () => {
      setAnswer({ before: profile, saved: await actions.updateProfile(profile.id, changes) });
      // What was changed meanwhile stays.
      void run('profile/flags-saved', { profileId: profile.id, changes });
    });
    const others = Object.entries(sent.current).filter(([key, value]) => !same(value, valueOf(changes, key)));
    sent.current = Object.fromEntries(others);
  };

  const changes = unsaved && realChanges(base, unsaved.changes);
  const price = changes && priceOf(changes);
  const moved = changes && !busy ? movedKeys(unsaved.from, base, changes) : [];
  // What costs nothing waits only for its answer; left over from before, it waits for a yes.
  const asks = !busy || failure !== null || (price !== null && !isFree(price));
  return {
    shown: changes ? withChanges(base, changes) : base,
    saved: base,
    waiting: changes && asks ? { changes, price, failure, moved } : null,
    busy,
    change(more) {
      const next = realChanges(base, { ...changes, ...more }, sent.current);
      const cost = next && priceOf(next);
      if (!next || moved.length > 0 || (cost && !isFree(cost))) keep(next);
      else void save(next);
    },
    apply() {
      if (changes) void save(changes);
    },
    discard: () => keep(null),
  };
}

function withChanges(profile: Profile, changes: ProfileChanges): Profile {
  const { think, ...next } = { ...profile, ...changes };
  // null = back to the model's own, which a profile says by leaving it out.
  return (think === null || think === undefined ? next : { ...next, think }) as Profile;
}

/** Without what is as it was and stays so; null = nothing is left. @param sent what will soon be otherwise */
function realChanges(
  profile: Profile,
  changes: ProfileChanges,
  sent: ProfileChanges = {},
): ProfileChanges | null {
  const real = Object.entries(changes).filter(
    ([key, value]) => Object.hasOwn(sent, key) || !same(value, valueOf(profile, key)),
  );
  return real.length === 0 ? null : Object.fromEntries(real);
}

/** What of a profile is changed. */
const partOf = (profile: Profile, changes: ProfileChanges): ProfileChanges =>
  Object.fromEntries(Object.keys(changes).map((key) => [key, valueOf(profile, key)]));

/** What is changed here and says something else in the file since then. */
function movedKeys(from: ProfileChanges, now: Profile, changes: ProfileChanges): (keyof ProfileChanges)[] {
  const keys = Object.keys(changes) as (keyof ProfileChanges)[];
  return keys.filter((key) => !same(from[key], valueOf(now, key)));
}

const valueOf = (profile: Profile | ProfileChanges, key: string): unknown =>
  (profile as Partial<Record<string, unknown>>)[key];

const same = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a ?? undefined) === JSON.stringify(b ?? undefined);
