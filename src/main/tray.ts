/** The tray: what the engine does, Stop, and the way back to the window (design 12). */
import { Menu, Tray } from 'electron';
import type { EngineState } from '../protocol/model.ts';
import { engineLine, texts } from './texts.ts';

export interface TrayActions {
  open: () => void;
  stop: () => void;
  quit: () => void;
}

export interface AppTray {
  /** Cheap when nothing that it shows has changed. */
  show(engine: EngineState | null, runningTurns: number): void;
  remove(): void;
}

export function createTray(icon: string, actions: TrayActions): AppTray {
  const tray = new Tray(icon);
  let shown = '';
  tray.on('click', actions.open);

  return {
    show(engine, runningTurns) {
      const line = engineLine(engine);
      const next = `${line} ${String(runningTurns)}`;
      if (next === shown || tray.isDestroyed()) return;
      shown = next;
      tray.setToolTip(`Andiron. ${line}`);
      tray.setContextMenu(
        Menu.buildFromTemplate([
          { label: line, enabled: false },
          { label: texts.stop, enabled: runningTurns > 0, click: actions.stop },
          { type: 'separator' },
          { label: texts.open, click: actions.open },
          { label: texts.quit, click: actions.quit },
        ]),
      );
    },
    remove: () => tray.destroy(),
  };
}
