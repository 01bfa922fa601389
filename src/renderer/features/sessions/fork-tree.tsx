import { Dialog } from '@base-ui/react/dialog';
import { useRef } from 'react';
import type { SessionSummary } from '../../../protocol/model.ts';
import { sessions } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { useCommands } from '../../commands/commands.ts';
import { familyOf, type ForkNode } from './fork-family.ts';
import { whenText } from './group-words.ts';
import { SessionTitle } from './session-title.tsx';
import { useToday } from './use-today.ts';
import { Modal } from '../../components/modal.tsx';
import styles from './sessions.module.css';
import dialog from '../../components/dialog.module.css';

const text = sessions.forks;

interface ForkTreeProps {
  /** Any session of the family. */
  sessionId: string;
  sessions: readonly SessionSummary[];
  onClose: () => void;
}

/** Which session was forked from which, wherever they work. */
export function ForkTree({ sessionId, sessions: all, onClose }: ForkTreeProps) {
  const here = useRef<HTMLButtonElement>(null);
  return (
    <Modal className={styles.forkTree} initialFocus={here} onClose={onClose}>
      <div className={dialog.text}>
        <Dialog.Title>{text.title}</Dialog.Title>
        <Branch nodes={[familyOf(all, sessionId)]} sessionId={sessionId} here={here} onClose={onClose} />
      </div>
      <footer>
        <Button onClick={onClose}>{text.close}</Button>
      </footer>
    </Modal>
  );
}

interface BranchProps extends Pick<ForkTreeProps, 'sessionId' | 'onClose'> {
  nodes: readonly ForkNode[];
  here: React.Ref<HTMLButtonElement>;
}

function Branch({ nodes, sessionId, here, onClose }: BranchProps) {
  const { run } = useCommands();
  const today = useToday();
  return (
    <ul>
      {nodes.map(({ id, session, forks }) => (
        <li key={id}>
          {session ? (
            <button
              type="button"
              ref={id === sessionId ? here : undefined}
              className={id === sessionId ? `${styles.fork} ${styles.isOn}` : styles.fork}
              aria-current={id === sessionId || undefined}
              onClick={() => {
                onClose();
                void run('session/open', { sessionId: id });
              }}
            >
              <Icon name={session.forkedFrom === undefined ? 'idle' : 'fork'} />
              <SessionTitle title={session.title} query="" />
              <span className="meta num">{whenText(session, today)}</span>
            </button>
          ) : (
            <p className={`${styles.fork} meta`}>
              <Icon name="idle" />
              {text.gone}
            </p>
          )}
          {forks.length > 0 && <Branch nodes={forks} sessionId={sessionId} here={here} onClose={onClose} />}
        </li>
      ))}
    </ul>
  );
}
