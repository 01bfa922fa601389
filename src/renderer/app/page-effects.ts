/** What the page itself does with the state: theme, room, visibility, keys. */
import type { Services } from '../commands/command.ts';
import type { Commands } from '../commands/commands.ts';
import { handleKey } from '../commands/keyboard.ts';
import { followStarts, reportTheme } from './desktop-effects.ts';
import { followUpdates } from './follow-updates.ts';
import { followVersion, ownScript, servedPage } from './follow-version.ts';
import { followMenu, followMenuKeys } from './menu-effects.ts';
import type { Appearance } from '../stores/appearance.ts';
import type { Theme } from '../stores/appearance.ts';
import type { Room } from '../stores/layout.ts';

/** The drawn breakpoints (ui rules, "Density and alignment"). */
const foldedBelow = '(max-width: 1160px)';
const narrowBelow = '(max-width: 1000px)';

export function startPageEffects(page: Window, services: Services, commands: Commands): void {
  followTheme(page, services);
  reportTheme(services);
  followStarts(services, commands);
  followAppearance(page, services);
  followRoom(page, services);
  followVisibility(page, services);
  followKeys(page, commands);
  followMenu(page, services, commands);
  followUpdates(services);
  followMenuKeys(page, services, commands);
  followVersion(services, ownScript(page), () => servedPage(page));
}

/** Keys that nothing in the page kept for itself. Returns the way to stop that. */
export function followKeys(page: Window, commands: Commands): () => void {
  const listen = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    // A menu or dialog has the keyboard to itself.
    if (page.document.querySelector('[role=menu], [role=alertdialog], [role=dialog]')) return;
    if (handleKey(commands, event)) event.preventDefault();
  };
  page.addEventListener('keydown', listen);
  return () => page.removeEventListener('keydown', listen);
}

function followTheme(page: Window, { stores }: Services): void {
  const apply = (theme: Theme): void => {
    if (theme === 'system') delete page.document.documentElement.dataset['theme'];
    else page.document.documentElement.dataset['theme'] = theme;
  };
  apply(stores.ui.getState().theme);
  stores.ui.subscribe((ui, before) => {
    if (ui.theme !== before.theme) apply(ui.theme);
  });
}

/** The style sheets read it from the root: what is as drawn has no mark there. */
function followAppearance(page: Window, { stores }: Services): void {
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
  apply(stores.ui.getState());
  stores.ui.subscribe((ui, before) => {
    const { textSize, motion, wrapCode } = ui;
    const same = textSize === before.textSize && motion === before.motion && wrapCode === before.wrapCode;
    if (!same) apply(ui);
  });
}

function followRoom(page: Window, { stores }: Services): void {
  const folded = page.matchMedia(foldedBelow);
  const narrow = page.matchMedia(narrowBelow);
  const apply = (): void => {
    const room: Room = narrow.matches ? 'narrow' : folded.matches ? 'folded' : 'wide';
    if (room !== stores.ui.getState().room) stores.ui.setState({ room, sheet: null });
  };
  apply();
  folded.addEventListener('change', apply);
  narrow.addEventListener('change', apply);
}

/** The engine samples the GPU at its fast pace only while somebody can see it. */
function followVisibility(page: Window, { host, engine }: Services): void {
  const tell = (): void => {
    if (engine.state !== 'live') return;
    // Refused only when the connection is lost, and then it is told again on the next one.
    engine.call('engine/watch', { visible: !page.document.hidden }).catch(() => null);
  };
  engine.onState(tell);
  page.document.addEventListener('visibilitychange', () => {
    tell();
    if (page.document.hidden) return;
    host.retryNow();
    engine.retryNow();
  });
}
