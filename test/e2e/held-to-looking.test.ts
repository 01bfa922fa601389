/** A message that the model took for a question, in a real Chromium: what the window says of it, and the way out. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/host/store/store.ts';
import { summary, textItem, turn } from '../../src/host/store/testing.ts';
import { silentLog } from '../../src/platform/log.ts';
import type { Turn } from '../../src/protocol/model.ts';
import { reply, rule, script, startSim } from '../../src/sim/index.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { proveModels } from '../helpers/proven-models.ts';
import { temporaryFolder } from '../helpers/server-process.ts';
import { launchWeb } from './launch-web.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
});

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close();
});

const question = 'The retry delay is doubled once too often.';
const answer = 'I have fixed it in retry.ts.';

const storeIn = (dataDir: string) =>
  openStore({ dataDir, log: silentLog, newId: (prefix) => `${prefix}seeded` });

/** A session whose newest turn was held to looking, written while no server has the folder open. */
function fillHeldSession(dataDir: string): void {
  const store = storeIn(dataDir);
  try {
    store.createSession({
      summary: summary({ title: 'Retry delay', workspace: dataDir, status: 'idle' }),
      workspaceReal: dataDir,
      contextUsage: null,
    });
    const ended: Partial<Turn> = {
      text: question,
      status: 'finished',
      phase: null,
      phaseSince: null,
      endedAt: 2,
      closed: true,
    };
    const scope = {
      change: false,
      run: false,
      steps: [{ act: 'answer' as const, what: 'why it is doubled' }],
    };
    store.saveTurn('s', turn({ ...ended, scope }));
    store.saveItem('s', textItem(0, { kind: 'user', text: question }));
    store.saveItem('s', textItem(1, { text: answer }));
    store.saveItem('s', textItem(2, { kind: 'note', note: 'unproven', text: 'Nothing was changed or run.' }));
    store.appendContext('s', [{ role: 'user', content: question }], 't');
    store.appendContext('s', [{ role: 'assistant', content: answer, thinking: '', calls: [] }], 't');
  } finally {
    store.close();
  }
}

/** As the folder has them once its server has ended. */
function storedTurns(dataDir: string): Turn[] {
  const store = storeIn(dataDir);
  try {
    return store.allTurns('s');
  } finally {
    store.close();
  }
}

test('a turn that only looked says so, and is let make changes by one key', async () => {
  const data = temporaryFolder();
  open.push({ close: () => data.remove() });
  const sim = await startSim({ speed: 50, script: script([rule({}, reply().text('Now it is changed.'))]) });
  open.push(sim);
  const args = [`--data-dir=${data.path}`, `--engine-url=${sim.url}`, `--workspace=${data.path}`];
  await proveModels(args);
  fillHeldSession(data.path);
  const app = await launchWeb(browser, args);
  open.push(app);
  const { window, complaints } = await app.open();
  await window.ready();
  await window.sessions.getByText('Retry delay').click();
  await window.transcript.getByText('Answers without a tool').waitFor();
  await window.transcript.getByText('Nothing was changed or run.').waitFor();
  expect(await window.axe()).toEqual([]);

  // Neither is part of what was said.
  const selected = await window.transcript.evaluate((log) => {
    getSelection()?.selectAllChildren(log);
    return String(getSelection());
  });
  expect(selected).toContain(answer);
  expect(selected).not.toMatch(/Answers without a tool|Let it make changes|Nothing was changed/);

  await window.transcript.getByRole('button', { name: 'Let it make changes' }).focus();
  await window.page.keyboard.press('Enter');
  await window.transcript.getByText('Now it is changed.').waitFor();
  await window.turnEnded();
  await expect.poll(() => window.transcript.getByText('Answers without a tool').count()).toBe(0);
  await window.page.reload();
  await window.transcript.getByText('Now it is changed.').waitFor();
  // The version that only looked is as it was, and so is the other one.
  await window.transcript.getByRole('button', { name: 'Earlier version' }).click();
  await window.transcript.getByRole('button', { name: 'Let it make changes' }).waitFor();
  await window.transcript.getByRole('button', { name: 'Later version' }).click();
  await window.transcript.getByText('Now it is changed.').waitFor();
  await expect
    .poll(() => window.transcript.getByRole('button', { name: 'Let it make changes' }).count())
    .toBe(0);
  expect(complaints).toEqual([]);

  await app.server.stop();
  expect(storedTurns(data.path)).toMatchObject([
    { id: 't', replaced: true, scope: { change: false } },
    { text: question, allow: ['change', 'run'], status: 'finished' },
  ]);
});
