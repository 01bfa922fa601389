import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import type { Attachment } from '../../../protocol/attachments.ts';
import type { Turn } from '../../../protocol/model.ts';
import { composer as text } from '../../text.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { isComposing } from '../../components/composing.ts';
import { Icon } from '../../components/icon.tsx';
import { useFocusAtEnd } from '../../components/use-focus-at-end.ts';
import { useKeyDown } from '../../components/use-key-down.ts';
import { useCommands } from '../../commands/commands.ts';
import { queuedTurns, runningTurn } from '../../stores/derive.ts';
import { turnThatShows } from '../../stores/session-store.ts';
import { useSession, useUi } from '../../stores/stores.ts';
import styles from './composer.module.css';

/** Messages that wait: for the running turn, for a model, or for the person to send them. */
export function Queue() {
  const { run } = useCommands();
  const state = useSession((session) => session.state);
  const sending = useSession((session) => session.sending);
  const runs = runningTurn(state) !== undefined;
  const queue = queuedTurns(state);
  // Without a turn before it the next one is about to start.
  const next = runs ? queue.filter(({ waitsFor }) => waitsFor === undefined) : [];
  const waiting = queue.filter(({ waitsFor }) => waitsFor === 'model');
  const held = queue.filter(({ waitsFor }) => waitsFor === 'person');
  const onItsWay = state && turnThatShows(state) ? sending : null;
  if (next.length + waiting.length + held.length === 0 && !onItsWay) return null;
  return (
    <ul className={styles.queue} aria-label={text.queued.label}>
      {next.map((turn, place) => (
        <QueuedMessage key={turn.id} turn={turn} isFirst={place === 0} state={text.queued.waits(place)} />
      ))}
      {onItsWay && (
        <li>
          <Icon name="queued" />
          <span className="grow cut">
            <span className="t3">{text.queued.waits(next.length)}</span> {onItsWay.text}
            <FileCount files={onItsWay.attachments} />
          </span>
        </li>
      )}
      {waiting.map((turn, place) => (
        <QueuedMessage key={turn.id} turn={turn} isFirst={place === 0} state={text.queued.noModel} />
      ))}
      {held.map((turn, place) => (
        <QueuedMessage
          key={turn.id}
          turn={turn}
          isFirst={place === 0}
          state={text.queued.unsent}
          why={text.queued.unsentWhy}
        >
          {place === 0 && held.length > 1 && (
            <Button kind="quiet" small onClick={() => void run('turn/resume')}>
              {text.queued.sendAll}
            </Button>
          )}
          <Button small onClick={() => void run('turn/send-queued', { turnId: turn.id })}>
            {text.queued.sendNow}
          </Button>
        </QueuedMessage>
      ))}
    </ul>
  );
}

interface QueuedMessageProps {
  turn: Turn;
  /** Of those that wait for the same: nothing is left to move before. */
  isFirst: boolean;
  state: string;
  why?: string;
  children?: ReactNode;
}

function QueuedMessage({ turn, isFirst, state, why, children }: QueuedMessageProps) {
  const { run } = useCommands();
  const [editing, setEditing] = useState(false);
  if (editing) {
    const done = (): void => {
      setEditing(false);
      // What had the keyboard is gone.
      void run('composer/focus');
    };
    return <QueuedField turn={turn} onDone={done} />;
  }
  return (
    <li>
      <Icon name="queued" />
      <span className="grow cut" title={turn.text}>
        <span className="t3" title={why}>
          {state}
        </span>{' '}
        <bdi>{turn.text}</bdi>
        <FileCount files={turn.attachments} />
      </span>
      {children}
      <Button kind="quiet" small onClick={() => setEditing(true)}>
        {text.queued.edit}
      </Button>
      {!isFirst && (
        <IconButton
          icon="up"
          label={text.queued.up}
          onClick={() => void run('turn/move-up', { turnId: turn.id })}
        />
      )}
      <IconButton
        icon="x"
        label={text.queued.remove}
        onClick={() => void run('turn/withdraw', { turnId: turn.id })}
      />
    </li>
  );
}

/** What goes with a message that waits. */
function FileCount({ files }: { files: Attachment[] | undefined }) {
  if (!files || files.length === 0) return null;
  return (
    <span className="tag" title={files.map(({ name }) => name).join('\n')}>
      {text.queued.files(files.length)}
    </span>
  );
}

/** In its place in the queue: Enter keeps, Escape leaves it as it was. A turn that begins meanwhile takes it away. */
function QueuedField({ turn, onDone }: { turn: Turn; onDone: () => void }) {
  const { run } = useCommands();
  const [words, setWords] = useState(turn.text);
  const field = useFocusAtEnd();
  const hasFiles = (turn.attachments?.length ?? 0) > 0;
  const leave = useKeptWords(turn, words, onDone);
  const keep = async (): Promise<void> => {
    const changed = (words.trim() !== '' || hasFiles) && words.trim() !== turn.text;
    if (!changed || (await run('turn/edit-queued', { turnId: turn.id, text: words.trim() }))) leave();
  };
  useKeyDown(field, (event) => {
    if (isComposing(event)) return;
    if (event.key === 'Escape') leave();
    else if (event.key === 'Enter' && !event.shiftKey) void keep();
    else return;
    // Escape would also stop the turn.
    event.stopPropagation();
    event.preventDefault();
  });
  return (
    <li className={styles.editing}>
      <Icon name="queued" />
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        aria-label={text.queued.field}
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <Button kind="quiet" small onClick={leave}>
        {text.queued.leave}
      </Button>
      <Button small keys={['Enter']} disabled={words.trim() === '' && !hasFiles} onClick={() => void keep()}>
        {text.queued.keep}
      </Button>
    </li>
  );
}

/** Words that were neither kept nor left when the field went go into the message box of their session. */
function useKeptWords(turn: Turn, words: string, onDone: () => void): () => void {
  const { run } = useCommands();
  const openSession = useUi((ui) => ui.openSessionId);
  const [home] = useState(openSession);
  const left = useRef(false);
  const restore = useEffectEvent(() => {
    if (!left.current && words.trim() !== turn.text)
      void run('composer/rescue', { sessionId: home, text: words });
  });
  useEffect(() => () => restore(), []);
  return () => {
    left.current = true;
    onDone();
  };
}
