/** The application menu of the desktop: its entries run commands, and it shows the keys that run them here. */
import { menuCommands, type DesktopBridge, type MenuKeys } from '../../protocol/desktop.ts';
import type { Stores } from '../stores/stores.ts';
import type { Commands, NamedCommandId, RunCommand } from '../commands/commands.ts';

/** Each is a command that needs nothing said: this does not compile where one is not. */
const offered: readonly NamedCommandId[] = menuCommands;

/**
 * Alt pressed and let go alone, or F10: on Windows and Linux they lead to the menu of a window, and a window without a
 * frame of the system's has to do it itself. A browser keeps both keys for its own menu.
 */
export function followMenuKeys(page: Window, platform: string | undefined, run: RunCommand): void {
  if (platform === undefined || platform === 'darwin') return;
  let alone = false;
  const open = (event: KeyboardEvent): void => {
    // Otherwise the system's own menu of the window would take the keys that follow.
    event.preventDefault();
    if (!page.document.querySelector('[role=menu], [role=alertdialog], [role=dialog]')) void run('view/menu');
  };
  page.addEventListener('keydown', (event) => {
    alone = event.key === 'Alt' && !held(event) && (alone || !event.repeat);
    if (event.key === 'F10' && !event.altKey && !held(event)) open(event);
  });
  page.addEventListener('keyup', (event) => {
    if (event.key === 'Alt' && alone) open(event);
    alone = false;
  });
  const not = (): void => {
    alone = false;
  };
  page.addEventListener('pointerdown', not, { capture: true });
  page.addEventListener('wheel', not, { capture: true, passive: true });
  page.addEventListener('blur', not);
}

const held = ({ ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean => ctrlKey || metaKey || shiftKey;

export function followMenu(
  page: Window,
  { menu }: Pick<DesktopBridge, 'menu'>,
  { keys, ui }: Pick<Stores, 'keys' | 'ui'>,
  { registry, shortcuts, run }: Pick<Commands, 'registry' | 'shortcuts' | 'run'>,
): void {
  const showKeys = (): void => {
    const shown: MenuKeys = Object.fromEntries(menuCommands.map((id) => [id, shortcuts.of(id)]));
    menu.showKeys(shown);
  };
  showKeys();
  keys.subscribe((now, before) => {
    if (now.rebound !== before.rebound) showKeys();
  });
  menu.onCommand((asked) => {
    const id = offered.find((command) => command === asked);
    // A question is answered first.
    if (!id || page.document.querySelector('[role=alertdialog]')) return;
    if (!registry[id].enabled()) return;
    ui.setState({ overlay: null });
    void run(id);
  });
}
