/** The button before the name of the app. It opens the native menu on the desktop, and in a browser the same one here. */
import { Menu } from '@base-ui/react/menu';
import { useEffect, useRef } from 'react';
import { appMenu, documentationUrl, prunedMenu, type MenuEntry } from '../../protocol/app-menu.ts';
import type { DesktopBridge } from '../../protocol/desktop.ts';
import { menu as text, shell } from '../text.ts';
import { useCommands } from '../commands/commands.ts';
import { useKeyCaps } from '../commands/use-key-caps.ts';
import { IconButton, KeyCaps } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { useStores, useUi } from '../stores/stores.ts';
import styles from './frame.module.css';
import menuStyles from '../components/menu.module.css';

/** A Mac has its menu at the top of the screen. */
export function AppMenu({ desktop }: { desktop: DesktopBridge | null }) {
  if (desktop?.platform === 'darwin') return null;
  return desktop ? <NativeMenu desktop={desktop} /> : <PageMenu />;
}

function NativeMenu({ desktop }: { desktop: DesktopBridge }) {
  const { run } = useCommands();
  const button = useRef<HTMLButtonElement>(null);
  const open = useUi((ui) => ui.overlay === 'menu');
  useEffect(() => {
    if (!open || !button.current) return;
    const { left: x, bottom: y } = button.current.getBoundingClientRect();
    const closed = (): void => void run('view/close-overlay', { overlay: 'menu' });
    void desktop.menu.popUp({ x, y }).then(closed, closed);
  }, [open, desktop, run]);
  return (
    <MenuButton
      ref={button}
      aria-haspopup="menu"
      aria-expanded={open}
      onClick={() => void run('view/menu')}
    />
  );
}

/** What the system does, or a window of its own, a page has no entries for. */
const entries = prunedMenu(
  appMenu,
  (entry) =>
    // There is no app whose command it would be.
    entry.kind !== 'install-command' &&
    !(entry.kind === 'menu' && entry.name === 'window') &&
    !(entry.kind === 'role' && entry.role !== 'about'),
);

function PageMenu() {
  const { run } = useCommands();
  const { ui } = useStores();
  const open = useUi((state) => state.overlay === 'menu');
  /** How often the window had handed the keyboard over before something was chosen. */
  const before = useRef(0);
  useEffect(() => {
    if (open) before.current = ui.getState().focus.count;
  }, [open, ui]);
  return (
    <Menu.Root
      open={open}
      onOpenChange={(next) => void (next ? run('view/menu') : run('view/close-overlay', { overlay: 'menu' }))}
    >
      <Menu.Trigger render={<MenuButton />} />
      <Menu.Portal render={<section aria-label={shell.menu} />}>
        <Menu.Positioner className={menuStyles.layer} align="start" sideOffset={4}>
          <Menu.Popup
            className={menuStyles.menu}
            finalFocus={() => ui.getState().focus.count === before.current && ui.getState().overlay === null}
          >
            <Entries entries={entries} />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function MenuButton(props: Omit<React.ComponentProps<typeof IconButton>, 'icon' | 'label'>) {
  return <IconButton icon="menu" className={styles.appMenu} label={text.open} {...props} />;
}

function Entries({ entries: shown }: { entries: MenuEntry[] }) {
  return shown.map((entry, place) => {
    const key = entry.kind === 'command' ? entry.command : entry.kind === 'menu' ? entry.name : place;
    return <Entry key={key} entry={entry} />;
  });
}

function Entry({ entry }: { entry: MenuEntry }) {
  const { run } = useCommands();
  switch (entry.kind) {
    case 'command':
      return <CommandItem command={entry.command} />;
    case 'role':
      return (
        <Menu.Item
          className={menuStyles.item}
          onClick={() => void run('view/settings-of', { section: 'about' })}
        >
          {text.about}
        </Menu.Item>
      );
    case 'documentation':
      return (
        <Menu.LinkItem
          className={menuStyles.item}
          href={documentationUrl}
          target="_blank"
          rel="noopener noreferrer"
          closeOnClick
        >
          <span className="grow">{text.documentation}</span>
          <Icon name="open" />
        </Menu.LinkItem>
      );
    case 'install-command':
      return null;
    case 'separator':
      return <Menu.Separator className={menuStyles.separator} />;
    case 'menu':
      return (
        <Menu.SubmenuRoot>
          <Menu.SubmenuTrigger className={menuStyles.item}>
            <span className="grow">{text.names[entry.name]}</span>
            <Icon name="right" />
          </Menu.SubmenuTrigger>
          <Menu.Portal>
            <Menu.Positioner className={menuStyles.layer} align="start" alignOffset={-5}>
              <Menu.Popup className={menuStyles.menu}>
                <Entries entries={entry.entries} />
              </Menu.Popup>
            </Menu.Positioner>
          </Menu.Portal>
        </Menu.SubmenuRoot>
      );
  }
}

function CommandItem({ command }: { command: Extract<MenuEntry, { kind: 'command' }>['command'] }) {
  const { registry, run } = useCommands();
  const keys = useKeyCaps()(command);
  const { enabled, why } = registry[command];
  const possible = enabled();
  return (
    <Menu.Item
      className={menuStyles.item}
      disabled={!possible}
      title={possible ? undefined : (why ?? undefined)}
      onClick={() => void run(command)}
    >
      <span className="grow">{text.entries[command]}</span>
      {keys && <KeyCaps keys={keys} />}
    </Menu.Item>
  );
}
