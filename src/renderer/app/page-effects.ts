/** What the page itself does with the state: theme, room, visibility, keys. */
import type { EngineConnection, HostConnection, Services } from '../commands/command.ts';
import type { Commands, RunCommand } from '../commands/commands.ts';
import { handleKey } from '../commands/keyboard.ts';
import { followMenu, followMenuKeys } from './menu-effects.ts';
import { notifySessions } from './notify-sessions.ts';
import type { Appearance, Theme } from '../stores/appearance.ts';
import type { Room } from '../stores/layout-slice.ts';
import { addNotice, type UiStore } from '../stores/ui-store.ts';
import type { DesktopBridge } from '../../protocol/desktop.ts';
import { shell } from '../text.ts';

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

/** The system's menus, dialogs and buttons are light or dark as the page is. */
export function reportTheme(desktop: DesktopBridge, ui: UiStore): void {
  desktop.window.showTheme(ui.getState().theme);
  ui.subscribe((now, before) => {
    if (now.theme !== before.theme) desktop.window.showTheme(now.theme);
  });
}

export function followUpdates({ updates }: Pick<DesktopBridge, 'updates'>, ui: UiStore): void {
  updates.onNews((news) => ui.setState({ updates: news }));
}

/** Somebody started Andiron a second time: with a folder, it is where the next session works. */
export function followStarts(desktop: DesktopBridge, ui: UiStore, run: RunCommand): void {
  desktop.onStart((request) => {
    if (request.kind === 'workspace') void run('session/new-in', { workspace: request.workspace });
    else {
      const { message, advice } = request.demo ? shell.demoAsked : shell.ownEngineAsked;
      addNotice(ui, message, advice);
    }
  });
}

/** The pages of two versions differ in the name of their first script, which is named after its content. */
const firstScript = /<script\b[^>]*\bsrc="([^"]+)"/;

/**
 * A page in a browser may outlive the program that served it: after each reconnection it looks at what is served now.
 * The desktop app is always of one piece and has no use for it.
 *
 * @param own the first script of this page; null = not built, so not to be compared
 * @param served the page as it is served now; null = could not be had
 */
export function followVersion(
  host: HostConnection,
  ui: UiStore,
  own: string | null,
  served: () => Promise<string | null>,
): void {
  if (own === null) return;
  let lost = false;
  const look = async (): Promise<void> => {
    const script = firstScript.exec((await served()) ?? '')?.[1];
    if (script !== undefined && script !== own) ui.setState({ outdated: true });
  };
  host.onState((state) => {
    if (state === 'live' && lost) void look();
    lost = state === 'lost' || (lost && state !== 'live');
  });
}

function ownScript({ document }: Window): string | null {
  return document.querySelector('script[type=module][src]')?.getAttribute('src') ?? null;
}

async function servedPage({ location }: Window): Promise<string | null> {
  try {
    const reply = await fetch(location.pathname, { cache: 'no-store' });
    return reply.ok ? await reply.text() : null;
  } catch {
    // Gone again: the next connection looks again.
    return null;
  }
}
