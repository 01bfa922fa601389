import { expect, test } from 'vitest';
import { launchElectron, whyNoElectron } from './launch-electron.ts';

// On the machines of the release workflow a skip is a failure.
const why = process.env['ANDIRON_ELECTRON'] === 'required' ? null : whyNoElectron();
if (why) process.stdout.write(`Electron e2e skipped: ${why}.\n`);

test.skipIf(why !== null)(
  'the desktop app opens its window over ports, sandboxed and without complaints',
  async () => {
    const { app, window, close } = await launchElectron(['--demo']);
    try {
      await window.ready();
      const { page } = window;
      expect(page.url()).toBe('app://andiron/');
      expect(await page.evaluate(() => 'require' in globalThis || 'process' in globalThis)).toBe(false);
      expect(await page.evaluate(() => 'andiron' in globalThis)).toBe(true);
      expect(await window.axe()).toEqual([]);
      await window.ask('What is in this folder? Read the readme and tell me what it does.');
      await window.stop.waitFor();
      await window.turnEnded();
      expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
    } finally {
      await close();
    }
  },
);
