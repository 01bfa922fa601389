import type { DesktopBridge } from '../../protocol/desktop.ts';
import type { UiStore } from '../stores/ui-store.ts';
import { commands as text } from '../text.ts';
import { command, type EngineConnection, type HostConnection } from './command.ts';

/** The processes behind the window. */
export function createConnectionCommands(
  host: HostConnection,
  engine: EngineConnection,
  signOut: (() => Promise<void>) | null,
) {
  return {
    'connection/retry': command({
      enabled: () => host.state !== 'live' || engine.state !== 'live',
      why: () => text.why.connected,
      run: () => {
        host.retryNow();
        engine.retryNow();
      },
    }),
    /** This page is signed out with them: its sockets are closed, and it then says how to come back. */
    'connection/sign-out': command({
      enabled: () => signOut !== null && host.state !== 'refused',
      why: () => text.why.noSignIn,
      run: () => signOut?.(),
    }),
  };
}

/** The next version of the program. */
export function createUpdateCommands(updates: DesktopBridge['updates'] | undefined, ui: UiStore) {
  return {
    'update/restart': command({
      enabled: () => ui.getState().updates?.state.kind === 'ready',
      run: () => updates?.act('restart'),
    }),
    'update/dismiss': command({
      enabled: () => Boolean(ui.getState().updates?.whatsNew ?? ui.getState().updates?.notInstalled),
      run: () => updates?.act('dismiss'),
    }),
    'update/check': command({
      enabled: () => ui.getState().updates !== null,
      run: () => updates?.act('check'),
    }),
  };
}
