import { useEffect, useRef, type KeyboardEvent } from 'react';
import { composer as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { useCommands } from '../../commands/commands.ts';
import { isBusy, runningTurn } from '../../stores/derive.ts';
import { useSession, useStores, useUi } from '../../stores/stores.ts';
import { draftKey, setDraft } from '../../stores/ui-store.ts';
import { ApprovalsChip, ModelChip, ProfileChip } from './chips.tsx';
import { Queue } from './queue.tsx';

/** The message box. Stop and Send are one button in one place. */
export function Composer() {
  const { run } = useCommands();
  const { ui } = useStores();
  const key = useUi((state) => draftKey(state.openSessionId));
  const draft = useUi((state) => state.drafts[key] ?? '');
  const busy = useSession(isBusy);
  const sending = useSession((session) => session.sending !== null);
  const first = useSession((session) => session.state === null || session.state.turns.length === 0);
  const field = useAutoFocus();

  const send = (): void => {
    if (draft.trim() !== '' && !sending) void run('turn/send', { text: draft });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // While an input method composes, Enter belongs to it.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const placeholder = busy ? text.placeholder.busy : first ? text.placeholder.first : text.placeholder.idle;

  return (
    <div className="comp">
      <div>
        <Queue />
        <div className="field">
          <textarea
            ref={field}
            rows={1}
            dir="auto"
            aria-label={text.label}
            placeholder={placeholder}
            value={draft}
            onChange={(event) => setDraft(ui, key, event.target.value)}
            onKeyDown={onKeyDown}
          />
          <div className="tools">
            <ProfileChip />
            <ModelChip />
            <ApprovalsChip />
            <span className="grow" />
            {busy && draft.trim() !== '' && (
              <Button kind="quiet" small keys={['Enter']} disabled={sending} onClick={send}>
                {text.queue}
              </Button>
            )}
            <SendOrStop empty={draft.trim() === ''} onSend={send} />
          </div>
        </div>
      </div>
    </div>
  );
}

function SendOrStop({ empty, onSend }: { empty: boolean; onSend: () => void }) {
  const { run } = useCommands();
  const busy = useSession(isBusy);
  const stopping = useSession(
    (session) => session.sending?.stopRequested === true || runningTurn(session.state)?.phase === 'stopping',
  );
  // One element in both roles, so that it keeps its place, its size and the focus.
  return (
    <Button
      kind={busy ? 'ink' : empty ? 'plain' : 'primary'}
      className="send"
      icon={busy ? 'stop' : 'up'}
      keys={busy ? ['Esc'] : undefined}
      disabled={!busy && empty}
      onClick={() => (busy ? void run('turn/stop') : onSend())}
    >
      {busy ? (stopping ? text.stopping : text.stop) : text.send}
    </Button>
  );
}

/** Takes the keyboard at the start and whenever the window hands it over. */
function useAutoFocus() {
  const field = useRef<HTMLTextAreaElement>(null);
  const focus = useUi((state) => state.focus);
  useEffect(() => {
    const element = field.current;
    if (!element || focus.target !== 'composer') return;
    element.focus();
    element.setSelectionRange(element.value.length, element.value.length);
  }, [focus]);
  return field;
}
