/** Menus and the tray, as particular as Electron is about roles, accelerators and icons. */
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import type { MenuItemConstructorOptions } from 'electron';
import { electron, needsReady, type MenuItem, type PopUp } from './record.ts';

type Role = NonNullable<MenuItemConstructorOptions['role']>;
/** Each of Electron's, so that the compiler says when one is new or gone. */
const roles: Record<Role, true> = {
  undo: true,
  redo: true,
  cut: true,
  copy: true,
  paste: true,
  pasteAndMatchStyle: true,
  delete: true,
  selectAll: true,
  reload: true,
  forceReload: true,
  toggleDevTools: true,
  resetZoom: true,
  zoomIn: true,
  zoomOut: true,
  toggleSpellChecker: true,
  togglefullscreen: true,
  window: true,
  minimize: true,
  close: true,
  help: true,
  about: true,
  services: true,
  hide: true,
  hideOthers: true,
  unhide: true,
  quit: true,
  showSubstitutions: true,
  toggleSmartQuotes: true,
  toggleSmartDashes: true,
  toggleTextReplacement: true,
  startSpeaking: true,
  stopSpeaking: true,
  zoom: true,
  front: true,
  appMenu: true,
  fileMenu: true,
  editMenu: true,
  viewMenu: true,
  shareMenu: true,
  recentDocuments: true,
  toggleTabBar: true,
  selectNextTab: true,
  selectPreviousTab: true,
  showAllTabs: true,
  mergeAllWindows: true,
  clearRecentDocuments: true,
  moveTabToNewWindow: true,
  windowMenu: true,
};
const types = new Set(['normal', 'separator', 'submenu', 'checkbox', 'radio', 'header', 'palette']);
/** Electron's docs, tutorial/keyboard-shortcuts.md, "Accelerators". */
const modifier =
  /^(?:Command|Cmd|Control|Ctrl|CommandOrControl|CmdOrCtrl|Alt|Option|AltGr|Shift|Super|Meta)$/;
const key =
  /^(?:[A-Z0-9]|F(?:[1-9]|1\d|2[0-4])|[!-/:-@[-`{-~]|Plus|Space|Tab|Capslock|Numlock|Scrolllock|Backspace|Delete|Insert|Return|Enter|Up|Down|Left|Right|Home|End|PageUp|PageDown|Escape|Esc|PrintScreen)$/;

const built = new WeakSet<MenuItem[]>();

function check(item: MenuItem): void {
  const { label, role, type, accelerator, submenu } = item;
  if (label === undefined && role === undefined && type === undefined) {
    throw new TypeError('Invalid template for MenuItem: must have at least one of label, role or type');
  }
  if (role !== undefined && !Object.hasOwn(roles, role)) throw new TypeError(`Unknown role ${role}`);
  if (type !== undefined && !types.has(type)) throw new TypeError(`Unknown menu item type: ${type}`);
  const keys = accelerator?.split(/\+(?!$)/);
  const last = keys?.pop();
  if (last !== undefined && !(key.test(last) && keys?.every((each) => modifier.test(each)))) {
    throw new TypeError(`${accelerator ?? ''} is no accelerator`);
  }
  submenu?.forEach(check);
}

export const Menu = {
  buildFromTemplate(template: MenuItem[]): MenuItem[] {
    needsReady('Menu');
    if (!Array.isArray(template))
      throw new TypeError('Invalid template for Menu: Menu template must be an array');
    template.forEach(check);
    built.add(template);
    return template;
  },
  setApplicationMenu(menu: MenuItem[]): void {
    assertBuilt(menu);
    electron.appMenu = menu;
  },
  getApplicationMenu: () => ({ popup: (options: PopUp): void => void electron.popUps.push(options) }),
};

function assertBuilt(menu: MenuItem[]): void {
  if (!built.has(menu)) throw new TypeError('Invalid menu: it was not built from its template');
}

export class Tray extends EventEmitter {
  icon: string;
  toolTip = '';
  title = '';
  menu: MenuItem[] = [];
  destroyed = false;
  constructor(icon: string) {
    needsReady('Tray');
    super();
    if (!existsSync(icon)) throw new Error(`Failed to load image from path '${icon}'`);
    this.icon = icon;
    electron.trays.push(this);
  }
  isDestroyed = (): boolean => this.destroyed;
  setToolTip(text: string): void {
    this.#assertAlive();
    this.toolTip = text;
  }
  setTitle(text: string): void {
    this.#assertAlive();
    this.title = text;
  }
  setContextMenu(menu: MenuItem[]): void {
    this.#assertAlive();
    assertBuilt(menu);
    this.menu = menu;
  }
  destroy(): void {
    this.destroyed = true;
  }
  #assertAlive(): void {
    if (this.destroyed) throw new TypeError('Object has been destroyed');
  }
}
