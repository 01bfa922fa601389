import type { CatalogueEntry, EngineState } from '../../../protocol/model.ts';
import { library } from '../../text.ts';
import { downloadBytes as sized } from '../../formats.ts';
import { Verdict } from '../../components/verdict.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useLackingRoom } from '../../commands/use-lacking-room.ts';
import { ActionButton } from './controls.tsx';
import { FailureLine } from './pane-parts.tsx';
import { NameForm } from './name-form.tsx';
import { gpuSight } from '../../../rules/vram-split.ts';
import { useAsked, useAttempt } from './use-attempt.ts';
import libraryStyles from './library.module.css';
import settingsStyles from './settings.module.css';

const text = library.catalogue;

/** What could be installed, with whether it fits here; and any other model by its name. */
export function Catalogue({ engine }: { engine: EngineState }) {
  // What is installed and what is free changes the answer.
  const key = `catalogue:${engine.models.map(({ name }) => name).join()}`;
  const { value: entries, failure, again } = useAsked(key, (ask) => ask.catalogue());
  const wanted = entries?.filter(({ installed }) => !installed).map(({ name }) => name) ?? [];
  const lacking = useLackingRoom(wanted, engine);
  return (
    <>
      <h2>{text.title}</h2>
      {failure && <FailureLine failure={{ message: text.failed, advice: failure.message }} onAgain={again} />}
      {!entries && !failure && <p className="t3">{text.asking}</p>}
      {entries && (
        <table className={`grid ${libraryStyles.models} ${libraryStyles.catalogue}`}>
          <thead>
            <tr>
              <th scope="col">{text.columns.model}</th>
              <th scope="col" className="r">
                {text.columns.download}
              </th>
              <th scope="col" className="r">
                {text.columns.madeFor}
              </th>
              <th scope="col">{text.columns.here}</th>
              <th scope="col">
                <span className="sr-only">{text.columns.action}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <EntryRow
                key={entry.name}
                entry={entry}
                engine={engine}
                onlyFree={lacking.get(entry.name) ?? null}
              />
            ))}
          </tbody>
        </table>
      )}
      <ByName />
      {entries && <p className={`meta ${settingsStyles.paneNote}`}>{text.note}</p>}
    </>
  );
}

interface EntryRowProps {
  entry: CatalogueEntry;
  engine: EngineState;
  /** Free on the disk that has no room for it; null = it has, or nobody knows. */
  onlyFree: number | null;
}

function EntryRow({ entry, engine, onlyFree }: EntryRowProps) {
  const { registry } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const { name, forVramGib, downloadBytes } = entry;
  const pull = engine.pulls.find(({ model, phase }) => model === name && phase !== 'done');
  return (
    <>
      <tr>
        <th scope="row">
          <span className={`cut block ${libraryStyles.t1}`}>{name}</span>
          <span className="meta cut block" title={entry.description}>
            {entry.description}
            {entry.source === 'ollama' && `, ${text.byOllama}`}
          </span>
        </th>
        <td className="r">{downloadBytes === null ? text.unknown : sized(downloadBytes)}</td>
        <td className="r">
          {forVramGib === null ? text.unknown : forVramGib === 0 ? text.anyMachine : text.vram(forVramGib)}
        </td>
        <td>
          {onlyFree === null ? (
            <Verdict verdict={entry.verdict} noGpu={gpuSight(engine) === 'none'} />
          ) : (
            <span className="tag fail">{text.noRoom(onlyFree)}</span>
          )}
        </td>
        <td className="r">
          {entry.installed ? (
            <span className="meta">{text.installed}</span>
          ) : pull ? (
            <span className="meta">{library.pull.phases[pull.phase]}</span>
          ) : (
            <ActionButton
              small
              busy={busy}
              refused={onlyFree !== null || entry.verdict === 'too_big'}
              description={library.pull.getLabel(name, downloadBytes)}
              onClick={() => void attempt(() => registry['model/pull'].run({ model: name }))}
            >
              {library.pull.get}
            </ActionButton>
          )}
        </td>
      </tr>
      {failure && (
        <tr>
          <td colSpan={5}>
            <FailureLine failure={failure} />
          </td>
        </tr>
      )}
    </>
  );
}

function ByName() {
  const { registry } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  return (
    <NameForm
      label={text.byName}
      help={text.byNameHelp}
      verb={library.pull.get}
      busy={busy}
      onTake={(model) => attempt(() => registry['model/pull'].run({ model }))}
    >
      {failure && <FailureLine failure={failure} />}
    </NameForm>
  );
}
