import { useEffect, useId, useRef, useState } from 'react';
import type { ContextUsage, LoadedModel, Profile } from '../../../protocol/model.ts';
import { enginePanel as text } from '../../text.ts';
import { count, percent } from '../../formats.ts';
import { Bar } from '../../components/bar.tsx';
import { Button } from '../../components/button.tsx';
import { priceWords } from '../../components/price-words.ts';
import { useCommands } from '../../commands/commands.ts';
import { usePrice } from '../../commands/use-prices.ts';
import { loadedModel, runningTurn } from '../../stores/derive.ts';
import { splitContext } from '../../stores/figures.ts';
import { rereadPrice } from '../../../rules/price.ts';
import { useEngine, useSession } from '../../stores/stores.ts';
import { usePricing } from '../../stores/use-pricing.ts';
import { useTarget } from '../../stores/use-target.ts';
import { Part } from './part.tsx';
import styles from './panels.module.css';
import bars from '../../components/bar.module.css';

const words = text.window;
/** From here on it is worth saying what makes room. */
const crowded = 0.6;

/** Planned, loaded and used window in one place; where it fills, what makes room and what that costs. */
export function PanelWindow({ model }: { model: string | null }) {
  const context = useSession((session) => session.state?.context ?? null);
  const engine = useEngine((state) => state.engine);
  const { profile } = useTarget();
  const loaded = loadedModel(engine, model);
  const planned = loaded?.plannedTokens ?? profile?.contextTokens ?? context?.windowTokens ?? null;
  const ratio = context ? splitContext(context).ratio : null;
  return (
    <Part title={words.title} meta={context && usedWords(context, profile)}>
      {context ? <UsedBar context={context} profile={profile} /> : <p className="t3">{words.none}</p>}
      <dl className={`${styles.figures} ${styles.ofWindow} num`}>
        <div>
          <dt>{words.planned}</dt>
          <dd>{planned === null ? words.unknown : count(planned)}</dd>
        </div>
        <div>
          <dt>{words.loaded}</dt>
          <dd className={loaded?.asPlanned === false ? 'warn' : undefined}>{loadedWords(loaded)}</dd>
        </div>
        {context && (
          <div>
            <dt>{words.used}</dt>
            <dd>{usedTokens(context)}</dd>
          </div>
        )}
      </dl>
      {context && ratio !== null && ratio >= crowded && profile && model !== null && (
        <MakeRoom context={context} profile={profile} model={model} />
      )}
    </Part>
  );
}

function usedTokens(context: ContextUsage): string {
  const { used } = splitContext(context);
  return context.estimated ? words.about(used) : count(used);
}

/** How full it is, and where the mark in the bar stands. */
function usedWords(context: ContextUsage, profile: Profile | undefined): string {
  const { ratio, window } = splitContext(context);
  const share = percent(ratio);
  const at = profile && profile.compactAt > 0 ? Math.round(profile.compactAt * window) : null;
  return at === null ? share : `${share}, ${words.compacts(at)}`;
}

function UsedBar({ context, profile }: { context: ContextUsage; profile: Profile | undefined }) {
  const { used, window } = splitContext(context);
  const mark = profile && profile.compactAt > 0 && profile.compactAt < 1 ? profile.compactAt : null;
  return (
    <div className={styles.windowBar}>
      <Bar
        tall
        total={window}
        label={words.label(used, window)}
        parts={[{ key: 'used', look: bars.fresh, value: used }]}
      />
      {mark !== null && <span className={styles.mark} style={{ left: `${mark * 100}%` }} />}
    </div>
  );
}

function loadedWords(loaded: LoadedModel | undefined): string {
  if (!loaded) return words.notLoaded;
  const { contextTokens, asPlanned } = loaded;
  if (contextTokens === null) return words.unknown;
  if (asPlanned === null) return words.unplanned(contextTokens);
  return asPlanned ? words.asPlanned(contextTokens) : words.other(contextTokens);
}

interface RoomProps {
  context: ContextUsage;
  profile: Profile;
  model: string;
}

/** Folded: what is known of the engine has the room until somebody asks for more of the window. */
function MakeRoom(props: RoomProps) {
  const [open, setOpen] = useState(false);
  const ways = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    const list = ways.current;
    if (!open || !list) return;
    // A price that comes later makes it longer.
    const observer = new ResizeObserver(() => list.scrollIntoView({ block: 'nearest' }));
    observer.observe(list);
    return () => observer.disconnect();
  }, [open]);
  return (
    <>
      <Button
        kind="quiet"
        small
        className={styles.makeRoom}
        icon={open ? 'down' : 'right'}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <span>{words.room}</span>
      </Button>
      {open && (
        <div className={styles.wayList} id={id} ref={ways}>
          <Ways {...props} />
        </div>
      )}
    </>
  );
}

/** Each with its price, none of them taken by itself. */
function Ways({ context, profile, model }: RoomProps) {
  const { run } = useCommands();
  const sessionId = useSession((session) => session.sessionId);
  const busy = useSession((session) => runningTurn(session.state) !== undefined);
  const pricing = usePricing();
  const reread = { ...rereadPrice(pricing, model), maybe: false };
  return (
    <>
      <Way
        verb={words.compact}
        price={words.compactPrice(Math.round(Math.min(context.usedTokens, context.windowTokens / 3)))}
        busy={busy}
        onTake={() => sessionId !== null && void run('session/compact', { sessionId })}
      />
      <LargerWindow profile={profile} model={model} reread={reread} />
      <Way
        verb={words.fewerTools}
        price={priceWords({ load: null, reread, unread: false })}
        onTake={() => void run('view/settings-of', { section: 'profiles' })}
      />
      {busy && <p className="meta">{words.busy}</p>}
    </>
  );
}

function LargerWindow(
  props: Omit<RoomProps, 'context'> & {
    reread: { tokens: number | null; ms: number | null; maybe: boolean };
  },
) {
  const { profile, model, reread } = props;
  const { run } = useCommands();
  const trained = useEngine(
    ({ engine }) => engine?.models.find(({ name }) => name === model)?.trainedContext ?? null,
  );
  const next = Math.min(profile.contextTokens * 2, trained ?? Infinity);
  const price = usePrice({ load: { model, again: true, bytes: null }, reread, unread: false }, next);
  if (next <= profile.contextTokens) return null;
  return (
    <Way
      verb={words.larger(next)}
      price={priceWords(price)}
      onTake={() => void run('profile/set-window', { profileId: profile.id, contextTokens: next })}
    />
  );
}

function Way(props: { verb: string; price: string; busy?: boolean; onTake: () => void }) {
  return (
    <div className={styles.way}>
      <Button small disabled={props.busy ?? false} onClick={props.onTake}>
        {props.verb}
      </Button>
      <span className="meta num">{props.price}</span>
    </div>
  );
}
