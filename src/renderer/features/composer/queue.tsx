import { useState, type ReactNode } from 'react';
import type { Turn } from '../../../protocol/model.ts';
import { composer as text } from '../../../text/en/composer.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { useElapsed } from '../../components/use-elapsed.ts';
import { useCommands } from '../../commands/commands.ts';
import { isBusy, queuedTurns, runningTurn } from '../../stores/derive.ts';
import { useSession } from '../../stores/stores.ts';

/** Messages that wait for the running turn, oldest first; or that were left when Andiron ended. */
export function Queue() {
  const state = useSession((session) => session.state);
  const busy = useSession(isBusy);
  const sending = useSession((session) => session.sending);
  const turns = queuedTurns(state);
  if (!runningTurn(state)) return busy || turns.length === 0 ? null : <LeftOver turns={turns} />;
  if (turns.length === 0 && !sending) return null;
  return (
    <ul className="queue" aria-label={text.queued.label}>
      {turns.map((turn) => (
        <QueuedMessage key={turn.id} turn={turn} state={text.queued.next} />
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

/** Between two turns nothing runs either: a queue is left over only when that lasts. */
const patienceMs = 800;

function LeftOver({ turns }: { turns: Turn[] }) {
  const { run } = useCommands();
  const [since] = useState(() => Date.now());
  if (useElapsed(since, patienceMs) < patienceMs) return null;
  return (
    <ul className="queue" aria-label={text.queued.label}>
      {turns.map((turn, place) => (
        <QueuedMessage key={turn.id} turn={turn} state={text.queued.unsent} why={text.queued.unsentWhy}>
          {place === 0 && (
            <Button small onClick={() => void run('turn/send-queued')}>
              {text.queued.send}
            </Button>
          )}
        </QueuedMessage>
      ))}
    </ul>
  );
}

interface QueuedMessageProps {
  turn: Turn;
  state: string;
  why?: string;
  children?: ReactNode;
}

function QueuedMessage({ turn, state, why, children }: QueuedMessageProps) {
  const { run } = useCommands();
  return (
    <li>
      <Icon name="queued" />
      <span className="grow cut" title={turn.text}>
        <span className="t3" title={why}>
          {state}
        </span>{' '}
        {turn.text}
      </span>
      {children}
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
  );
}
