import type { Attachment } from '../../../protocol/attachments.ts';
import type { ItemOf, Sender } from '../../../protocol/model.ts';
import { transcript as text } from '../../text.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { CopyButton } from '../../components/code/code-block.tsx';
import { isComposing } from '../../components/composing.ts';
import { MessageText } from '../../components/message-text.tsx';
import { useFocusAtEnd } from '../../components/use-focus-at-end.ts';
import { useKeyDown } from '../../components/use-key-down.ts';
import { useCommands } from '../../commands/commands.ts';
import { useSession, useStores, useUi } from '../../stores/stores.ts';
import { SentFiles } from './sent-files.tsx';
import { useVersionPrice } from './use-version-price.ts';
import styles from './transcript.module.css';

/** A message as the person wrote it. While nothing runs it can be changed. */
export function UserMessage({ item, editable, sender }: UserMessageProps) {
  const editing = useUi((ui) => ui.editing?.turnId === item.turnId);
  if (editing && editable) return <MessageField item={item} />;
  return (
    <div className={styles.userRow}>
      {sender && <SenderLine sender={sender} />}
      {item.from && (
        <p className={`meta ${styles.sender}`}>{text.promptOf(item.from.server, item.from.prompt)}</p>
      )}
      <MessageBody text={item.text} attachments={item.attachments} />
      <MessageActions item={item} editable={editable} />
    </div>
  );
}

interface UserMessageProps {
  item: ItemOf<'user'>;
  editable: boolean;
  /** Absent = it was written here. */
  sender?: Sender | undefined;
}

/** Who wrote it, and where. */
function SenderLine({ sender: { name } }: { sender: Sender }) {
  const platform = useSession(({ state }) => state?.session.place?.platform);
  return (
    <p className={`meta ${styles.sender}`} dir="auto">
      {text.sender(name, platform ?? '')}
    </p>
  );
}

const none: Attachment[] = [];

/** Words and files, as they were sent or are on their way. */
export function MessageBody({ text: words, attachments = none }: MessageBodyProps) {
  return (
    <div className={styles.user}>
      {words !== '' && (
        <p dir="auto">
          <MessageText text={words} />
        </p>
      )}
      {attachments.length > 0 && <SentFiles attachments={attachments} />}
    </div>
  );
}

interface MessageBodyProps {
  text: string;
  attachments?: Attachment[] | undefined;
}

function MessageActions({ item: { turnId, text: words }, editable }: MessageActionsProps) {
  const { ui } = useStores();
  return (
    <div className={styles.userActs}>
      {words !== '' && <CopyButton label={text.copyMessage} text={words} />}
      {editable && (
        <IconButton
          icon="edit"
          label={text.version.edit}
          onClick={() => ui.setState({ editing: { turnId, text: words } })}
        />
      )}
    </div>
  );
}

type MessageActionsProps = Pick<UserMessageProps, 'item' | 'editable'>;

/** Enter sends the new version, Escape keeps the old one. */
function MessageField({ item: { turnId, text: original, attachments = none } }: { item: ItemOf<'user'> }) {
  const { run } = useCommands();
  const { ui } = useStores();
  const words = useUi((state) => state.editing?.text ?? '');
  const price = useVersionPrice(turnId, words === original ? undefined : words);
  const field = useFocusAtEnd();
  const send = (): void => void run('turn/edit', { turnId, text: words });
  const leave = (): void => ui.setState({ editing: null });
  useKeyDown(field, (event) => {
    if (isComposing(event)) return;
    if (event.key === 'Escape') leave();
    else if (event.key === 'Enter' && !event.shiftKey) send();
    else return;
    event.stopPropagation();
    event.preventDefault();
  });
  return (
    <div className={styles.userEdit}>
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        className={styles.user}
        aria-label={text.version.field}
        value={words}
        onChange={(event) => ui.setState({ editing: { turnId, text: event.target.value } })}
      />
      {attachments.length > 0 && <SentFiles attachments={attachments} />}
      <div className="acts">
        <Button
          kind="primary"
          keys={['Enter']}
          disabled={words.trim() === '' && attachments.length === 0}
          onClick={send}
        >
          {text.version.send}
        </Button>
        <Button onClick={leave} keys={['Esc']}>
          {text.version.leave}
        </Button>
        <span className="meta num">
          {text.version.help}
          {price && ` ${price.words}.`}
        </span>
      </div>
    </div>
  );
}
