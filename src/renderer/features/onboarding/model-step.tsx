/** The second step: a model that can do the work. Its download goes on while the steps after it are done. */
import type { EngineState, Pull } from '../../../protocol/model.ts';
import { library, onboarding } from '../../text.ts';
import { isOnHost } from '../../../rules/model-names.ts';
import { Bar } from '../../components/bar.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import { timeLeft } from '../../components/download.tsx';
import { PullRow } from '../../components/pull-row.tsx';
import { useCommands } from '../../commands/commands.ts';
import { canCallTools, shortGpuName } from '../../stores/derive.ts';
import { useEngine, useHost } from '../../stores/stores.ts';
import { useTarget } from '../../stores/use-target.ts';
import { gpuSight, splitVram } from '../../../rules/vram-split.ts';
import { isComing, type FirstRunState, type StepName } from './first-run.ts';
import { Get } from './get-model.tsx';
import { ModelChoice } from './model-choice.tsx';
import { NoTools } from './no-tools.tsx';
import { Go, Step } from './pieces.tsx';
import { useBusy } from './use-busy.ts';
import { isRefused, useOffer, type Offer } from './use-offer.ts';
import bars from '../../components/bar.module.css';

const text = onboarding.model;
const noPulls: readonly Pull[] = [];

export function ModelStep({ state, now }: { state: FirstRunState; now: StepName }) {
  const engine = useEngine((current) => current.engine);
  const offers =
    now === 'model' && (state.kind === 'no-model' || (state.kind === 'no-tools' && !hasToolModel(engine)));
  const offer = useOffer(engine, offers);
  const pulls = engine?.pulls ?? noPulls;
  if (now === 'engine') return <Step state="later" title={text.name} />;
  if (state.kind === 'ready') return <Chosen model={state.model} />;
  const coming = pulls.find(isComing);
  if (coming) return <Coming pull={coming} />;
  if (state.kind === 'no-tools') return <NoTools model={state.model} engine={engine} offer={offer} />;
  if (state.kind === 'missing') return <Missing model={state.model} pulls={pulls} />;
  const [left] = pulls;
  if (left) return <LeftPull pull={left} />;
  return (
    <Step state="now" title={text.choose} fact={gpuWords(engine)}>
      <ModelChoice offer={offer} />
      <GoGet offer={offer} />
    </Step>
  );
}

function hasToolModel(engine: EngineState | null): boolean {
  return engine?.models.some((model) => canCallTools(model) === true) ?? false;
}

/** The button that gets the chosen one, with what it costs. */
function GoGet({ offer: { chosen } }: { offer: Offer }) {
  const { run } = useCommands();
  return (
    <Go
      rest={
        <Button kind="quiet" onClick={() => void run('view/settings-of', { section: 'models' })}>
          {text.more}
        </Button>
      }
    >
      {chosen && <Get model={chosen.name} primary refused={isRefused(chosen)} />}
      {chosen?.downloadGB != null && !isRefused(chosen) && (
        <span className="meta num">{onboarding.pace(chosen.downloadGB * 1e9)}</span>
      )}
    </Go>
  );
}

/** On its way: nobody has to wait here. */
function Coming({ pull }: { pull: Pull }) {
  const { run } = useCommands();
  const { model, phase, completedBytes: done, totalBytes: total, bytesPerSecond } = pull;
  const left = phase === 'pulling' ? timeLeft(done, total, bytesPerSecond) : null;
  const words = phase === 'verifying' ? text.verifying(model) : text.progress(model, done, total, left);
  return (
    <Step
      state="busy"
      title={text.name}
      fact={words}
      act={<IconButton icon="x" label={text.pause} onClick={() => void run('model/pull-pause', { model })} />}
      progress={
        <Bar
          total={total ?? 1}
          label={library.pull.label(model)}
          parts={[{ key: 'done', look: bars.fresh, value: total === null ? 0 : done }]}
        />
      }
    />
  );
}

/** It stopped on its way, and somebody has to say how to go on. */
function LeftPull({ pull }: { pull: Pull }) {
  const { run } = useCommands();
  const { busy, during } = useBusy();
  const { model } = pull;
  return (
    <Step state="now" title={pull.phase === 'failed' ? text.failed : text.paused}>
      <PullRow pull={pull} />
      <Go
        rest={
          <Button kind="quiet" onClick={() => void run('model/pull-forget', { model })}>
            {text.another}
          </Button>
        }
      >
        <Button
          kind="primary"
          aria-disabled={busy}
          onClick={() => void during(() => run('model/pull', { model }))}
        >
          {pull.phase === 'failed' ? library.pull.retry : library.pull.resume}
        </Button>
      </Go>
    </Step>
  );
}

function Missing({ model, pulls }: { model: string; pulls: readonly Pull[] }) {
  const { run } = useCommands();
  const left = pulls.find((pull) => pull.model === model);
  if (left) return <LeftPull pull={left} />;
  return (
    <Step state="now" title={text.missing.title(model)}>
      <p>{text.missing.lead}</p>
      <Go rest={<Get model={model} />}>
        <Button kind="primary" onClick={() => void run('session/set-model', { model: null })}>
          {text.missing.auto}
        </Button>
      </Go>
    </Step>
  );
}

/** What it is, with what is known of its calls. Calls in a fixed form were chosen, and are taken back here. */
function Chosen({ model }: { model: string }) {
  const { run } = useCommands();
  const { busy, during } = useBusy();
  const { profile, hosts } = useTarget();
  const info = useEngine(({ engine }) => engine?.models.find(({ name }) => name === model));
  const exam = useHost(({ exams }) => exams?.find(({ digest }) => digest === info?.digest));
  const steered = profile && info && profile.tools.length > 0 && canCallTools(info) === false;
  const calls = exam?.[exam.byItself ?? 'native'];
  const fact = isOnHost(model, hosts)
    ? text.onHost(model)
    : steered
      ? text.constrained(model)
      : calls
        ? text.calls(model, calls.valid, calls.asked)
        : model;
  return (
    <Step
      state="done"
      title={text.name}
      fact={fact}
      act={
        steered && (
          <Button
            small
            kind="quiet"
            aria-disabled={busy}
            aria-description={fact}
            onClick={() => void during(() => run('profile/undo-calls', { profileId: profile.id }))}
          >
            {text.undo}
          </Button>
        )
      }
    />
  );
}

function gpuWords(engine: EngineState | null): string {
  if (!engine?.gpus) return text.gpu.reading;
  const sight = gpuSight(engine);
  if (engine.gpus.length === 0) return sight === 'unreadable' ? text.gpu.unreadable : text.gpu.none;
  const name = gpuNames(engine.gpus.map((gpu) => shortGpuName(gpu.name)));
  const { total, free } = splitVram(engine.gpus, engine.loaded);
  if (total === null) return `${name}, ${text.gpu.unreadable}`;
  return free === null ? text.gpu.total(name, total) : text.gpu.free(name, free);
}

/** "2 × RTX A6000" */
function gpuNames(names: readonly string[]): string {
  return [...new Set(names)]
    .map((name) => {
      const cards = names.filter((other) => other === name).length;
      return cards === 1 ? name : text.gpu.several(cards, name);
    })
    .join(' + ');
}
