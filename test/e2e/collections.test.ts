/** A collection in the built app and a real browser: added by clicks, searched, named in a message, removed. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyDemoWorkspace } from '../../src/platform/demo.ts';
import { demoOptions } from '../../src/sim/demo/index.ts';
import { EMBEDDING_MODEL, reply, startSim, type Script, type Sim } from '../../src/sim/index.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { projectRoot, temporaryFolder } from '../helpers/server-process.ts';
import { launchWeb, type OpenWindow, type WebApp } from './launch-web.ts';

/** Knows what the prompt says, and nothing else. */
const reader: Script = ({ messages }) =>
  reply().text(JSON.stringify(messages).includes('gives 8 mm') ? 'It gives 8 mm.' : 'I do not know.');

const folder = temporaryFolder();
const manuals = join(folder.path, 'manuals');
let browser: Browser;
let sim: Sim;
let app: WebApp;
let view: OpenWindow;
let page: Page;

beforeAll(async () => {
  mkdirSync(join(manuals, 'press'), { recursive: true });
  const belt = 'The belt of press 2 is tight when it gives 8 mm in its middle.\n\nOil the guide each week.\n';
  writeFileSync(join(manuals, 'press', 'press-2.md'), `# Press 2\n\n${belt}`);
  writeFileSync(join(manuals, 'canteen.txt'), 'Soup is served at noon.\n');
  for (const name of ['minutes.docx', 'scan.pdf'])
    copyFileSync(join(projectRoot, 'test', 'fixtures', 'documents', name), join(manuals, name));
  browser = await launchChromium();
  const workspace = await copyDemoWorkspace(join(projectRoot, 'resources'), folder.path);
  const demo = demoOptions();
  const models = [...(demo.models ?? []), EMBEDDING_MODEL];
  sim = await startSim({ ...demo, models, script: reader, speed: 20 });
  app = await launchWeb(browser, [`--engine-url=${sim.url}`, `--workspace=${workspace}`]);
  view = await app.open({ viewport: { width: 900, height: 600 } });
  ({ page } = view.window);
  await view.window.ready();
});
afterAll(async () => {
  await view.close();
  await app.close();
  await sim.close();
  await browser.close();
  folder.remove();
});

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

test('A folder is added by clicks after its price was seen, read, and tried with a search', async () => {
  await button('Settings').first().click();
  await page.getByRole('tab', { name: 'Collections' }).click();
  await button('Add collection').click();
  await page.getByRole('textbox', { name: 'Folder' }).fill(manuals);
  await button('Show price').click();
  await page
    .getByRole('region', { name: 'What it costs' })
    .getByText(/^4 files/)
    .waitFor();
  await button('Add').click();
  await page.getByText(/^4 files, \d+ passages$/).waitFor();
  await page.getByText('By words and meaning').waitFor();
  await button('Details of manuals').click();
  await page.getByText('1 file not read').click();
  await page.getByText('scan.pdf', { exact: true }).waitFor();
  await page.getByRole('textbox', { name: 'Try a search' }).fill('tight belt');
  await button('Search').click();
  const first = page.getByRole('list', { name: 'Passages of manuals' }).getByRole('listitem').first();
  await first.getByText('press/press-2.md').waitFor();
  await expect.poll(() => first.innerText()).toContain('gives 8 mm');
  await page.getByText(/^\d+ passages?, searched by words and meaning$/).waitFor();
  expect(view.complaints).toEqual([]);
});

test('A collection named with @ takes its passages along with the message, and they are looked at', async () => {
  await page.keyboard.press('Escape');
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.fill('How tight is the belt of press 2? ');
  await box.pressSequentially('@manu');
  await page.getByRole('group', { name: 'Collections' }).getByRole('option').click();
  await page.getByRole('list', { name: 'Attachments' }).getByText('manuals').waitFor();
  await view.window.send.click();
  await page.getByText('It gives 8 mm.').waitFor();
  await page.getByText('From the collection manuals').click();
  const viewer = page.getByRole('dialog');
  await viewer.getByText(/gives 8 mm/).waitFor();
  await expect.poll(() => viewer.innerText()).toContain('press/press-2.md');
  await page.keyboard.press('Escape');
  expect(view.complaints).toEqual([]);
});

test('A collection is renamed and removed, and its files stay', async () => {
  await page.keyboard.press('Control+,');
  await page.getByRole('tab', { name: 'Collections' }).click();
  await button('Details of manuals').click();
  await button('Rename').click();
  await page.keyboard.type('Presses');
  await page.keyboard.press('Enter');
  await page.getByText('Presses', { exact: true }).waitFor();
  await button('Remove').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove collection' }).click();
  await page.getByText('No collections yet').waitFor();
  expect(view.complaints).toEqual([]);
});
