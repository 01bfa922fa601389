import { useEffect, useRef } from 'react';
import { profiles as text, settings } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { priceWords } from '../../components/price-words.ts';
import { usePrice } from '../../commands/use-prices.ts';
import { ActionButton } from './controls.tsx';
import { FailureLine } from './pane-parts.tsx';
import type { Removal } from './use-removal.ts';
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
