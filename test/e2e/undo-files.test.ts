/** What the agent changed in a file, seen whole and taken back, in a real Chromium on real files. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, rule, script } from '../../src/sim/index.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { startAgentHouse, type AgentHouse } from './agent-house.ts';

const working = script([
  rule({ user: 'Thanks' }, reply().text('Gladly.')),
  rule({ resultCount: 0 }, reply().toolCall('read_file', { path: 'src/tides.js' })),
  rule(
    { resultCount: 1 },
    reply()
      .toolCall('edit_file', { path: 'src/tides.js', old_text: 'let high;', new_text: 'const high = 6;' })
      .toolCall('write_file', { path: 'NOTES.md', content: 'High at six.\n' }),
  ),
  rule({}, reply().text('Both are written.')),
]);

let browser: Browser;
let house: AgentHouse;
beforeAll(async () => {
  browser = await launchChromium();
  house = await startAgentHouse(browser, {
    models: [{ name: 'qwen3.5:9b', family: 'qwen3.5' }],
    files: { 'src/tides.js': 'let high;\n' },
  });
});
afterAll(async () => {
  await house.close();
  await browser.close();
});

test('a person sees the whole change, undoes it, redoes it from the notice, and never overwrites what others wrote', async () => {
  const { window, complaints, close } = await house.begin(working);
  const { page } = window;
  const inside = (path: string): string => join(house.workspace, path);
  await window.ask('Write it down');
  await window.allow();
  await window.allow();
  await window.turnEnded();

  await page.keyboard.press('Control+j');
  await page.getByRole('button', { name: /^src\/tides\.js/ }).click();
  const dialog = page.getByRole('dialog', { name: 'src/tides.js' });
  await dialog.getByText('1 of 1 change').waitFor();
  expect(await window.axe()).toEqual([]);
  await dialog.getByRole('button', { name: 'Undo all changes' }).click();
  await dialog.getByText('As it was before this session.').waitFor();
  expect(readFileSync(inside('src/tides.js'), 'utf8')).toBe('let high;\n');
  await dialog.getByRole('button', { name: 'Redo' }).click();
  await dialog.getByText('As Andiron left it.').waitFor();
  expect(readFileSync(inside('src/tides.js'), 'utf8')).toBe('const high = 6;\n');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  // The notice of an undo has the way back, and lies over nothing of the transcript (audit-U19).
  await page.keyboard.press('Escape');
  const undoNewest = async (): Promise<void> => {
    await page.keyboard.press('Control+j');
    await page.getByRole('button', { name: 'Undo file changes' }).click();
    await page.getByRole('menuitem', { name: /newest turn/ }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'Files changed' }).waitFor({ state: 'detached' });
  };
  await undoNewest();
  const notices = page.getByRole('region', { name: 'Notices' });
  await notices.getByText('Undid changes to 2 files.').waitFor();
  expect(existsSync(inside('NOTES.md'))).toBe(false);
  const end = await window.transcript.getByText('Both are written.').boundingBox();
  const top = (await notices.boundingBox())?.y ?? 0;
  expect((end?.y ?? Infinity) + (end?.height ?? 0)).toBeLessThanOrEqual(top);
  await notices.getByRole('button', { name: 'Redo' }).click();
  await notices.getByText('Redid changes to 2 files.').waitFor();
  expect(readFileSync(inside('NOTES.md'), 'utf8')).toBe('High at six.\n');

  writeFileSync(inside('src/tides.js'), 'their own;\n');
  await undoNewest();
  await page.getByText('src/tides.js was left as it is: it was changed outside since.').waitFor();
  expect([readFileSync(inside('src/tides.js'), 'utf8'), existsSync(inside('NOTES.md'))]).toEqual([
    'their own;\n',
    false,
  ]);

  // Another turn later the first one still has its files in its own place.
  await window.ask('Thanks');
  await window.turnEnded();
  const changes = window.transcript.getByRole('region', { name: 'Changed 2 files' });
  await window.showChanges();
  await changes.getByRole('listitem').filter({ hasText: 'changed outside since' }).waitFor();
  await changes.getByRole('button', { name: 'Redo 1 file change' }).click();
  await changes.getByRole('button', { name: 'Undo 1 file change' }).waitFor();
  expect(readFileSync(inside('NOTES.md'), 'utf8')).toBe('High at six.\n');
  expect(await window.axe()).toEqual([]);
  await page.keyboard.press('Enter');
  await changes.getByRole('button', { name: 'Redo 1 file change' }).waitFor();
  expect([readFileSync(inside('src/tides.js'), 'utf8'), existsSync(inside('NOTES.md'))]).toEqual([
    'their own;\n',
    false,
  ]);
  await close();
  expect(complaints).toEqual([]);
});
