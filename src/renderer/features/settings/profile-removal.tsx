import { useEffect, useRef, useState } from 'react';
import { profiles as text, settings } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { priceWords } from '../../components/price-words.ts';
import { usePrice } from '../../commands/use-prices.ts';
import { ActionButton } from './controls.tsx';
import { FailureLine } from './pane-parts.tsx';
import type { Profile } from '../../../protocol/model.ts';
import { changePrice, isFree, type Price, type PricingContext } from '../../../rules/price.ts';
import { useCommands } from '../../commands/commands.ts';
import { useAttempt, type Failure } from './use-attempt.ts';
import styles from './profiles.module.css';

/** Above the profile that is shown: what leaving would cost, then the way back. */
export function RemovalBar({ removal, session }: { removal: Removal; session: string | null }) {
  const { asks, done, failure } = removal;
  return (
    <>
      {asks && <Question removal={removal} asks={asks} session={session} />}
      {done && <Done removal={removal} message={done.message} />}
      {failure && (
        <div className={styles.price}>
          <FailureLine failure={failure} />
        </div>
      )}
    </>
  );
}

/** Takes the keyboard where what was pressed has gone with the profile. */
function Done({ removal, message }: { removal: Removal; message: string }) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A menu hands the keyboard back after it has closed.
    const asked = requestAnimationFrame(() => {
      if (document.activeElement === document.body) bar.current?.focus();
    });
    return () => cancelAnimationFrame(asked);
  }, []);
  return (
    <div className={styles.price} ref={bar} tabIndex={-1}>
      <Icon name="check" />
      <output className="grow">{message}</output>
      <ActionButton busy={removal.busy} onClick={removal.undo}>
        {text.undo}
      </ActionButton>
      <Button kind="quiet" icon="x" label={text.dismiss} onClick={removal.dismiss} />
    </div>
  );
}

interface QuestionProps {
  removal: Removal;
  asks: NonNullable<Removal['asks']>;
  session: string | null;
}

function Question({ removal, asks, session }: QuestionProps) {
  const bar = useRef<HTMLDivElement>(null);
  // What asked it was a menu that has closed.
  useEffect(() => bar.current?.focus(), []);
  const price = usePrice(asks.price, asks.instead?.contextTokens ?? 0);
  const who = session === null ? settings.switch.newSession : settings.switch.named(session);
  const words = asks.replaces
    ? text.toBuiltInAsks(asks.name, who)
    : text.removeAsks(asks.name, asks.instead?.name ?? '', who);
  return (
    <div className={styles.price} role="alertdialog" aria-label={text.remove} ref={bar} tabIndex={-1}>
      <p className="grow">
        {words} <span className="medium">{priceWords(price)}</span>.
      </p>
      <Button onClick={removal.keep}>{asks.replaces ? text.toBuiltInKeep : text.removeKeep}</Button>
      <ActionButton kind="danger" busy={removal.busy} onClick={removal.confirm}>
        {asks.replaces ? text.toBuiltIn : text.removeWhat(asks.name)}
      </ActionButton>
    </div>
  );
}

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

interface Removal {
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
