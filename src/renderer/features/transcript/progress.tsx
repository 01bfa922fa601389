import type { LeaseInfo, Turn, TurnPhase } from '../../../protocol/model.ts';
import { bytes, seconds } from '../../formats.ts';
import { plan, transcript as text } from '../../text.ts';
import { ProgressBar } from '../../components/bar.tsx';
import { Icon } from '../../components/icon.tsx';
import { Mark } from '../../components/state-mark.tsx';
import { useElapsed } from '../../components/use-elapsed.ts';
import { loadRatio } from '../../stores/load-progress.ts';
import { isAway, waitWords, type EngineKind } from '../../components/wait-words.ts';
import { useEngine } from '../../stores/stores.ts';
import { useCommands } from '../../commands/commands.ts';
import { Button } from '../../components/button.tsx';
import { PrefillCard } from './prefill.tsx';
import styles from './turn.module.css';
import prefillStyles from './prefill.module.css';
import cardStyles from './card.module.css';
import transcriptStyles from './transcript.module.css';

/** A silence shorter than this between two steps shows nothing, so that lines do not flicker. */
const quietMs = 400;
/** From here on a line becomes a card: the person is waiting now. */
const cardMs = 2500;

/** What a turn does while nothing arrives: waits for the GPU, loads, plans, summarises, reads the prompt, stops. */
export function Progress({ turn, begun }: { turn: Turn; begun: boolean }) {
  const { phase, phaseSince } = turn;
  const elapsed = useElapsed(phaseSince, phaseSince === null ? 1000 : stepFor(begun));
  const engine = useEngine((state) => state.engine?.status.kind);
  const holder = useEngine((state) => state.engine?.lease?.purpose);
  if (phase === null) return null;
  if (begun && elapsed < quietMs && phase !== 'stopping') return null;
  if (phase === 'loading') return <LoadingCard model={turn.model} elapsed={elapsed} />;
  const planning = phase === 'lease' || phase === 'stopping' ? undefined : turn.planning;
  const title = planning ? plan.phases[planning] : waitWords(phase, engine);
  const prefill = phase === 'prefill' ? turn.prefill : undefined;
  if (prefill && elapsed + (prefill.secondsLeft ?? 0) * 1000 >= cardMs) {
    return <PrefillCard title={title} prefill={prefill} elapsedMs={elapsed} />;
  }
  if (elapsed < cardMs || !silentPhases.has(phase)) {
    return (
      <div className={transcriptStyles.line}>
        <Mark icon="running" tone="run" />
        <span>{title}</span>
        <span className="num">{seconds(elapsed)}</span>
      </div>
    );
  }
  return (
    <section className={prefillStyles.prefill} aria-label={title}>
      <div className={prefillStyles.head}>
        <Mark icon="running" tone="run" />
        <span className="strong">{title}</span>
        <span className={prefillStyles.clock}>{seconds(elapsed)}</span>
      </div>
      <p className="t2">{phase === 'lease' ? leaseHelp(engine, holder, turn.ahead) : help(phase)}</p>
    </section>
  );
}

/** Phases in which nothing arrives, however long they last. */
const silentPhases = new Set<TurnPhase>(['lease', 'checking', 'compacting', 'prefill']);

function help(phase: TurnPhase): string {
  return phase === 'compacting' ? text.compactingHelp : text.prefillHelp;
}

function leaseHelp(engine: EngineKind, holder: LeaseInfo['purpose'] | undefined, ahead = 0): string {
  if (!isAway(engine)) {
    if (ahead > 1) return text.leaseAhead(ahead);
    return holder === 'warm' ? text.leaseWarmHelp : text.leaseHelp;
  }
  return engine === 'searching' || engine === 'starting' ? text.engineHelp.coming : text.engineHelp.away;
}

/** The first steps need a finer clock than the seconds that are shown. */
function stepFor(begun: boolean): number {
  return begun ? 200 : 500;
}

/** How far it is: by the growth of memory, else by the last load of the same model; without both only the time. */
function LoadingCard({ model, elapsed }: { model: string | null; elapsed: number }) {
  const { run } = useCommands();
  const loading = useEngine((state) => state.engine?.loading ?? null);
  const size = useEngine((state) => state.engine?.models.find((known) => known.name === model)?.sizeBytes);
  const expected = loading?.expectedMs ?? null;
  const ratio = loadRatio(loading, elapsed);
  const title = model === null ? text.phases.loading : text.phases.loadingModel(model);
  return (
    <section className={prefillStyles.prefill} aria-label={title}>
      <div className={prefillStyles.head}>
        <Icon name="clock" />
        <span className="strong">{title}</span>
        <span className={prefillStyles.clock}>{ratio === null ? seconds(elapsed) : text.about(ratio)}</span>
      </div>
      {(ratio !== null || expected !== null) && <ProgressBar ratio={ratio ?? 1} label={title} />}
      <div className={`${styles.tokens} num`}>
        {size !== undefined && <span>{bytes(size)}</span>}
        {expected !== null && (
          <span>{elapsed > expected ? text.longer(expected) : text.expected(expected)}</span>
        )}
        <span className="grow" />
        {ratio !== null && <span>{text.elapsed(elapsed)}</span>}
      </div>
      {loading && (
        <p className={`t2 ${cardStyles.withAct}`}>
          <span>{text.cancelLoadHelp}</span>
          <Button small onClick={() => void run('model/cancel-load')}>
            {text.cancelLoad}
          </Button>
        </p>
      )}
    </section>
  );
}
