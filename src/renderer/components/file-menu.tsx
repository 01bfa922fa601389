/**
 * What can be done with a file outside the window: a right click, or the menu key, on whatever names it. Nothing is made
 * of it before it is asked for, so every row of a long list may have it.
 */
import { Menu } from '@base-ui/react/menu';
import { createContext, useContext, useState, type MouseEvent, type ReactNode } from 'react';
import { isOpenable } from '../../rules/openable-files.ts';
import { files as text } from '../text.ts';
import { Icon, type IconName } from './icon.tsx';
import menuStyles from './menu.module.css';

export type FileAction = 'open' | 'show' | 'copyPath';

export interface FileActions {
  /** Those that there are here: a browser can only copy the path. */
  offered: readonly FileAction[];
  run: (action: FileAction, path: string) => void;
}

/** null = nowhere to go with a file. */
export const FileActionsContext = createContext<FileActions | null>(null);

const icons: Readonly<Record<FileAction, IconName>> = { open: 'open', show: 'folder', copyPath: 'copy' };

interface FileMenu {
  /** For the element that names the file; it should take the keyboard. */
  onContextMenu: ((event: MouseEvent<HTMLElement>) => void) | undefined;
  /** To be drawn beside it. */
  menu: ReactNode;
}

/** `path` null = it names no file. */
export function useFileMenu(path: string | null): FileMenu {
  const actions = useContext(FileActionsContext);
  const [at, setAt] = useState<{ anchor: { getBoundingClientRect: () => DOMRect }; named: HTMLElement }>();
  if (path === null || actions === null) return { onContextMenu: undefined, menu: null };
  const offered = actions.offered.filter((action) => action !== 'open' || isOpenable(path));
  const onContextMenu = (event: MouseEvent<HTMLElement>): void => {
    // Selected words keep the browser's own menu, which copies them.
    if (getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    event.stopPropagation();
    const { clientX, clientY, currentTarget: named } = event;
    const box = named.getBoundingClientRect();
    // The menu key has no place of its own.
    const point = clientX === 0 && clientY === 0 ? box : new DOMRect(clientX, clientY);
    setAt({ anchor: { getBoundingClientRect: () => point }, named });
  };
  const menu = at && (
    <Menu.Root open onOpenChange={(open) => !open && setAt(undefined)}>
      <Menu.Portal render={<section aria-label={text.menu(path)} />}>
        <Menu.Positioner className={menuStyles.layer} anchor={at.anchor} align="start" sideOffset={2}>
          <Menu.Popup className={menuStyles.menu} aria-label={text.menu(path)} finalFocus={() => at.named}>
            {offered.map((action) => (
              <Menu.Item key={action} className={menuStyles.item} onClick={() => actions.run(action, path)}>
                <Icon name={icons[action]} />
                <span className="grow">{text[action]}</span>
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
  return { onContextMenu, menu };
}
