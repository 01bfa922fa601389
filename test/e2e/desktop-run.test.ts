/** The built desktop app in real surroundings: its own main entry, preload, host and page, each where it runs. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Browser } from 'playwright-core';
import { copyDemoWorkspace } from '../../src/platform/demo.ts';
import { demoOptions } from '../../src/sim/demo/index.ts';
import { startSim, type Sim } from '../../src/sim/index.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { projectRoot, temporaryFolder } from '../helpers/server-process.ts';
import { hand, notes } from './handed-files.ts';
import { launchDesktop, startWithoutWindow, type DesktopRun } from './launch-desktop.ts';

const folder = temporaryFolder();
let browser: Browser;
let sim: Sim;
let workspace: string;
let run: DesktopRun;
beforeAll(async () => {
  browser = await launchChromium();
  sim = await startSim({ ...demoOptions(), speed: 20 });
  workspace = await copyDemoWorkspace(join(projectRoot, 'resources'), folder.path);
  run = await start();
});
afterAll(async () => {
  await run.close();
  await browser.close();
  await sim.close();
  folder.remove();
});

const start = (): Promise<DesktopRun> =>
  launchDesktop(browser, [`--engine-url=${sim.url}`, `--workspace=${workspace}`]);

/** As a person chooses it; a menu closes then. */
const chooseInMenu = (label: string): Promise<unknown> =>
  run.evaluate(
    `menuItem(${JSON.stringify(label)}).click(); for (const { callback } of electron.popUps) callback();`,
  );

const question = 'What is in this folder? Read the readme and tell me what it does.';

test('Main does what must precede ready before it, and nothing that needs ready before that (desk-C1)', async () => {
  const calls = (await run.evaluate('return electron.calls')) as string[];
  const early = calls.slice(0, calls.indexOf('protocol.handle'));
  expect(early).toContain('requestSingleInstanceLock');
  expect(early).toContain('protocol.registerSchemesAsPrivileged');
  expect(early.findIndex((call) => call.startsWith('setPath userData'))).toBeLessThan(
    early.indexOf('requestSingleInstanceLock'),
  );
  expect(await run.evaluate('return electron.faults')).toEqual([]);
});

test('The built app opens its window, and a turn runs over ports from the page to the host (desk-C2)', async () => {
  const { window } = run;
  await window.ready();
  expect(await window.page.evaluate(() => 'require' in globalThis || 'process' in globalThis)).toBe(false);
  await window.ask(question);
  await window.stop.waitFor();
  await window.turnEnded();
  expect(await window.axe()).toEqual([]);
  expect(run.complaints).toEqual([]);
});

describe('a file that is saved', () => {
  test('goes where the save dialog says, and the window says so after that (desk-F1)', async () => {
    const { window, saved } = run;
    await chooseInMenu('Export…');
    await window.page.getByText('The file was saved.').first().waitFor();
    const [file] = saved.splice(0);
    expect(file?.defaultPath).toMatch(/\.json$/);
    expect(JSON.stringify(JSON.parse(file?.content ?? ''))).toContain(question);
    await chooseInMenu('Export as Markdown…');
    await expect.poll(() => saved.length).toBe(1);
    expect(saved.splice(0)[0]?.content).toContain(question);
    await chooseInMenu('Export all sessions…');
    await expect.poll(() => saved.length).toBe(1);
    expect(saved.splice(0)[0]?.content).toContain(question);
  });

  test('is missed when the disk refuses it, and nobody speaks of a dialog that was cancelled (desk-F1)', async () => {
    const { page } = run.window;
    const saved = page.getByText('The file was saved.');
    await page.reload();
    await run.window.transcript.getByText(question).waitFor();
    run.answerSaves('cancelled');
    await chooseInMenu('Export…');
    await expect.poll(() => run.ended.at(-1)).toBe('cancelled');
    run.answerSaves('interrupted');
    await chooseInMenu('Export…');
    // Told after it on the same way.
    await page.getByText('The file could not be saved.').waitFor();
    expect(await saved.count()).toBe(0);
    run.answerSaves('completed');
    expect(run.saved).toEqual([]);
    expect(run.refused).toEqual([]);
  });

  test('is refused when another place than the page offers it (desk-F1)', async () => {
    await run.window.page.evaluate(() => {
      const link = document.createElement('a');
      link.href = 'data:text/plain,no%20blob';
      link.download = 'trap.txt';
      link.click();
    });
    await expect.poll(() => run.refused).toEqual(['data:text/plain,no%20blob']);
    expect(run.saved).toEqual([]);
  });
});

test('An exported session is chosen in the file dialog and comes back as another one', async () => {
  const { window, saved } = run;
  await chooseInMenu('Export…');
  await expect.poll(() => saved.length).toBe(1);
  const sessions = await window.sessions.getByRole('listitem').count();
  const chooser = window.page.waitForEvent('filechooser');
  await chooseInMenu('Import…');
  const buffer = Buffer.from(saved.splice(0)[0]?.content ?? '');
  await (await chooser).setFiles([{ name: 'back.json', mimeType: 'application/json', buffer }]);
  await window.sessions.getByRole('listitem').nth(sessions).waitFor();
  expect(run.complaints).toEqual([]);
});

test('Files are attached by the file dialog and by a drop', async () => {
  const { window } = run;
  const { page } = window;
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await (await chooser).setFiles([{ name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('first') }]);
  await page.getByRole('button', { name: 'Remove one.txt' }).waitFor();
  await hand(page, 'drop', [notes('dropped.txt')]);
  await page.getByRole('button', { name: 'Remove dropped.txt' }).click();
  await page.getByRole('button', { name: 'Remove one.txt' }).click();
  await page.getByRole('button', { name: 'Remove one.txt' }).waitFor({ state: 'detached' });
  expect(run.complaints).toEqual([]);
});

test('The menu button opens the native menu below itself, and its entries run in the page', async () => {
  const { page } = run.window;
  const button = page.getByRole('button', { name: 'Application menu' });
  await button.click();
  await expect.poll(() => run.evaluate('return electron.popUps.length')).toBeGreaterThan(0);
  expect(await button.getAttribute('aria-expanded')).toBe('true');
  const box = await button.boundingBox();
  const place = (await run.evaluate('const { x, y } = electron.popUps.at(-1); return { x, y }')) as {
    y: number;
  };
  expect(place.y).toBe(Math.round((box?.y ?? 0) + (box?.height ?? 0)));
  await chooseInMenu('Settings…');
  await page.getByRole('heading', { name: 'Settings' }).first().waitFor();
  expect(await page.getByRole('button', { name: 'Application menu' }).getAttribute('aria-expanded')).toBe(
    'false',
  );
  await page.keyboard.press('Escape');
});

test('The buttons of the title bar minimize, maximize and restore the window', async () => {
  const { page } = run.window;
  const isMaximized = (): Promise<unknown> => run.evaluate('return electron.windows[0].isMaximized()');
  await page.getByRole('button', { name: 'Minimise' }).click();
  await expect.poll(() => run.evaluate("return electron.windows[0].calls.includes('minimize')")).toBe(true);
  await page.getByRole('button', { name: 'Maximise' }).click();
  await expect.poll(isMaximized).toBe(true);
  await page.getByRole('button', { name: /^(?:Maximise|Restore)/ }).click();
  await expect.poll(isMaximized).toBe(false);
});

test('The folder dialog chooses where a new session works', async () => {
  const { window } = run;
  const other = join(folder.path, 'other');
  const chosen = await copyDemoWorkspace(join(projectRoot, 'resources'), other);
  await run.evaluate(`electron.folders = [${JSON.stringify(chosen)}]`);
  await chooseInMenu('Open folder…');

  await expect.poll(() => window.page.getByRole('banner').first().innerText()).toContain(other);
});

test('A page that is loaded again gets fresh ports and shows what it showed', async () => {
  const { window } = run;
  await window.page.reload();
  await window.sessions.getByRole('listitem').first().waitFor();
  await window.ask(question);
  await window.turnEnded();
  expect(run.complaints).toEqual([]);
});

test('A host that is killed comes back, and the window goes on with it', async () => {
  const { window } = run;
  const before = await run.evaluate('return electron.utilities.length');
  await run.evaluate("electron.utilities.findLast(({ entry }) => entry.endsWith('host.js')).kill()");
  await expect.poll(() => run.evaluate('return electron.utilities.length')).toBe(Number(before) + 1);
  // A host that still starts may not take it: then it stands in its box again, and nothing runs.
  await window.message.fill(question);
  await window.send.click();
  await window.turnEnded();
  expect(run.complaints).toEqual([]);
});

test('Quitting ends with code 0, and lets go of the data folder', async () => {
  const other = await start();
  await other.window.ready();
  await other.evaluate('setTimeout(() => stub.app.quit())');
  expect(await other.exited).toBe(0);
  const log = readFileSync(join(other.dataDir, 'logs', 'main.log'), 'utf8');
  expect(log).not.toMatch(/"level":"error"/);
  expect(existsSync(join(other.dataDir, 'andiron.db-wal'))).toBe(false);
  await other.close();
});

test('A start that fails before ready says so once there can be a box, and ends with code 1 (desk-F20)', async () => {
  const file = join(folder.path, 'a file');
  writeFileSync(file, '');
  const { code, boxes } = await startWithoutWindow([`--data-dir=${join(file, 'inside')}`]);
  expect(code).toBe(1);
  expect(boxes.map(({ title, isReady }) => ({ title, isReady }))).toEqual([
    { title: 'Andiron cannot start', isReady: true },
  ]);
  expect(boxes[0]?.content).toMatch(/data folder/i);
});

test('A second start hands over, prints one line and ends well without a window (desk-F16)', async () => {
  const second = await startWithoutWindow(
    [`--data-dir=${join(folder.path, 'held')}`, `--workspace=${workspace}`],
    true,
  );
  expect(second.code).toBe(0);
  expect(second.boxes).toEqual([]);
  expect(second.printed.trim().split('\n')).toHaveLength(1);
  expect(second.printed).toContain(workspace);
});

test('A start while another one ends waits for it, and then opens its window (desk-F16)', async () => {
  const dataDir = join(folder.path, 'ends');
  const mark = join(dataDir, 'desktop', 'ending');
  const lock = join(folder.path, 'lock of the other');
  mkdirSync(join(dataDir, 'desktop'), { recursive: true });
  for (const file of [mark, lock]) writeFileSync(file, '');
  vi.stubEnv('ANDIRON_HELD_BY', lock);
  const starting = launchDesktop(browser, [`--engine-url=${sim.url}`, `--data-dir=${dataDir}`]);
  let isOpen = false;
  void starting.then(() => (isOpen = true));
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect([isOpen, existsSync(mark)]).toEqual([false, true]);
  rmSync(lock);
  const later = await starting;
  vi.unstubAllEnvs();
  await later.window.ready();
  expect(existsSync(mark)).toBe(false);
  await later.close();
});
