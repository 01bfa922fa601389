import { composer as text } from '../../../text/en/composer.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { useCommands } from '../../commands/commands.ts';
import { isBusy, queuedTurns, runningTurn } from '../../stores/derive.ts';
import { useSession } from '../../stores/stores.ts';

/** Messages that wait for the running turn, oldest first. */
export function Queue() {
  const { run } = useCommands();
  const state = useSession((session) => session.state);
  const busy = useSession(isBusy);
  const sending = useSession((session) => (runningTurn(session.state) ? session.sending : null));
  // A lone queued turn is about to start: it is no queue yet.
  const turns = busy && runningTurn(state) ? queuedTurns(state) : [];
  if (turns.length === 0 && !sending) return null;
  return (
    <ul className="queue" aria-label={text.queued.label}>
      {turns.map((turn) => (
        <li key={turn.id}>
          <Icon name="queued" />
          <span className="grow cut" title={turn.text}>
            <span className="t3">{text.queued.next}</span> {turn.text}
          </span>
          <Button kind="quiet" small onClick={() => void run('turn/edit-queued', { turnId: turn.id })}>
            {text.queued.edit}
          </Button>
          <Button
            kind="quiet"
            small
            icon="x"
            label={text.queued.remove}
            onClick={() => void run('turn/withdraw', { turnId: turn.id })}
          />
        </li>
      ))}
      {sending && (
        <li>
          <Icon name="queued" />
          <span className="grow cut">
            <span className="t3">{text.queued.next}</span> {sending.text}
          </span>
        </li>
      )}
    </ul>
  );
}
