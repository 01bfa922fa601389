/** Files that the agent changed: the list, and the way back. */
import { useMemo, useState } from 'react';
import { visibleName } from '../../../rules/visible-text/visible-text.ts';
import { changedFiles as text } from '../../text.ts';
import { IconButton } from '../../components/button.tsx';
import { useFileMenu } from '../../components/file-menu.tsx';
import { Icon } from '../../components/icon.tsx';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useCommands } from '../../commands/commands.ts';
import {
  editsOf,
  fileRows,
  hasUnlisted,
  latestChange,
  newestEdit,
  type FileRow,
} from '../../stores/changed-files.ts';
import { latestTurn } from '../../stores/derive.ts';
import { useSession, useStores } from '../../stores/stores.ts';
import { useSessionParts } from '../../stores/use-session-parts.ts';
import { FileDialog } from './file-dialog.tsx';
import styles from './changes.module.css';
import menuStyles from '../../components/menu.module.css';

/** A command may change thousands. */
const maxRows = 200;

function useFileRows(): FileRow[] {
  const files = useSession((session) => session.state?.files);
  const edits = useSessionParts(({ state }) => editsOf(state?.items ?? [], latestTurn(state)?.id));
  return useMemo(() => fileRows(files, edits), [files, edits]);
}

export function FilesChanged() {
  const rows = useFileRows();
  const [shown, setShown] = useState<{ path: string; open: boolean }>({ path: '', open: false });
  const isMore = useSession((session) => hasUnlisted(session.state?.items ?? []));
  return (
    <section className={styles.sec}>
      <h2>
        {text.title}
        {rows.length > 0 && <span className="meta">{text.count(rows.length)}</span>}
        <FilesMenu rows={rows} />
      </h2>
      <ul>
        {rows.slice(0, maxRows).map((row) => (
          <Row key={row.path} row={row} onOpen={() => setShown({ path: row.path, open: true })} />
        ))}
      </ul>
      {rows.length === 0 && <p className="t3">{text.nothingToReview}</p>}
      {rows.length > maxRows && <p className="meta">{text.more(rows.length - maxRows)}</p>}
      {isMore && <p className={`meta ${styles.saved}`}>{text.commands}</p>}
      <FileDialog path={shown.path} open={shown.open} onClose={() => setShown({ ...shown, open: false })} />
    </section>
  );
}

function Row({ row: { path, added, removed, record }, onOpen }: { row: FileRow; onOpen: () => void }) {
  const { run } = useCommands();
  const { session } = useStores();
  const jump = (): void => {
    const itemId = newestEdit(session.getState().state?.items ?? [], path);
    if (itemId !== null) void run('transcript/show-item', { itemId });
  };
  const file = useFileMenu(path);
  const isUndone = record !== null && record.turns.length === 0 && record.undone;
  return (
    <li>
      <button
        type="button"
        className={isUndone ? `${styles.fi} ${styles.undone}` : styles.fi}
        title={visibleName(record ? text.open(path) : text.show(path))}
        aria-haspopup={record ? 'dialog' : undefined}
        onClick={record ? onOpen : jump}
        onContextMenu={file.onContextMenu}
      >
        <Icon name={isUndone ? 'undo' : record?.kind === 'folder' ? 'folder' : 'file'} />
        <span className="cut path">
          <bdi>
            <VisibleText text={path} oneLine />
          </bdi>
        </span>
        {isUndone ? (
          <span className="meta wide">{text.undone}</span>
        ) : (
          <>
            {record?.isGone ? (
              <span className="meta">{text.gone}</span>
            ) : (
              <span className="ok">+{added}</span>
            )}
            {removed > 0 && <span className="fail">−{removed}</span>}
          </>
        )}
      </button>
      {file.menu}
    </li>
  );
}

/** Of all files at once; one of them has it in its dialog. */
function FilesMenu({ rows }: { rows: FileRow[] }) {
  const { run } = useCommands();
  const stores = useStores();
  const running = useSession((session) => session.state?.session.status === 'running');
  const records = rows.flatMap(({ record }) => record ?? []);
  if (records.length === 0) return null;
  const changed = records.filter(({ turns }) => turns.length > 0).map(({ path }) => path);
  const undone = records.filter((record) => record.undone).map(({ path }) => path);
  const newest = latestChange(stores.session.getState().state);
  return (
    <Menu trigger={<IconButton icon="more" label={text.actions} />}>
      {newest && (
        <MenuItem icon="undo" disabled={running} onClick={() => void run('files/undo-turn')}>
          {text.undoTurn(newest.paths.length)}
        </MenuItem>
      )}
      {changed.length > (newest?.paths.length ?? 0) && (
        <MenuItem icon="undo" disabled={running} onClick={() => void run('files/undo', {})}>
          {text.undoAll(changed.length)}
        </MenuItem>
      )}
      {undone.length > 0 && (
        <MenuItem icon="redo" disabled={running} onClick={() => void run('files/redo', {})}>
          {text.redoAll(undone.length)}
        </MenuItem>
      )}
      {running && <p className={menuStyles.head}>{text.whileRunning}</p>}
    </Menu>
  );
}
