/** The third step: where the first task works. */
import { onboarding } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { PathField } from '../../components/path-field.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useTarget } from '../../stores/use-target.ts';
import { Go, Step, type StepState } from './pieces.tsx';
import css from './setup.module.css';
import { useBusy } from './use-busy.ts';

const text = onboarding.folder;

/** @param onChange null = it is not changed here any more. */
export function FolderStep({ state, onChange }: { state: StepState; onChange: (() => void) | null }) {
  const { workspace } = useTarget();
  if (state !== 'now') {
    return (
      <Step
        state={state}
        title={text.name}
        fact={state === 'done' ? (workspace ?? '') : ''}
        act={
          onChange && (
            <Button small kind="quiet" onClick={onChange}>
              {text.change}
            </Button>
          )
        }
      />
    );
  }
  return (
    <Step state="now" title={text.title}>
      <p>{text.lead}</p>
      <Choice />
    </Step>
  );
}

/** The desktop has a folder picker; in a browser the path is typed. */
function Choice() {
  const { run, registry } = useCommands();
  const { busy, during } = useBusy();
  const picks = registry['session/choose-workspace'].enabled();
  const sample = (
    <Button
      kind="quiet"
      aria-disabled={busy}
      onClick={() => void during(() => run('first-run/sample-folder'))}
    >
      {text.sample}
    </Button>
  );
  if (picks) {
    return (
      <Go rest={sample}>
        <Button kind="primary" onClick={() => void run('session/choose-workspace')}>
          {text.choose}
        </Button>
      </Go>
    );
  }
  return (
    <div className={css.folder}>
      <PathField
        path=""
        label={text.pathLabel}
        take={text.takePath}
        primary
        onUse={(workspace) => void run('session/set-workspace', { workspace })}
        onCancel={() => undefined}
      />
      <Go rest={sample}>{null}</Go>
    </div>
  );
}
