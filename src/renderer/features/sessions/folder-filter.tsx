import { sessions as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Menu, MenuChoices } from '../../components/menu.tsx';
import { useCommands } from '../../commands/commands.ts';
import type { Folder } from './folders.ts';

/** Stands for "all folders": never a path. */
const all = '';

interface FolderFilterProps {
  folders: Folder[];
  /** null = all. */
  chosen: Folder | null;
}

export function FolderFilter({ folders, chosen }: FolderFilterProps) {
  const { run } = useCommands();
  const total = folders.reduce((sum, { sessions }) => sum + sessions, 0);
  return (
    <Menu
      trigger={
        <Button
          kind="quiet"
          icon="folder"
          className={chosen ? 'in-folder' : undefined}
          label={chosen ? text.folders.only(chosen.name) : text.folders.choose}
        />
      }
    >
      <MenuChoices
        heading={text.folders.heading}
        value={chosen?.path ?? all}
        choices={[
          { value: all, label: text.folders.all, meta: String(total) },
          ...folders.map(({ path, name, sessions }) => ({
            value: path,
            label: name,
            help: path,
            meta: String(sessions),
          })),
        ]}
        onChoose={(path) => void run('session/show-folder', { folder: path === all ? null : path })}
      />
    </Menu>
  );
}

/** Says that only a part is listed, and leads back to all. */
export function FolderLine({ folder }: { folder: Folder }) {
  const { run } = useCommands();
  return (
    <div className="folder-line">
      <Icon name="folder" />
      <span className="cut" title={folder.path}>
        {folder.name}
      </span>
      <Button
        kind="quiet"
        small
        icon="x"
        label={text.folders.showAll}
        onClick={() => void run('session/show-folder', { folder: null })}
      />
    </div>
  );
}
