import { sessions as text } from '../../text.ts';
import { IconButton } from '../../components/button.tsx';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useUi } from '../../stores/stores.ts';
import styles from './sessions.module.css';

interface SelectionBarProps {
  sessionIds: string[];
  onDelete: () => void;
  onClear: () => void;
}

/** What can be done with several sessions at once; nothing while none are selected. */
export function SelectionBar({ sessionIds, onDelete, onClear }: SelectionBarProps) {
  const { run } = useCommands();
  const archived = useUi((ui) => ui.showsArchived);
  if (sessionIds.length === 0) return null;
  return (
    <fieldset className={styles.chosenBar} aria-label={text.selection.label}>
      <span className="grow num">{text.selection.count(sessionIds.length)}</span>
      <Menu side="top" trigger={<IconButton icon="get" label={text.selection.export} />}>
        <MenuItem icon="get" onClick={() => void run('session/export-all', { sessionIds, form: 'json' })}>
          {text.export}
        </MenuItem>
        <MenuItem
          icon="file"
          onClick={() => void run('session/export-all', { sessionIds, form: 'markdown' })}
        >
          {text.exportMarkdown}
        </MenuItem>
      </Menu>
      <IconButton
        icon={archived ? 'undo' : 'archive'}
        label={archived ? text.archive.bringSelected : text.archive.selected}
        onClick={() => void run('session/archive', { sessionIds, archived: !archived })}
      />
      <IconButton icon="trash" label={text.selection.remove} onClick={onDelete} />
      <IconButton icon="x" label={text.selection.clear} onClick={onClear} />
    </fieldset>
  );
}
