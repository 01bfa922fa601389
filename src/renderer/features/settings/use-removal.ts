import { useState } from 'react';
import type { Profile } from '../../../protocol/model.ts';
import { profiles as text } from '../../text.ts';
import { changePrice, isFree, type PricingContext, type Price } from '../../../rules/price.ts';
import { useCommands } from '../../commands/commands.ts';
import { useAttempt, type Failure } from './requests.ts';

/** A profile that is about to leave, and who would pay for it. */
interface Leaving {
  id: string;
  name: string;
  /** What the sessions go on with. */
  instead: Profile | null;
  /** It takes the place of a built-in one, which is what remains. */
  replaces: boolean;
  /** Sessions of this profile. */
  sessions: number;
}

export interface Removal {
  /** Waits for a yes, because the open session would pay. */
  asks: (Leaving & { price: Price }) | null;
  /** What was done, and can be undone. */
  done: { message: string } | null;
  busy: boolean;
  failure: Failure | null;
  /** At once when it costs nothing. `pricing` is the open session where it uses this profile. */
  begin: (leaving: Leaving, profile: Profile | undefined, pricing: PricingContext | null) => void;
  confirm: () => void;
  keep: () => void;
  undo: () => void;
  dismiss: () => void;
}

/** Deleting a profile, or going back to the built-in one: the same, with an undo that stays while the pane is open. */
export function useRemoval(onShow: (profileId: string | null) => void): Removal {
  const { actions } = useCommands();
  const [asks, setAsks] = useState<Removal['asks']>(null);
  const [done, setDone] = useState<{ restoreId: string; message: string } | null>(null);
  const { busy, failure, attempt } = useAttempt();

  const remove = async (leaving: Leaving): Promise<void> => {
    setAsks(null);
    await attempt(async () => {
      const { restoreId, remaining } = await actions.deleteProfile(leaving.id);
      setDone({ restoreId, message: doneWords(leaving) });
      onShow(remaining?.id ?? null);
    });
  };

  return {
    asks,
    done,
    busy,
    failure,
    begin(leaving, profile, pricing) {
      setDone(null);
      const price = pricing && profile && leaving.instead && changePrice(pricing, profile, leaving.instead);
      if (price && !isFree(price)) setAsks({ ...leaving, price });
      else void remove(leaving);
    },
    confirm() {
      if (asks) void remove(asks);
    },
    keep: () => setAsks(null),
    undo() {
      if (!done) return;
      void attempt(async () => {
        onShow(await actions.restoreProfile(done.restoreId));
        setDone(null);
      });
    },
    dismiss: () => setDone(null),
  };
}

function doneWords({ name, replaces, sessions, instead }: Leaving): string {
  if (replaces) return text.resetDone(name);
  const removed = text.removed(name);
  return sessions > 0 && instead ? `${removed} ${text.removedSessions(sessions, instead.name)}` : removed;
}
