/** A real server of tools in the built app: added in a browser, started in the sandbox, and removed without a trace. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
import { everythingPath, sandboxHere } from '../helpers/mcp/mcp-world.ts';
import { launchQuickDemo, type WebApp } from './launch-web.ts';

const { status } = await sandboxHere();
let browser: Browser;
let app: WebApp;
beforeAll(async () => {
  browser = await launchChromium();
  app = await launchQuickDemo(browser);
});
afterAll(async () => {
  await app.close();
  await browser.close();
});

test.runIf(status.kind !== 'none')(
  'A person pastes the entry of server-everything, sees its tools, turns one off and removes it all (X8)',
  async () => {
    const view = await app.open({ viewport: { width: 900, height: 600 } });
    const { page } = view.window;
    await view.window.ready();
    await page.keyboard.press('Control+,');
    await page.getByRole('tab', { name: 'Connections' }).click();
    await page.getByText('No servers yet').waitFor();
    await page.getByRole('button', { name: 'Add server' }).click();
    await page.getByRole('radio', { name: 'Paste' }).check({ force: true });
    const entry = {
      command: 'node',
      args: [everythingPath, 'stdio'],
      env: { API_KEY: 'sk-never-shown-4711' },
    };
    await page.getByLabel('Configuration').fill(JSON.stringify({ mcpServers: { everything: entry } }));
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Running, sandboxed').waitFor();
    await page.getByText('15 of 15').waitFor();
    await page.getByRole('button', { name: 'Details of everything' }).click();
    await page.getByText('API_KEY (values hidden)').waitFor();
    await page.getByRole('switch', { name: 'echo', exact: true }).click();
    await page.getByText('14 of 15').waitFor();
    expect(await page.content()).not.toContain('sk-never-shown-4711');
    await page.getByRole('button', { name: 'Remove server' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove server' }).click();
    await page.getByText('No servers yet').waitFor();
    expect(view.complaints).toEqual([]);
    await view.close();
    expect(JSON.parse(readFileSync(join(app.dataDir, 'mcp.json'), 'utf8'))).toEqual({ mcpServers: {} });
    // Its program is ended first.
    await expect.poll(() => existsSync(join(app.dataDir, 'mcp', 'everything'))).toBe(false);
    const logs = join(app.dataDir, 'logs');
    const written = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'));
    expect(written.join('')).not.toContain('sk-never-shown-4711');
  },
);
