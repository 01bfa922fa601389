import type { EngineState, GpuSample, LoadedModel } from '../../../protocol/model.ts';
import { engine as text, enginePanel, shell } from '../../text.ts';
import { gigabytes, percent, tokenRate } from '../../formats.ts';
import { Icon } from '../../components/icon.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useElapsed } from '../../components/use-elapsed.ts';
import { effectiveModel, loadedModel, runningTurn, shortGpuName } from '../../stores/derive.ts';
import { gpuQueue } from '../../stores/figures.ts';
import { loadRatio } from '../../stores/load-progress.ts';
import { modelState, spilledShare } from '../../stores/model-state.ts';
import { useEngine, useHost, useSession, useUi } from '../../stores/stores.ts';
import { useTarget } from '../../stores/use-target.ts';
import { gpuSight, isKnown, splitVram } from '../../../rules/vram-split.ts';
import { VramBar } from '../../components/vram-parts.tsx';
import styles from './engine-bar.module.css';

/** GPU, model, window: what the machine is doing, in one line. */
export function EngineBar() {
  const engine = useEngine((state) => state.engine);
  const waiting = engine ? gpuQueue(engine).turnsWaiting : 0;
  return (
    <footer className={styles.status} aria-label={shell.engineLabel}>
      {engine ? <Gpu engine={engine} /> : <span>{shell.connecting.engine}</span>}
      <span className="grow" />
      <Links />
      {engine?.status.kind === 'running' && engine.status.exposed === true && (
        <span className="st warn wide">
          <Icon name="alert" />
          {text.exposed}
        </span>
      )}
      {waiting > 0 && <span>{text.waiting(waiting)}</span>}
      <Rate />
      {engine && <Model engine={engine} />}
    </footer>
  );
}

function Gpu({ engine }: { engine: EngineState }) {
  const { gpus, loaded } = engine;
  const first = gpus?.[0];
  const sight = gpuSight(engine);
  if (sight === 'unread') return <GpuName words={text.gpuUnread} />;
  if (sight === 'unreadable') return <GpuName words={text.gpuUnreadable} />;
  if (!gpus || !first) return <NoGpu memory={engine.memory} />;
  const vram = splitVram(gpus, loaded);
  const name = shortGpuName(first.name);
  return (
    <>
      <GpuName named words={gpus.length > 1 ? `${name} ${text.more(gpus.length - 1)}` : name} />
      {isKnown(vram) ? (
        <>
          <VramBar vram={vram} />
          <span>
            <b>{gigabytes(vram.used)}</b> <span className={styles.unit}>{text.of(vram.total)}</span>
          </span>
        </>
      ) : (
        <span>
          {vram.total === null ? text.figuresUnknown : `${text.usedUnknown} ${text.of(vram.total)}`}
        </span>
      )}
      <Throttled gpu={first} />
    </>
  );
}

/** Then the processor and main memory are what a model has. */
function NoGpu({ memory: { totalBytes, usedBytes, cpuLoad } }: Pick<EngineState, 'memory'>) {
  return (
    <>
      <GpuName words={text.gpuNone} />
      {cpuLoad !== null && (
        <span>
          <span className={styles.unit}>{text.cpu}</span> {percent(cpuLoad / 100)}
        </span>
      )}
      {totalBytes !== null && usedBytes !== null && (
        <span className="wide">
          <span className={styles.unit}>{text.memory}</span> <b>{gigabytes(usedBytes)}</b>{' '}
          <span className={styles.unit}>{text.of(totalBytes)}</span>
        </span>
      )}
    </>
  );
}

/** `named`: figures beside it say enough where there is no room for the name. */
function GpuName({ words, named = false }: { words: string; named?: boolean }) {
  return (
    <span className={styles.gpuName} title={words}>
      <Icon name="gpu" />
      <b className={named ? 'wide' : undefined}>{words}</b>
    </span>
  );
}

/** The one figure of the GPU that asks for something; the others are in the engine room. */
function Throttled({ gpu: { throttled } }: { gpu: GpuSample }) {
  if (throttled === undefined || throttled.length === 0) return null;
  return (
    <span className="st warn" title={enginePanel.vram.throttled(throttledBy(throttled))}>
      <Icon name="alert" />
      <span className="wide">{text.throttled}</span>
    </span>
  );
}

function throttledBy(causes: NonNullable<GpuSample['throttled']>): string {
  return causes.map((cause) => enginePanel.vram.causes[cause]).join(', ');
}

/** Shown only while something is not as it should be. */
function Links() {
  const host = useHost((state) => state.connection);
  const engine = useEngine((state) => state.connection);
  return (
    <output className={styles.links}>
      {host === 'lost' && (
        <span className="st warn">
          <Icon name="alert" />
          {text.hostLost}
        </span>
      )}
      {engine === 'lost' && (
        <span className="st warn">
          <Icon name="alert" />
          {text.engineLost}
        </span>
      )}
    </output>
  );
}

/** The model that runs, or that would run with the next message, and where it is; opens the engine room. */
function Model({ engine }: { engine: EngineState }) {
  const { run } = useCommands();
  const open = useUi((ui) => ui.view === 'engine');
  const running = useSession((session) => runningTurn(session.state)?.model);
  const target = useTarget();
  const name = running ?? effectiveModel(target, engine);
  const loaded = loadedModel(engine, name);
  return (
    <button
      type="button"
      className={`st ${styles.engineOpen}`}
      title={enginePanel.open}
      aria-pressed={open}
      onClick={() => void run('view/engine')}
    >
      <ModelWords engine={engine} name={name} />
      {loaded && <CpuSpill model={loaded} engine={engine} />}
    </button>
  );
}

const marks = {
  unknown: 'cold',
  cold: 'cold',
  lent: 'cold',
  elsewhere: 'cold',
  loading: 'clock',
  warm: 'warmth',
  hot: 'hot',
} as const;

function ModelWords({ engine, name }: { engine: EngineState; name: string | null }) {
  const warmth = useSession((session) => session.state?.warmth);
  const elapsed = useElapsed(engine.loading?.since ?? null);
  const hosts = useHost((host) => host.hosts);
  if (name === null) {
    return (
      <>
        <Icon name="cold" />
        {text.noModel}
      </>
    );
  }
  const { status } = engine;
  const state = modelState(engine, name, warmth, hosts);
  const ratio = loadRatio(engine.loading, elapsed);
  return (
    <>
      <Icon name={marks[state]} className={styles.lit} />
      <b className="cut" dir="auto">
        {name}
      </b>
      <span>
        {state === 'loading'
          ? ratio === null
            ? text.loading(elapsed)
            : text.loadingAbout(ratio)
          : // Of a model nothing is known without its engine, whose state is what a person has to know.
            status.kind === 'running' || state === 'elsewhere'
            ? text.states[state]
            : text.without[status.kind]}
      </span>
    </>
  );
}

function CpuSpill({ model, engine }: { model: LoadedModel; engine: EngineState }) {
  const share = spilledShare(model, engine);
  if (share === 0) return null;
  return (
    <span className="tag warn">
      <Icon name="alert" />
      {percent(share)} <span className="wide">{text.onCpu}</span>
    </span>
  );
}

/** How fast it writes, or wrote last while a turn runs. */
function Rate() {
  const usage = useSession((session) => runningTurn(session.state)?.usage.at(-1));
  const rate = usage ? tokenRate(usage.outputTokens, usage.outputMs) : null;
  if (rate === null) return null;
  return (
    <span className={styles.rate} title={text.lastReply}>
      {rate}
    </span>
  );
}
