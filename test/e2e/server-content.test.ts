/** What a real server of tools gives beside words, in the built app and a real browser: pictures, resources, prompts. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyDemoWorkspace } from '../../src/platform/demo.ts';
import { demoOptions } from '../../src/sim/demo/index.ts';
import { startSim, type Sim } from '../../src/sim/index.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { everythingPath, obedient, sandboxHere, toolCall, wanting } from '../helpers/mcp/mcp-world.ts';
import { projectRoot, temporaryFolder } from '../helpers/server-process.ts';
import { launchWeb, type OpenWindow, type WebApp } from './launch-web.ts';

const { status } = await sandboxHere();
const folder = temporaryFolder();
let browser: Browser;
let sim: Sim;
let app: WebApp;
let view: OpenWindow;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  const workspace = await copyDemoWorkspace(join(projectRoot, 'resources'), folder.path);
  sim = await startSim({ ...demoOptions(), script: obedient, speed: 20 });
  app = await launchWeb(browser, [`--engine-url=${sim.url}`, `--workspace=${workspace}`]);
  const profile = join(app.dataDir, 'profiles', 'plugs');
  mkdirSync(profile, { recursive: true });
  writeFileSync(join(profile, 'system.md'), 'You help.\n');
  const settings = { name: 'Plugs', description: '', models: [], approvals: 'auto_read' };
  const tools = ['read_file', 'tool_search', 'tool_call'];
  writeFileSync(join(profile, 'profile.json'), JSON.stringify({ ...settings, tools }));
  view = await app.open({ viewport: { width: 1100, height: 800 } });
  ({ page } = view.window);
  await view.window.ready();
  await page.keyboard.press('Control+,');
  await page.getByRole('tab', { name: 'Connections' }).click();
  await page.getByRole('button', { name: 'Add server' }).click();
  await page.getByRole('radio', { name: 'Paste' }).check({ force: true });
  const entry = { command: 'node', args: [everythingPath, 'stdio'] };
  await page.getByLabel('Configuration').fill(JSON.stringify({ mcpServers: { everything: entry } }));
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('15 of 15').waitFor();
  await page.keyboard.press('Escape');
});
afterAll(async () => {
  await view.close();
  await app.close();
  await sim.close();
  await browser.close();
  folder.remove();
});

const box = () => page.getByRole('textbox', { name: 'Message' });

test.runIf(status.kind !== 'none')(
  'A picture of a result is drawn on the card of its call, and no rule of the page is broken by it (X8)',
  async () => {
    await box().fill('/profile Plugs');
    await page.getByRole('option', { name: /^Plugs/ }).waitFor();
    await page.keyboard.press('Enter');
    await box().fill(wanting(toolCall('everything.get-tiny-image')));
    await page.keyboard.press('Enter');
    await view.window.approval.getByRole('button', { name: /^Allow once/ }).click();
    const picture = page.getByRole('list', { name: 'Pictures of the result' }).getByRole('img');
    await picture.waitFor();
    expect(await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(1);
    await page.getByText('Done.').waitFor();
    expect(view.complaints).toEqual([]);
  },
);

test.runIf(status.kind !== 'none')(
  'A resource is chosen with the keyboard and goes with its message (X8)',
  async () => {
    await box().fill('What is this? ');
    await box().pressSequentially('@features');
    await page.getByRole('group', { name: 'everything' }).getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('From everything, read when you send').waitFor();
    await expect.poll(() => box().inputValue()).toBe('What is this? ');
    await page.keyboard.press('Enter');
    await page.getByText(/Text, .* from everything/).waitFor();
    await page.getByText('Done.').last().waitFor();
    await view.window.turnEnded();
    expect(view.complaints).toEqual([]);
  },
);

test.runIf(status.kind !== 'none')(
  'A prompt asks for its arguments and becomes a draft that only the person sends (X8)',
  async () => {
    const messages = await page.locator('[role=log] [data-index]').count();
    await box().fill('/everything:args');
    await page.getByRole('option', { name: /everything:args-prompt/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('city').fill('Graz');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => box().inputValue()).toBe("What's weather in Graz?");
    await expect.poll(() => page.locator('[role=log] [data-index]').count()).toBe(messages);
    await box().press('Enter');
    await page.getByText('From the prompt args-prompt of everything').waitFor();
    expect(view.complaints).toEqual([]);
  },
);
