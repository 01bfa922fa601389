/** The tray: what the engine does, what runs and asks, Stop, the GPU, and the way back to the window. */
import { Menu, Tray, type MenuItemConstructorOptions } from 'electron';
import type { EngineState } from '../protocol/model.ts';
import type { BusySession } from './session-watch.ts';
import { engineLine, texts } from './texts.ts';

export interface TrayActions {
  open: () => void;
  /** Every turn of every session. */
  stop: () => void;
  stopOne: (sessionId: string) => void;
  releaseGpu: () => void;
  reclaimGpu: () => void;
  quit: () => void;
}

export interface TrayState {
  engine: EngineState | null;
  /** As the host counts them, queued ones included; known before any session is. */
  runningTurns: number;
  busy: readonly BusySession[];
}

export type AppTray = ReturnType<typeof createTray>;

/** More would make the menu a list of sessions. */
const maxShown = 5;

/** In `resources/icons`. macOS colours a template itself; Windows picks the size of the screen's scale from an .ico. */
export function trayIconName(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'trayTemplate.png';
  return platform === 'win32' ? 'tray.ico' : 'tray.png';
}

/** @param icon a file whose name ends with `Template` is coloured by macOS itself */
export function createTray(icon: string, platform: NodeJS.Platform, actions: TrayActions) {
  const tray = new Tray(icon);
  let shown = '';
  let last: TrayState | null = null;
  // A click opens the menu on a Mac, and is told of too (electron/electron#24200): the window would come over the menu.
  if (platform !== 'darwin') tray.on('click', actions.open);

  /** Cheap when nothing that it shows has changed. */
  const show = (state: TrayState): void => {
    last = state;
    const template = trayTemplate(state, actions);
    const next = JSON.stringify([toolTipOf(state), template]);
    if (next === shown || tray.isDestroyed()) return;
    shown = next;
    tray.setToolTip(toolTipOf(state));
    if (platform === 'darwin') tray.setTitle(texts.trayTitles[moodOf(state)]);
    tray.setContextMenu(Menu.buildFromTemplate(template));
  };
  return {
    show,
    /** Its words have changed. */
    showAgain(): void {
      if (last) show(last);
    },
    remove: (): void => tray.destroy(),
  };
}

function moodOf({ runningTurns, busy }: TrayState): 'asking' | 'running' | 'idle' {
  if (busy.some(({ status }) => status === 'asking')) return 'asking';
  return runningTurns > 0 || busy.length > 0 ? 'running' : 'idle';
}

/** What asks or runs comes before what the engine holds: that is what somebody looks at the tray for. */
function toolTipOf({ engine, busy }: TrayState): string {
  const [first, ...others] = busy;
  if (!first) return `Andiron. ${engineLine(engine)}`;
  if (first.status === 'asking') return `Andiron. ${texts.asking(first.title)}`;
  return `Andiron. ${others.length > 0 ? texts.several(busy.length) : texts.running(first.title)}`;
}

function trayTemplate(state: TrayState, actions: TrayActions): MenuItemConstructorOptions[] {
  const { engine, runningTurns, busy } = state;
  const isReleased = engine?.lent != null;
  const canRelease =
    (engine?.loaded ?? []).some(({ makesVectors }) => !makesVectors) && engine?.lease?.purpose !== 'turn';
  return [
    { label: engineLine(engine), enabled: false },
    { label: texts.stop, enabled: runningTurns > 0, click: actions.stop },
    ...busy.slice(0, maxShown).flatMap(({ id, title, status }) => [
      { label: status === 'asking' ? texts.asking(title) : texts.running(title), click: actions.open },
      { label: texts.stopOne(title), click: () => actions.stopOne(id) },
    ]),
    { type: 'separator' },
    isReleased
      ? { label: texts.reclaimGpu, click: actions.reclaimGpu }
      : { label: texts.releaseGpu, enabled: canRelease, click: actions.releaseGpu },
    { type: 'separator' },
    { label: texts.open, click: actions.open },
    { label: texts.quit, click: actions.quit },
  ];
}
