import type { EngineState, Lent, LoadedModel, Warmth } from '../../../protocol/model.ts';
import { engine as bar, enginePanel as text } from '../../text.ts';
import { ProgressBar } from '../../components/bar.tsx';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { useElapsed } from '../../components/use-elapsed.ts';
import { priceSentence } from '../../components/price-words.ts';
import { timeOfDay } from '../../components/time-of-day.ts';
import { useCommands } from '../../commands/commands.ts';
import { usePrice } from '../../commands/use-price.ts';
import { loadedModel } from '../../stores/derive.ts';
import { loadRatio } from '../../stores/load-progress.ts';
import { modelState, spilledShare } from '../../stores/model-state.ts';
import { rereadPrice } from '../../stores/price.ts';
import { useSession } from '../../stores/stores.ts';
import { usePayer } from '../../stores/use-payer.ts';
import { useTarget } from '../../stores/use-target.ts';
import { splitVram } from '../../stores/vram.ts';

/** The model that runs, or would: where it is, how warm, and the way to change that. */
export function PanelModel({ engine, model }: { engine: EngineState; model: string | null }) {
  const { run } = useCommands();
  const warmth = useSession((session) => session.state?.warmth);
  const busy = engine.lease !== null;
  const window = useTarget().profile?.contextTokens;
  if (model === null) {
    return (
      <div className="panel-head">
        <h2>{bar.noModel}</h2>
      </div>
    );
  }
  const state = modelState(engine, model, warmth);
  const loaded = loadedModel(engine, model);
  return (
    <div className="panel-head">
      <h2 className="cut">{model}</h2>
      <p className="t2 num">{state === 'hot' ? text.hot(warmth?.tokens ?? null) : text.states[state]}</p>
      {state === 'warm' && <WarmthLine warmth={warmth} />}
      {state === 'loading' && <Loading engine={engine} />}
      {engine.lent && state !== 'loading' && <LentLine lent={engine.lent} />}
      {loaded && <Spill engine={engine} loaded={loaded} />}
      {(loaded || state === 'cold') && engine.status.kind === 'running' && (
        <>
          <div className="acts">
            {state === 'cold' && !engine.lent && (
              <Button
                onClick={() =>
                  void run('model/preload', { model, ...(window !== undefined && { contextTokens: window }) })
                }
              >
                {text.model.load}
              </Button>
            )}
            {loaded && (
              <>
                {/* What is read in advance gives way. */}
                {loaded.vramBytes > 0 && (
                  <Button disabled={engine.lease?.purpose === 'turn'} onClick={() => void run('engine/lend')}>
                    {text.lend.verb}
                  </Button>
                )}
                <Button
                  kind={loaded.vramBytes > 0 ? 'quiet' : 'plain'}
                  disabled={busy}
                  onClick={() => void run('model/unload', { model })}
                >
                  {text.model.eject}
                </Button>
              </>
            )}
          </div>
          {loaded && loaded.vramBytes > 0 && <p className="meta">{text.lend.help(loaded.vramBytes)}</p>}
        </>
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
function LentLine({ lent }: { lent: Lent }) {
  const { run } = useCommands();
  const payer = usePayer();
  const reread = payer.asked ? { ...rereadPrice(payer, lent.model), maybe: false } : null;
  const price = usePrice(
    { load: { model: lent.model, again: true, bytes: null }, reread, unread: false },
    lent.contextTokens,
  );
  return (
    <>
      <p>{text.lend.lent(lent.model, lent.contextTokens, timeOfDay(lent.since))}</p>
      <p className="meta num">
        {text.lend.freed(lent.freedBytes)} {priceSentence(price)}
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
