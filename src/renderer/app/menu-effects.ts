/** The application menu of the desktop: its entries run commands, and it shows the keys that run them here. */
import { menuCommands, type MenuKeys } from '../../protocol/desktop.ts';
import type { Services } from '../commands/command.ts';
import type { Commands, NamedCommandId } from '../commands/commands.ts';

/** Each is a command that needs nothing said: this does not compile where one is not. */
const offered: readonly NamedCommandId[] = menuCommands;

export function followMenu(page: Window, { desktop, stores }: Services, commands: Commands): void {
  if (!desktop) return;
  const { registry, shortcuts, run } = commands;
  const showKeys = (): void => {
    const keys: MenuKeys = Object.fromEntries(menuCommands.map((id) => [id, shortcuts.of(id)]));
    desktop.menu.showKeys(keys);
  };
  showKeys();
  stores.keys.subscribe((keys, before) => {
    if (keys.rebound !== before.rebound) showKeys();
  });
  desktop.menu.onCommand((asked) => {
    const id = offered.find((command) => command === asked);
    // A question is answered first.
    if (!id || page.document.querySelector('[role=alertdialog]')) return;
    if (!registry[id].enabled()) return;
    stores.ui.setState({ overlay: null });
    void run(id);
  });
}
