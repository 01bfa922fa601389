import type { RefObject } from 'react';
import type { SessionSummary } from '../../../protocol/model.ts';
import { files, sessions as text } from '../../text.ts';
import { IconButton } from '../../components/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../components/menu.tsx';
import { useCommands } from '../../commands/commands.ts';
import { isWorking } from '../../stores/attention.ts';
import { isArchived } from '../../stores/session-groups.ts';
import { useHost } from '../../stores/stores.ts';
import { hasFamily } from './fork-family.ts';
import styles from './sessions.module.css';

interface RowMenuProps {
  session: SessionSummary;
  /** Where the keyboard is only once: the row that Tab leads to. */
  tabbable: boolean;
  more: RefObject<HTMLSpanElement | null>;
  onRename: () => void;
  onForkInto: () => void;
  onShowForks: () => void;
  onDelete: () => void;
}

/** What can be done with one session; its button opens it, and so do a right click and the context menu key. */
export function RowMenu(props: RowMenuProps) {
  const { session, tabbable, more, onRename, onForkInto, onShowForks, onDelete } = props;
  const { registry, run } = useCommands();
  const { id: sessionId, pinned, title, workspace } = session;
  const busy = isWorking(session);
  return (
    <span className={styles.morePlace} ref={more}>
      <Menu
        trigger={
          <IconButton
            icon="more"
            className={styles.more}
            label={text.actions(title)}
            tabIndex={tabbable ? 0 : -1}
          />
        }
      >
        <MenuItem
          icon="pin"
          keys={['P']}
          onClick={() => void run('session/pin', { sessionId, pinned: !pinned })}
        >
          {pinned ? text.unpin : text.pin}
        </MenuItem>
        <MenuItem icon="edit" keys={['F2']} onClick={onRename}>
          {text.rename}
        </MenuItem>
        <MenuItem icon="fork" onClick={() => void run('session/fork', { sessionId })}>
          {text.fork}
        </MenuItem>
        <MenuItem icon="fork" onClick={onForkInto}>
          {text.forkInto.open}
        </MenuItem>
        <ForksItem session={session} onClick={onShowForks} />
        <MenuItem icon="folder" onClick={() => void run('session/new-in', { workspace })}>
          {text.newInFolder}
        </MenuItem>
        {registry['file/open'].enabled() ? (
          <MenuItem icon="open" onClick={() => void run('file/open', { sessionId, path: '.' })}>
            {files.openFolder}
          </MenuItem>
        ) : (
          <MenuItem icon="copy" onClick={() => void run('file/copy-path', { sessionId, path: '.' })}>
            {files.copyFolder}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem icon="fold" disabled={busy} onClick={() => void run('session/compact', { sessionId })}>
          {text.compact}
        </MenuItem>
        <MenuItem icon="undo" disabled={busy} onClick={() => void run('session/reset', { sessionId })}>
          {text.reset}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon="get" onClick={() => void run('session/export', { sessionId })}>
          {text.export}
        </MenuItem>
        <MenuItem icon="file" onClick={() => void run('session/export-markdown', { sessionId })}>
          {text.exportMarkdown}
        </MenuItem>
        <MenuItem icon="open" onClick={() => void run('session/import')}>
          {text.import}
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          icon="archive"
          disabled={busy}
          onClick={() =>
            void run('session/archive', { sessionIds: [sessionId], archived: !isArchived(session) })
          }
        >
          {isArchived(session) ? text.archive.bring : text.archive.put}
        </MenuItem>
        <MenuItem icon="trash" keys={['Del']} danger onClick={onDelete}>
          {text.remove}
        </MenuItem>
      </Menu>
    </span>
  );
}

/** Asked only while the menu is open. */
function ForksItem({ session, onClick }: { session: SessionSummary; onClick: () => void }) {
  const sessions = useHost((host) => host.sessions);
  if (!hasFamily(sessions, session)) return null;
  return (
    <MenuItem icon="fork" onClick={onClick}>
      {text.forks.show}
    </MenuItem>
  );
}
