import { useMemo, useState } from 'react';
import type { EngineState, Fit, LoadedModel, ModelInfo } from '../../../protocol/model.ts';
import { defaultContextTokens } from '../../../protocol/profile-limits.ts';
import { library, settings } from '../../text.ts';
import { bytes, count } from '../../formats.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { useElapsed } from '../../components/use-elapsed.ts';
import { Verdict } from '../../components/verdict.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useAnswer } from '../../commands/use-answer.ts';
import type { Questions } from '../../commands/questions.ts';
import { canChat, loadedModel } from '../../stores/derive.ts';
import { loadRatio } from '../../stores/load-progress.ts';
import { spilledShare } from '../../stores/model-state.ts';
import { gpuSight } from '../../../rules/vram-split.ts';
import { useTarget } from '../../stores/use-target.ts';
import { ActionButton } from './controls.tsx';
import { Capabilities } from './capabilities.tsx';
import { FailureLine } from './pane-parts.tsx';
import { useAttempt } from './use-attempt.ts';
import libraryStyles from './library.module.css';
import settingsStyles from './settings.module.css';

const text = settings.models;
/** A server may list more than anybody can look at; each row asks the engine whether its model fits. */
const rowsAtOnce = 200;

interface InstalledModelsProps {
  engine: EngineState;
  onOpen: (model: string) => void;
}

/** Every installed model: what it is, what it can do, whether it fits, where it is now. */
export function InstalledModels({ engine, onOpen }: InstalledModelsProps) {
  const [rows, setRows] = useState(rowsAtOnce);
  const shown = useMemo(() => engine.models.slice(0, rows), [engine.models, rows]);
  const verdicts = useVerdicts(shown);
  return (
    <>
      <table className={`grid ${libraryStyles.models}`}>
        <thead>
          <tr>
            <th scope="col">{text.columns.model}</th>
            <th scope="col" className="r">
              {text.columns.size}
            </th>
            <th scope="col">{text.columns.quantization}</th>
            <th scope="col" className={`r ${settingsStyles.wide}`}>
              {text.columns.window}
            </th>
            <th scope="col">{library.catalogue.columns.here}</th>
            <th scope="col">{text.columns.memory}</th>
            <th scope="col">
              <span className="sr-only">{text.columns.action}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((model) => (
            <ModelRow
              key={model.name}
              model={model}
              engine={engine}
              verdict={verdicts.get(model.name) ?? 'unknown'}
              onOpen={onOpen}
            />
          ))}
        </tbody>
      </table>
      {shown.length < engine.models.length && (
        <div className="acts">
          <span className="meta num">{text.shown(shown.length, engine.models.length)}</span>
          <Button small onClick={() => setRows(rows + rowsAtOnce)}>
            {text.more}
          </Button>
        </div>
      )}
      <p className={`meta ${settingsStyles.paneNote}`}>{text.note}</p>
    </>
  );
}

/** Whether each fits with the window of the profile in use; one that cannot be worked out is unknown. */
function useVerdicts(models: ModelInfo[]): ReadonlyMap<string, Fit['verdict']> {
  const window = useTarget().profile?.contextTokens ?? defaultContextTokens;
  const names = models.filter(canChat).map(({ name }) => name);
  const { value } = useAnswer(`verdicts:${window}:${names.join()}`, ({ fits }) =>
    verdictsOf(fits, names, window),
  );
  return value ?? none;
}

const none: ReadonlyMap<string, Fit['verdict']> = new Map();

async function verdictsOf(
  fits: Questions['fits'],
  names: string[],
  window: number,
): Promise<ReadonlyMap<string, Fit['verdict']>> {
  const answers = await Promise.allSettled(names.map((name) => fits(name, [window])));
  return new Map(
    answers.map((answer, at) => [
      names[at] ?? '',
      answer.status === 'fulfilled' ? (answer.value[0]?.verdict ?? 'unknown') : 'unknown',
    ]),
  );
}

function ModelRow(props: {
  model: ModelInfo;
  engine: EngineState;
  verdict: Fit['verdict'];
  onOpen: (model: string) => void;
}) {
  const { model, engine, verdict, onOpen } = props;
  const { registry } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const loaded = loadedModel(engine, model.name);
  const loading = engine.loading?.model === model.name;
  const { name } = model;
  return (
    <>
      <tr>
        <th scope="row">
          <button
            type="button"
            className={`link cut block ${libraryStyles.t1}`}
            title={library.details.open(name)}
            onClick={() => onOpen(name)}
          >
            {name}
          </button>
          <span className={libraryStyles.tags}>
            <Capabilities model={model} />
          </span>
        </th>
        <td className="r">{bytes(model.sizeBytes)}</td>
        <td>
          {model.quantization || settings.unknown}
          <span className="meta block">{model.parameterSize}</span>
        </td>
        <td className={`r ${settingsStyles.wide}`}>
          {model.trainedContext === null ? settings.unknown : count(model.trainedContext)}
        </td>
        <td>{canChat(model) && <Verdict verdict={verdict} noGpu={gpuSight(engine) === 'none'} />}</td>
        <td>{loading ? <Loading engine={engine} /> : <Memory loaded={loaded} engine={engine} />}</td>
        <td className="r">
          {loaded ? (
            <ActionButton
              small
              busy={busy}
              description={text.unloadLabel(name)}
              onClick={() => void attempt(() => registry['model/unload'].run({ model: name }))}
            >
              {text.unload}
            </ActionButton>
          ) : (
            canChat(model) && (
              <ActionButton
                small
                busy={busy || loading}
                description={text.loadLabel(name, model.sizeBytes)}
                onClick={() => void attempt(() => registry['model/preload'].run({ model: name }))}
              >
                {text.load}
              </ActionButton>
            )
          )}
        </td>
      </tr>
      {failure && (
        <tr>
          <td colSpan={7}>
            <FailureLine failure={failure} />
          </td>
        </tr>
      )}
    </>
  );
}

function Memory({ loaded, engine }: { loaded: LoadedModel | undefined; engine: EngineState }) {
  if (!loaded) return <span className="t3">{text.no}</span>;
  const share = spilledShare(loaded, engine);
  return (
    <>
      <span className="block">{text.vram(loaded.vramBytes)}</span>
      {loaded.contextTokens !== null && (
        <span className="meta block">{text.window(loaded.contextTokens)}</span>
      )}
      {share > 0 && <span className="meta warn block">{text.onCpu(share)}</span>}
      {loaded.asPlanned === false && <span className="meta warn block">{text.otherPlan}</span>}
    </>
  );
}

function Loading({ engine: { loading } }: { engine: EngineState }) {
  const elapsed = useElapsed(loading?.since ?? null);
  const ratio = loadRatio(loading, elapsed);
  return (
    <span className="st">
      <Icon name="clock" />
      {ratio === null ? text.loading(elapsed) : text.loadingAbout(ratio)}
    </span>
  );
}
