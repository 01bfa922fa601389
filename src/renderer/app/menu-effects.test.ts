import { describe, expect, it } from 'vitest';
import type { DesktopBridge, MenuKeys } from '../../protocol/desktop.ts';
import { openTestWindow } from '../testing/window-kit.tsx';
import { followMenu } from './menu-effects.ts';

const nothing = (): void => undefined;

async function openDesktop() {
  const shown: MenuKeys[] = [];
  let choose = nothing as (command: string) => void;
  const desktop: DesktopBridge = {
    platform: 'linux',
    chooseFolder: () => Promise.resolve(null),
    openExternal: () => Promise.resolve(),
    window: { minimize: nothing, toggleMaximize: nothing, close: nothing },
    menu: {
      onCommand(listener) {
        choose = listener;
        return nothing;
      },
      showKeys: (keys) => shown.push(keys),
    },
  };
  const window = await openTestWindow(desktop);
  followMenu(globalThis.window, window.services, window.commands);
  return { ...window, shown, choose: (command: string) => choose(command) };
}

describe('the application menu', () => {
  it('runs the command of an entry, over whatever lies on the window', async () => {
    const { stores, choose } = await openDesktop();
    stores.ui.setState({ overlay: 'palette' });
    choose('view/left');
    expect(stores.ui.getState()).toMatchObject({ leftOpen: false, overlay: null });
    choose('view/shortcuts');
    expect(stores.ui.getState().overlay).toBe('shortcuts');
  });

  it('runs nothing that is not enabled, that it does not offer, or that waits behind a question', async () => {
    const { stores, choose, engine } = await openDesktop();
    choose('engine/lend');
    choose('session/delete-all');
    choose('__proto__');
    const question = document.createElement('div');
    question.role = 'alertdialog';
    document.body.append(question);
    choose('view/left');
    question.remove();
    expect([engine.requests, stores.ui.getState().leftOpen, stores.ui.getState().notices]).toEqual([
      [],
      true,
      [],
    ]);
  });

  it('shows the keys that the person has, and follows them', async () => {
    const { commands, shown } = await openDesktop();
    expect(shown.at(-1)).toMatchObject({ 'session/new': 'Mod+N', 'view/left': 'Mod+B', 'engine/lend': null });
    await commands.run('shortcut/change', { changes: { 'view/left': 'Alt+L' } });
    expect(shown.at(-1)).toMatchObject({ 'view/left': 'Alt+L' });
    expect(shown).toHaveLength(2);
  });
});
