import { sessions as text } from '../../text.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Menu, MenuChoices, MenuSeparator } from '../../components/menu.tsx';
import { useCommands } from '../../commands/commands.ts';
import type { Folder } from '../../stores/folders.ts';
import { groupings } from '../../stores/session-groups.ts';
import { useUi } from '../../stores/stores.ts';
import styles from './sessions.module.css';

/** Stand for what is no folder: never a path. */
const [all, away] = ['', 'archived'];

interface FilterMenuProps {
  folders: Folder[];
  /** null = all. */
  chosen: Folder | null;
  /** So many sessions are listed without a filter. */
  total: number;
  /** So many were put away. */
  archived: number;
}

/** How the list is divided, and what of it is shown. */
export function FilterMenu({ folders, chosen, total, archived }: FilterMenuProps) {
  const { run } = useCommands();
  const grouping = useUi((ui) => ui.grouping);
  const showsArchived = useUi((ui) => ui.showsArchived);
  const named = showsArchived ? text.archive.only : chosen && text.folders.only(chosen.name);
  const shown = chosen ? `folder ${chosen.path}` : all;
  return (
    <Menu
      trigger={
        <Button
          kind="quiet"
          icon="filter"
          className={named === null ? undefined : styles.isFiltered}
          label={named ?? text.filter.open}
        />
      }
    >
      <MenuChoices
        heading={text.filter.by}
        value={grouping}
        choices={groupings.map((value) => ({ value, label: text.filter.groupings[value] }))}
        onChoose={(by) => void run('session/group', { by })}
      />
      <MenuSeparator />
      <MenuChoices<string>
        heading={text.folders.heading}
        value={showsArchived ? away : shown}
        choices={[
          { value: all, label: text.folders.all, meta: String(total) },
          ...(folders.length > 1
            ? folders.map(({ path, name, sessions }) => ({
                value: `folder ${path}`,
                label: name,
                help: path,
                meta: String(sessions),
              }))
            : []),
          { value: away, label: text.archive.only, meta: String(archived) },
        ]}
        onChoose={(value) => {
          if (value === away) void run('session/show-archived');
          else {
            const folder = folders.find(({ path }) => `folder ${path}` === value)?.path ?? null;
            void run('session/show-folder', { folder });
          }
        }}
      />
    </Menu>
  );
}

/** Says that only a part is listed, and leads back to all; nothing while all is. */
export function FilterLine({ folder }: { folder: Folder | null }) {
  const { run } = useCommands();
  const showsArchived = useUi((ui) => ui.showsArchived);
  if (!showsArchived && !folder) return null;
  return (
    <div className={styles.folderLine}>
      <Icon name={showsArchived ? 'archive' : 'folder'} />
      <span className="cut" title={showsArchived ? undefined : folder?.path}>
        {showsArchived ? text.archive.only : folder?.name}
      </span>
      <IconButton
        icon="x"
        label={text.folders.showAll}
        onClick={() => void run('session/show-folder', { folder: null })}
      />
    </div>
  );
}
