import { firstTask as text } from '../../text.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { useCommands } from '../../commands/commands.ts';
import { isBusy } from '../../stores/derive.ts';
import { useSession, useUi } from '../../stores/stores.ts';
import { useLead } from '../../stores/use-lead.ts';
import { taskHint } from './first-task.ts';

/** One line above the message box while the first task runs, and the way to one's own folder when it is over. */
export function FirstTaskHint() {
  const task = useUi((ui) => ui.firstRun.task);
  const isOpen = useSession(({ sessionId }) => sessionId !== null && sessionId === task);
  return isOpen ? <Hint /> : null;
}

function Hint() {
  const { run } = useCommands();
  const hint = useSession(({ state }) => taskHint(state));
  const busy = useSession(isBusy);
  const leads = useLead() === 'conversation';
  const stopSeen = useSession(
    ({ state }) => state?.turns.some(({ status }) => status === 'stopped') ?? false,
  );
  const over = !busy && (hint === 'stopped' || hint === 'finished' || hint === 'failed');
  return (
    <section className="comp engine-notice" aria-label={text.label}>
      <div className={hint === null ? undefined : 'notice fr-hint'}>
        {hint !== null && <Icon name="info" />}
        {/* The words alone: buttons that come and go are no news. */}
        <output className="grow">{hint !== null && text.hints[hint]}</output>
        {hint !== null && (
          <>
            {over && !stopSeen && (
              <Button
                small
                kind="quiet"
                onClick={() => void run('first-run/try-stop', { text: text.longMessage })}
              >
                {text.tryStop}
              </Button>
            )}
            {over && (
              // Where the turn was stopped or failed, the card above has the next step.
              <Button
                small
                kind={hint === 'finished' && leads ? 'primary' : 'plain'}
                onClick={() => void run('first-run/own-folder')}
              >
                {text.own}
              </Button>
            )}
            <IconButton icon="x" label={text.hide} onClick={() => void run('first-run/hide-hints')} />
          </>
        )}
      </div>
    </section>
  );
}
