/** The other way to open the window in tests: the desktop app itself, where its program is. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { _electron, type ElectronApplication } from 'playwright-core';
import { proveModels } from '../helpers/proven-models.ts';
import { projectRoot, temporaryFolder } from '../helpers/server-process.ts';
import { AndironPage } from './page.ts';

export interface DesktopApp {
  app: ElectronApplication;
  window: AndironPage;
  close: () => Promise<void>;
}

const electronDir = join(projectRoot, 'node_modules', 'electron');

/** Why the desktop app cannot be tried on this machine; null when it can. */
export function whyNoElectron(): string | null {
  if (!electronProgram()) return 'the Electron program is not on this machine';
  if (process.platform !== 'linux') return null;
  if (!process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) return 'there is no display';
  return process.getuid?.() === 0 ? 'Electron does not run as root' : null;
}

function electronProgram(): string | null {
  const names = join(electronDir, 'path.txt');
  const program = existsSync(names) ? join(electronDir, 'dist', readFileSync(names, 'utf8')) : null;
  return program && existsSync(program) ? program : null;
}

export async function launchElectron(args: readonly string[]): Promise<DesktopApp> {
  const folder = temporaryFolder();
  const started = [`--data-dir=${folder.path}`, ...args];
  await proveModels(started);
  const app = await _electron.launch({
    executablePath: electronProgram() ?? '',
    args: [projectRoot, ...started],
  });
  return {
    app,
    window: new AndironPage(await app.firstWindow()),
    async close() {
      await app.close();
      folder.remove();
    },
  };
}
