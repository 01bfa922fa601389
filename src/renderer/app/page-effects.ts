/** What the page itself does with the state: theme, room, visibility, keys. */
import type { EngineConnection, HostConnection, Services } from '../commands/command.ts';
import type { Commands } from '../commands/commands.ts';
import { handleKey } from '../commands/keyboard.ts';
import { followStarts, followUpdates, reportTheme } from './desktop-effects.ts';
import { followVersion, ownScript, servedPage } from './follow-version.ts';
import { followMenu, followMenuKeys } from './menu-effects.ts';
import { notifySessions } from './notify-sessions.ts';
import type { Appearance, Theme } from '../stores/appearance.ts';
import type { Room } from '../stores/layout-slice.ts';
import type { UiStore } from '../stores/ui-store.ts';

/** The drawn breakpoints (ui rules, "Density and alignment"). */
const narrowBelow = '(max-width: 1000px)';

export function startPageEffects(page: Window, services: Services, commands: Commands): void {
  const { desktop, host, engine, stores } = services;
  const { ui } = stores;
  followTheme(page, ui);
  followAppearance(page, ui);
  followRoom(page, ui);
  followVisibility(page, host, engine);
  followKeys(page, commands);
  notifySessions(page, services, commands.run);
  followMenuKeys(page, desktop?.platform, commands.run);
  if (desktop) {
    reportTheme(desktop, ui);
    followStarts(desktop, ui, commands.run);
    followMenu(page, desktop, stores, commands);
    followUpdates(desktop, ui);
  } else followVersion(host, ui, ownScript(page), () => servedPage(page));
}

/** Keys that nothing in the page kept for itself. Returns the way to stop that. */
export function followKeys(page: Window, commands: Commands): () => void {
  const listen = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    // A menu or dialog has the keyboard to itself, but not any more while it fades out.
    if (page.document.querySelector(':is([role=menu], [role=alertdialog], [role=dialog]):not([data-closed])'))
      return;
    if (handleKey(commands, event)) event.preventDefault();
  };
  page.addEventListener('keydown', listen);
  return () => page.removeEventListener('keydown', listen);
}

function followTheme(page: Window, ui: UiStore): void {
  const apply = (theme: Theme): void => {
    if (theme === 'system') delete page.document.documentElement.dataset['theme'];
    else page.document.documentElement.dataset['theme'] = theme;
  };
  apply(ui.getState().theme);
  ui.subscribe((now, before) => {
    if (now.theme !== before.theme) apply(now.theme);
  });
}

/** The style sheets read it from the root: what is as drawn has no mark there. */
function followAppearance(page: Window, ui: UiStore): void {
  const { dataset } = page.document.documentElement;
  const set = (name: string, value: string | null): void => {
    if (value === null) delete dataset[name];
    else dataset[name] = value;
  };
  const apply = ({ textSize, motion, wrapCode }: Appearance): void => {
    set('textSize', textSize === 'normal' ? null : textSize);
    set('motion', motion === 'system' ? null : motion);
    set('code', wrapCode ? 'wrap' : null);
  };
  apply(ui.getState());
  ui.subscribe((now, before) => {
    const { textSize, motion, wrapCode } = now;
    const same = textSize === before.textSize && motion === before.motion && wrapCode === before.wrapCode;
    if (!same) apply(now);
  });
}

function followRoom(page: Window, ui: UiStore): void {
  const narrow = page.matchMedia(narrowBelow);
  const apply = (): void => {
    const room: Room = narrow.matches ? 'narrow' : 'wide';
    if (room !== ui.getState().room) ui.setState({ room, sheet: null });
  };
  apply();
  narrow.addEventListener('change', apply);
}

/** The engine samples the GPU at its fast pace only while somebody can see it. */
function followVisibility(page: Window, host: HostConnection, engine: EngineConnection): void {
  const report = (): void => {
    if (engine.state !== 'live') return;
    // Refused only when the connection is lost, and then it is told again on the next one.
    engine.call('engine/watch', { visible: !page.document.hidden }).catch(() => null);
  };
  engine.onState(report);
  page.document.addEventListener('visibilitychange', () => {
    report();
    if (page.document.hidden) return;
    host.retryNow();
    engine.retryNow();
  });
}
