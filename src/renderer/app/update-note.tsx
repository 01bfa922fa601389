import { shell } from '../text.ts';
import { useCommands } from '../commands/commands.ts';
import { Button, IconButton } from '../components/button.tsx';
import { Mark } from '../components/state-mark.tsx';
import { runningTurn } from '../stores/derive.ts';
import { useSession, useUi } from '../stores/stores.ts';
import styles from './frame.module.css';

const text = shell.updates;

/** Quiet notes: an update that waits for a restart, one that was not installed, and once what the last one brought. */
export function UpdateNote() {
  const { run } = useCommands();
  const news = useUi((ui) => ui.updates);
  const busy = useSession(({ state }) => runningTurn(state) !== undefined);
  if (!news) return null;
  const { state, installedAt, notInstalled, whatsNew } = news;
  const dismiss = <IconButton icon="x" label={shell.dismiss} onClick={() => void run('update/dismiss')} />;
  return (
    <>
      {notInstalled && (
        <div className={styles.toast}>
          <Mark icon="failed" tone="fail" />
          <span className="grow">
            {text.notInstalled(notInstalled.version)}
            <span className="meta block">{notInstalled.message}</span>
          </span>
          {dismiss}
        </div>
      )}
      {state.kind === 'ready' && (
        <div className={styles.toast}>
          <Mark icon="done" tone="done" />
          <span className="grow">
            {text.ready(state.version)}
            <span className="meta block">{text.installedAt[installedAt]}</span>
          </span>
          <Button small disabled={busy} onClick={() => void run('update/restart')}>
            {text.restart}
          </Button>
        </div>
      )}
      {whatsNew && (
        <div className={styles.toast}>
          <span className="grow">
            {text.whatsNew(whatsNew.version)}
            {whatsNew.lines.map((line) => (
              <span key={line} className="meta block">
                {line}
              </span>
            ))}
          </span>
          {dismiss}
        </div>
      )}
    </>
  );
}
