import { isOnHost } from '../../../rules/model-names.ts';
import { transcript as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { PathField } from '../../components/path-field.tsx';
import { useCommands } from '../../commands/commands.ts';
import { effectiveModel, loadedModel, shortGpuName } from '../../stores/derive.ts';
import { useEngine } from '../../stores/stores.ts';
import { useAskedField } from '../../stores/use-asked-field.ts';
import { useTarget } from '../../stores/use-target.ts';
import { FolderTrust } from './folder-trust.tsx';
import styles from './first-start.module.css';
import transcriptStyles from './transcript.module.css';

/** A session without a message: what is ready, where it works, and how to begin. */
export function FirstStart() {
  const { run, registry } = useCommands();
  const engine = useEngine((state) => state.engine);
  const [typing, setTyping] = useAskedField('folder');
  const target = useTarget();
  const model = effectiveModel(target, engine);
  const gpu = engine?.gpus?.[0]?.name;
  const isElsewhere = model !== null && isOnHost(model, target.hosts);
  const isReady = model !== null && (isElsewhere || engine?.status.kind === 'running');

  return (
    <div className={transcriptStyles.scroll}>
      <div className={styles.firstStart}>
        <h2>{isReady ? text.first.title : text.first.titleNoModel}</h2>
        {isReady && (
          <p className="t2">
            {isElsewhere
              ? text.first.elsewhere(model)
              : engine?.loading?.model === model
                ? text.first.loading(model)
                : loadedModel(engine, model)
                  ? text.first.loaded(model, gpu === undefined ? null : shortGpuName(gpu))
                  : text.first.cold(model)}
          </p>
        )}
        <div className={styles.taskCard}>
          <div>
            <p className="strong">{text.first.suggestions}</p>
            <ul className={styles.suggest}>
              {text.first.suggest.map((suggestion) => (
                <li key={suggestion}>
                  <button type="button" onClick={() => void run('session/suggest', { text: suggestion })}>
                    <Icon name="right" />
                    <span>{suggestion}</span>
                  </button>
                </li>
              ))}
            </ul>
          </div>
          <div className={styles.folder}>
            <Icon name="folder" />
            {typing ? (
              <PathField
                path={target.workspace ?? ''}
                label={text.first.pathLabel}
                take={text.first.takePath}
                onUse={(workspace) => {
                  setTyping(false);
                  void run('session/set-workspace', { workspace });
                  void run('composer/focus');
                }}
                onCancel={() => setTyping(false)}
              />
            ) : (
              <>
                <span className="mono cut grow" title={target.workspace ?? ''}>
                  {target.workspace ?? text.first.noFolder}
                </span>
                <Button
                  onClick={() => {
                    if (registry['session/choose-workspace'].enabled()) void run('session/choose-workspace');
                    else setTyping(true);
                  }}
                >
                  {text.first.chooseFolder}
                </Button>
              </>
            )}
          </div>
          {target.workspace !== null && <FolderTrust workspace={target.workspace} />}
        </div>
      </div>
    </div>
  );
}
