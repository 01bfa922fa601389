import { type MouseEvent, useLayoutEffect, useRef, useState } from 'react';
import { composer as text } from '../../text.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { useCommands } from '../../commands/commands.ts';
import { isBusy, runningTurn } from '../../stores/derive.ts';
import { lacksQuery, type DraftFile } from '../../stores/draft-files.ts';
import { useHost, useSession, useUi } from '../../stores/stores.ts';
import { draftKey } from '../../stores/ui-store.ts';
import { useLead } from '../../stores/use-lead.ts';
import { useTarget } from '../../stores/use-target.ts';
import { ApprovalsChip, ProfileChip } from './chips.tsx';
import { ContextRing } from './context-ring.tsx';
import { DraftFiles, useDraftFiles } from './draft-file-list.tsx';
import { DropZone } from './drop-zone.tsx';
import { ImportedFolder } from './imported-folder.tsx';
import { MessageFolder } from './message-folder.tsx';
import { MessageField } from './message-field.tsx';
import { ModelChip } from './model-chip.tsx';
import { PromptDialog } from './prompt-dialog.tsx';
import { Queue } from './queue.tsx';
import styles from './composer.module.css';

/** The message box. Stop and Send are one button in one place. */
export function Composer() {
  const { run } = useCommands();
  const key = useUi((state) => draftKey(state.openSessionId));
  const draft = useUi((state) => state.drafts[key] ?? '');
  const files = useDraftFiles();
  const busy = useSession(isBusy);
  const sending = useSession((session) => session.sending !== null);
  const first = useSession((session) => session.state === null || session.state.turns.length === 0);
  const [pasted, setPasted] = useState('');

  const readiness = readinessOf(draft, files);
  const send = (): void => {
    if (readiness === 'ready' && !sending) void run('turn/send', { text: draft });
  };
  const isAttached = files.some((file) => 'words' in file && file.words === pasted);
  const { workspace } = useTarget();
  const known = useHost((host) => host.defaults !== null);
  const atFirst = known && workspace === null ? text.placeholder.noFolder : text.placeholder.first;
  const placeholder = busy ? text.placeholder.busy : first ? atFirst : text.placeholder.idle;

  return (
    <>
      <DropZone />
      <PromptDialog />
      <div className={styles.comp}>
        <div className={styles.box}>
          <ImportedFolder />
          <MessageFolder onChosen={send} />
          <Queue />
          <div className={styles.field}>
            <DraftFiles />
            <MessageField
              draftKey={key}
              draft={draft}
              placeholder={placeholder}
              onSend={send}
              onLongPaste={setPasted}
            />
            {pasted !== '' && draft.includes(pasted) && !isAttached && (
              <LongPaste
                pasted={pasted}
                onAttach={() => void run('composer/attach-words', { words: pasted })}
                onKeep={() => setPasted('')}
              />
            )}
            <div className={styles.tools}>
              <IconButton icon="clip" label={text.files.attach} onClick={() => void run('composer/attach')} />
              <ProfileChip />
              <ModelChip />
              <ApprovalsChip />
              <span className="grow" />
              {busy && readiness === 'ready' && (
                <Button kind="quiet" small keys={['Enter']} disabled={sending} onClick={send}>
                  {text.queue}
                </Button>
              )}
              <ContextRing />
              <SendOrStop readiness={readiness} onSend={send} />
            </div>
          </div>
        </div>
      </div>
    </>
  );
}

/** What keeps the message from being sent. */
type Readiness = 'ready' | 'empty' | 'no-query' | 'uploading' | 'failed';

function readinessOf(draft: string, files: readonly DraftFile[]): Readiness {
  if (files.some(({ state }) => state === 'failed')) return 'failed';
  if (files.some(({ state }) => state === 'uploading')) return 'uploading';
  if (lacksQuery(draft, files)) return 'no-query';
  return draft.trim() === '' && files.length === 0 ? 'empty' : 'ready';
}

function reasonOf(readiness: Readiness): string | undefined {
  if (readiness === 'uploading') return text.files.waits;
  if (readiness === 'failed') return text.files.failed;
  return readiness === 'no-query' ? text.collections.noQuery : undefined;
}

function SendOrStop({ readiness, onSend }: { readiness: Readiness; onSend: () => void }) {
  const { run } = useCommands();
  const busy = useSession(isBusy);
  const stopping = useSession(
    (session) => session.sending?.stopRequested === true || runningTurn(session.state)?.phase === 'stopping',
  );
  const ready = readiness === 'ready';
  const leads = useLead() === 'message';
  const disabled = !busy && !ready;
  const button = useRef<HTMLButtonElement>(null);
  // A browser takes the keyboard from a button that cannot be pressed, and leaves it nowhere.
  useLayoutEffect(() => {
    if (disabled && document.activeElement === button.current) void run('composer/focus');
  }, [disabled, run]);
  const press = (event: MouseEvent): void => {
    if (busy) return void run('turn/stop');
    // The second click of an impatient Stop is not meant to send what waits in the box.
    if (event.detail > 1) return;
    onSend();
    // Whoever types on at once must not press Stop with a space.
    void run('composer/focus');
  };
  // One element in both roles, so that it keeps its place and its size.
  return (
    <Button
      ref={button}
      kind={busy ? 'ink' : ready && leads ? 'primary' : 'plain'}
      className={styles.send}
      icon={busy ? 'stop' : 'up'}
      keys={busy ? ['Esc'] : undefined}
      disabled={disabled}
      title={busy ? undefined : reasonOf(readiness)}
      onClick={press}
    >
      {busy ? (stopping ? text.stopping : text.stop) : text.send}
    </Button>
  );
}

interface LongPasteProps {
  pasted: string;
  onAttach: () => void;
  onKeep: () => void;
}

/** Text that came at once and is long: it stays what it is until the person makes a file of it. */
function LongPaste({ pasted, onAttach, onKeep }: LongPasteProps) {
  return (
    <output className={styles.besideFiles}>
      <span className="meta num">{text.pasted.told(pasted.length, pasted.split('\n').length)}</span>
      <Button kind="quiet" small icon="clip" onClick={onAttach}>
        {text.pasted.attach}
      </Button>
      <IconButton icon="x" label={text.pasted.keep} onClick={onKeep} />
    </output>
  );
}
