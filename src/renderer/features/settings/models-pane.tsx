import type { EngineState, LoadedModel, ModelInfo } from '../../../protocol/model.ts';
import { settings } from '../../../text/en/settings.ts';
import { bytes, count } from '../../../text/format.ts';
import { Icon } from '../../components/icon.tsx';
import { useElapsed } from '../../components/use-elapsed.ts';
import { useCommands } from '../../commands/commands.ts';
import { canChat, loadedModel } from '../../stores/derive.ts';
import { useEngine } from '../../stores/stores.ts';
import { ActionButton } from './action-button.tsx';
import { FailureLine } from './failure-line.tsx';
import { useAttempt } from './use-attempt.ts';

const text = settings.models;

/** Every installed model: what it is, what it can do, where it is now. */
export function ModelsPane() {
  const engine = useEngine((state) => state.engine);
  if (!engine) return <p className="empty-pane t2">{settings.engineNotYet}</p>;
  if (engine.status.kind !== 'running') return <p className="empty-pane t2">{text.notRunning}</p>;
  return (
    <div className="pane">
      <h2>{text.title}</h2>
      {engine.models.length === 0 ? (
        <p className="t2">{text.none}</p>
      ) : (
        <>
          <table className="grid models">
            <thead>
              <tr>
                <th scope="col">{text.columns.model}</th>
                <th scope="col" className="r">
                  {text.columns.size}
                </th>
                <th scope="col">{text.columns.quantization}</th>
                <th scope="col" className="r wide">
                  {text.columns.window}
                </th>
                <th scope="col">{text.columns.memory}</th>
                <th scope="col">
                  <span className="sr-only">{text.columns.action}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {engine.models.map((model) => (
                <ModelRow key={model.name} model={model} engine={engine} />
              ))}
            </tbody>
          </table>
          <p className="meta pane-note">{text.note}</p>
        </>
      )}
    </div>
  );
}

function ModelRow({ model, engine }: { model: ModelInfo; engine: EngineState }) {
  const { registry } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const loaded = loadedModel(engine, model.name);
  const loading = engine.loading?.model === model.name;
  const { name } = model;
  return (
    <>
      <tr>
        <th scope="row">
          <span className="cut block t1">{name}</span>
          <span className="tags">
            <Capabilities model={model} />
          </span>
        </th>
        <td className="r">{bytes(model.sizeBytes)}</td>
        <td>
          {model.quantization || settings.unknown}
          <span className="meta block">{model.parameterSize}</span>
        </td>
        <td className="r wide">
          {model.trainedContext === null ? settings.unknown : count(model.trainedContext)}
        </td>
        <td>{loading ? <Loading engine={engine} /> : <Memory loaded={loaded} />}</td>
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
          <td colSpan={6}>
            <FailureLine failure={failure} />
          </td>
        </tr>
      )}
    </>
  );
}

const capabilityNames: Partial<Record<string, string>> = text.capabilities;

function Capabilities({ model: { capabilities } }: { model: ModelInfo }) {
  if (capabilities === null) return <span className="meta">{text.capabilitiesUnknown}</span>;
  // That it can chat is said by its being here; that it has no tools is what matters to an agent.
  const shown = capabilities.filter((name) => name !== 'completion');
  return (
    <>
      {shown.map((name) => (
        <span className="tag" key={name}>
          {Object.hasOwn(capabilityNames, name) ? capabilityNames[name] : name}
        </span>
      ))}
      {capabilities.includes('completion') && !capabilities.includes('tools') && (
        <span className="tag warn">{text.noTools}</span>
      )}
    </>
  );
}

function Memory({ loaded }: { loaded: LoadedModel | undefined }) {
  if (!loaded) return <span className="t3">{text.no}</span>;
  const { sizeBytes, vramBytes, contextTokens, asPlanned } = loaded;
  const spilled = sizeBytes > 0 && vramBytes < sizeBytes;
  return (
    <>
      <span className="block">{text.vram(vramBytes)}</span>
      {contextTokens !== null && <span className="meta block">{text.window(contextTokens)}</span>}
      {spilled && <span className="meta warn block">{text.onCpu(1 - vramBytes / sizeBytes)}</span>}
      {asPlanned === false && <span className="meta warn block">{text.otherPlan}</span>}
    </>
  );
}

function Loading({ engine: { loading } }: { engine: EngineState }) {
  const elapsed = useElapsed(loading?.since ?? null);
  const expected = loading?.expectedMs ?? null;
  const ratio = expected === null || expected <= 0 ? null : elapsed / expected;
  return (
    <span className="st">
      <Icon name="clock" />
      {ratio === null || ratio >= 1 ? text.loading(elapsed) : text.loadingAbout(ratio)}
    </span>
  );
}
