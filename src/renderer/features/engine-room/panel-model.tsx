import type { EngineState, Lent, LoadedModel, Warmth } from '../../../protocol/model.ts';
import { engine as bar, enginePanel as text } from '../../text.ts';
import { ProgressBar } from '../../components/bar.tsx';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { useElapsed } from '../../components/use-elapsed.ts';
import { priceSentence } from '../../components/price-words.ts';
import { timeOfDay } from '../../components/time-of-day.ts';
import { useCommands } from '../../commands/commands.ts';
import { usePrice } from '../../commands/use-prices.ts';
import { loadedModel } from '../../stores/derive.ts';
import { loadRatio } from '../../stores/load-progress.ts';
import { modelState, spilledShare, type ModelState } from '../../stores/model-state.ts';
import { rereadPrice } from '../../../rules/price.ts';
import { useHost, useSession } from '../../stores/stores.ts';
import { usePricing } from '../../stores/use-pricing.ts';
import { useTarget } from '../../stores/use-target.ts';
import { splitVram } from '../../../rules/vram-split.ts';
import styles from './panels.module.css';

/** The model that runs, or would: where it is, how warm, and the way to change that. */
export function PanelModel({ engine, model }: { engine: EngineState; model: string | null }) {
  const warmth = useSession((session) => session.state?.warmth);
  const hosts = useHost((host) => host.hosts);
  if (model === null) {
    return (
      <div className={styles.panelHead}>
        <h2>{bar.noModel}</h2>
      </div>
    );
  }
  const state = modelState(engine, model, warmth, hosts);
  const loaded = loadedModel(engine, model);
  return (
    <div className={styles.panelHead}>
      <div className={styles.panelTitle}>
        <h2 className="cut" title={model}>
          {model}
        </h2>
        {engine.status.kind === 'running' && <Acts engine={engine} model={model} cold={state === 'cold'} />}
      </div>
      <p className="t2 num">{stateWords(engine, state, warmth)}</p>
      {state === 'warm' && <WarmthLine warmth={warmth} />}
      {loaded && canLend(loaded) && engine.status.kind === 'running' && (
        <p className="meta num">{text.lend.help(loaded.vramBytes)}</p>
      )}
      {state === 'loading' && <Loading engine={engine} />}
      {engine.lent && state !== 'loading' && <ReleasedLine released={engine.lent} />}
      {loaded && <Spill engine={engine} loaded={loaded} />}
    </div>
  );
}

function stateWords({ status }: EngineState, state: ModelState, warmth: Warmth | undefined): string {
  if (status.kind !== 'running' && state === 'unknown') return bar.without[status.kind];
  return state === 'hot' ? text.hot(warmth?.tokens ?? null) : text.states[state];
}

/** A model in main memory has no VRAM to give. */
const canLend = ({ vramBytes }: LoadedModel): boolean => vramBytes > 0;

function Acts({ engine, model, cold }: { engine: EngineState; model: string; cold: boolean }) {
  const { run } = useCommands();
  const window = useTarget().profile?.contextTokens;
  const loaded = loadedModel(engine, model);
  const lends = loaded !== undefined && canLend(loaded);
  return (
    <div className="acts">
      {cold && !engine.lent && (
        <Button
          small
          onClick={() =>
            void run('model/preload', { model, ...(window !== undefined && { contextTokens: window }) })
          }
        >
          {text.model.load}
        </Button>
      )}
      {lends && (
        // What is read in advance gives way.
        <Button small disabled={engine.lease?.purpose === 'turn'} onClick={() => void run('engine/lend')}>
          {text.lend.verb}
        </Button>
      )}
      {loaded && (
        <Button
          small
          kind={lends ? 'quiet' : 'plain'}
          disabled={engine.lease !== null}
          onClick={() => void run('model/unload', { model })}
        >
          {text.model.eject}
        </Button>
      )}
    </div>
  );
}

function WarmthLine({ warmth }: { warmth: Warmth | undefined }) {
  if (!warmth || warmth.state === 'hot') return null;
  return <p className="meta">{text.warmth[warmth.state]}</p>;
}

function Loading({ engine: { loading } }: { engine: EngineState }) {
  const { run } = useCommands();
  const elapsed = useElapsed(loading?.since ?? null);
  const ratio = loadRatio(loading, elapsed);
  return (
    <>
      <ProgressBar ratio={ratio ?? 1} label={text.states.loading} />
      <div className="acts">
        <span className="meta num grow">
          {ratio === null ? text.model.elapsed(elapsed) : text.model.about(ratio)}
        </span>
        <Button small onClick={() => void run('model/cancel-load')}>
          {text.model.cancelLoad}
        </Button>
      </div>
    </>
  );
}

/** What was here and comes back, with its price: the load, and the open session's prompt that is read again. */
function ReleasedLine({ released }: { released: Lent }) {
  const { run } = useCommands();
  const pricing = usePricing();
  const reread = pricing.asked ? { ...rereadPrice(pricing, released.model), maybe: false } : null;
  const price = usePrice(
    { load: { model: released.model, again: true, bytes: null }, reread, unread: false },
    released.contextTokens,
  );
  return (
    <>
      <p>{text.lend.lent(released.model, released.contextTokens, timeOfDay(released.since))}</p>
      <p className="meta num">
        {text.lend.freed(released.freedBytes)} {priceSentence(price)}
      </p>
      <div className="acts">
        <Button onClick={() => void run('engine/take-back')}>{text.lend.back}</Button>
      </div>
    </>
  );
}

/** Part of the model is not on the GPU: the dearest thing that can happen without an error. */
function Spill({ engine, loaded }: { engine: EngineState; loaded: LoadedModel }) {
  const share = spilledShare(loaded, engine);
  if (share === 0) return null;
  const { other } = splitVram(engine.gpus ?? [], engine.loaded);
  return (
    <div className="banner warn">
      <Icon name="alert" />
      <h3>{text.spill.title(loaded.name, share)}</h3>
      <p className="t2">
        {other > 0 && `${text.spill.others(other)} `}
        {text.spill.help}
      </p>
    </div>
  );
}
