/** Plans, subagents, the cap, summaries, mended calls and search as a person sees them, in a real Chromium. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { demoScript } from '../../src/sim/demo/index.ts';
import { reply, rule, script, type Reply, type Script } from '../../src/sim/index.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { startAgentHouse, type AgentHouse } from './agent-house.ts';
import type { OpenWindow } from './launch-web.ts';

const model = { name: 'qwen3.5:9b', family: 'qwen3.5' } as const;
/** A window is what its model was loaded with, so the small one has a model of its own. */
const small = { name: 'small:2b', family: 'qwen3.5' } as const;

let browser: Browser;
let house: AgentHouse;
beforeAll(async () => {
  browser = await launchChromium();
  house = await startAgentHouse(browser, {
    models: [model, small],
    files: { 'README.md': '# Tide tables\n\nTells when the tide is high.\n', 'src/tides.js': 'let high;\n' },
    profiles: {
      short: { tools: ['list_files', 'read_file'], maxIterations: 2 },
      small: { models: [small.name], contextTokens: 3072, compactAt: 0.5, keepRecentTurns: 1 },
    },
  });
});
afterAll(async () => {
  await house.close();
  await browser.close();
});

let view: OpenWindow | undefined;
afterEach(async () => {
  const { complaints = [] } = view ?? {};
  await view?.close();
  view = undefined;
  if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join('; ')}`);
});

/** A window on a new session in which the model answers like this. */
async function begin(answers: Script, profile?: string) {
  view = await house.begin(answers);
  if (profile !== undefined) await view.window.chooseProfile(profile);
  return view.window;
}

describe('a planned task', () => {
  test('shows its plan, hands a part to a subagent, ticks its steps with evidence, and is answered (D9, D12, A4)', async () => {
    const window = await begin(demoScript, 'Planner');
    const plan = window.card('Plan');
    await window.ask('Write a report about this folder.');
    await window.approval.waitFor();
    await expect.poll(() => plan.innerText()).toContain('3 of 5 done');
    // While a question is open it is what there is to read.
    await expect.poll(() => plan.getByRole('listitem').count()).toBe(0);
    await plan.getByRole('button', { name: /^Plan/, expanded: false }).click();
    const reader = window.card(/^reader: /);
    await expect.poll(() => reader.count()).toBe(0);
    await window.transcript
      .getByRole('button', { name: /1 call/, expanded: false })
      .last()
      .click();
    await expect.poll(() => reader.innerText()).toContain('2 calls');
    await window.approval.waitFor();
    expect(await window.axe()).toEqual([]);
    await window.allow();
    await window.turnEnded();
    // Whoever has opened the plan keeps it.
    const proof = plan.getByText(/^exists, \d+ bytes$/);
    await proof.waitFor();
    // What can be done with a step never stands over what proves it.
    const menu = plan
      .getByRole('listitem')
      .filter({ hasText: /exists, \d+ bytes/ })
      .getByRole('button', { name: /^Actions for/ });
    await menu.focus();
    const [fact, actions] = await Promise.all([proof.locator('..').boundingBox(), menu.boundingBox()]);
    expect((fact?.x ?? 0) + (fact?.width ?? Infinity)).toBeLessThanOrEqual(actions?.x ?? 0);
    await window.transcript.getByText(/^The report is in/).waitFor();
    expect(await window.axe()).toEqual([]);
  });
});

const task = { task: 'Write NOTES.md.', briefing: 'The readme knows.' };

/** What the subagent does, reply by reply; its parent spawns it and then answers. */
const withSubagent = (...subagent: Reply[]): Script =>
  script([
    ...subagent.map((said, results) => rule({ user: 'You are a subagent', resultCount: results }, said)),
    rule({ resultCount: 0 }, reply().toolCall('spawn_agent', task)),
    rule({}, reply().text('I go on by myself.')),
  ]);

describe('a subagent', () => {
  const reads = reply().toolCall('read_file', { path: 'README.md' });

  test('is seen at work in its own card, asks there, and is folded away when it has ended (A7, G3)', async () => {
    const write = reply().toolCall('write_file', { path: 'NOTES.md', content: 'High at one.\n' });
    const window = await begin(withSubagent(reads, write, reply().text('NOTES.md is written.')));
    await window.ask('Make notes');
    await window.approval.waitFor();
    const reading = window.transcript.getByRole('button', { name: /^Read README\.md/ });
    await expect.poll(() => reading.isVisible()).toBe(true);
    await expect.poll(() => window.approval.innerText()).toContain('the subagent developer');
    await window.allow();
    await window.transcript.getByText('I go on by myself.').waitFor();
    await window.turnEnded();
    await reading.waitFor({ state: 'detached' });
    await window.showWork();
    await window
      .card(/^developer: /)
      .getByRole('button')
      .click();
    await reading.waitFor();
    await window.transcript.getByText('NOTES.md is written.').waitFor();
  });

  const hangs = reply().text('Now I think about').pause(60_000);

  test('is stopped alone: its card says so, and its parent goes on and answers', async () => {
    const window = await begin(withSubagent(reads, hangs));
    await window.ask('Make notes');
    await window.transcript.getByText('Now I think about').waitFor();
    await window
      .card(/^developer: /)
      .getByRole('button', { name: 'Stop agent' })
      .click();
    await window.transcript.getByText('I go on by myself.').waitFor();
    await window.turnEnded();
    await window.showWork();
    await expect.poll(() => window.card(/^developer: /).innerText()).toContain('stopped by you, 1 call');
  });

  test('is stopped with everything else by Stop', async () => {
    const window = await begin(withSubagent(reads, hangs));
    await window.ask('Make notes');
    await window.transcript.getByText('Now I think about').waitFor();
    await window.stop.click();
    await window.transcript.getByText(/^Stopped in/).waitFor();
    await expect.poll(() => window.card(/^developer: /).innerText()).toContain('stopped by you');
    await expect.poll(() => window.transcript.getByText('I go on by myself.').count()).toBe(0);
  });
});

test('a turn that used up its steps says so, and Continue goes on (P5)', async () => {
  const window = await begin(
    script([
      rule({ user: /^Continue\./ }, reply().text('Two files. That is all.')),
      rule({ resultCount: 0 }, reply().toolCall('list_files')),
      rule({ resultCount: 1 }, reply().toolCall('read_file', { path: 'README.md' })),
    ]),
    'short',
  );
  await window.ask('Look at everything');
  await window.transcript.getByText('2 steps used, the limit of the profile').waitFor();
  await window.transcript.getByRole('button', { name: 'Continue' }).click();
  await window.transcript.getByText('Two files. That is all.').waitFor();
  await window.turnEnded();
  await expect.poll(() => window.transcript.getByRole('button', { name: 'Continue' }).count()).toBe(0);
});

/** Words that are in no other answer. */
const long = (nth: number): string => Array.from({ length: 300 }, (_, at) => `w${nth}-${at}`).join(' ');

test('a full window is summarised: the summary can be read, and undone (I4)', async () => {
  const window = await begin(
    script([
      rule({ user: 'Write a summary of this conversation' }, reply().text('Goal: know the tides.')),
      rule({}, ({ nth }) => reply().text(`${long(nth)} the end`)),
    ]),
    'small',
  );
  const summary = window.card('Summarised older turns');
  for (const question of ['High tide?', 'Low tide?']) {
    await window.ask(question);
    await window.transcript
      .getByText(/the end$/)
      .last()
      .waitFor();
    await window.turnEnded();
  }
  await summary.getByRole('button', { name: 'Read summary' }).click();
  await summary.getByText('Goal: know the tides.').waitFor();
  await summary.getByRole('button', { name: 'Undo' }).click();
  await summary.getByText('undone').waitFor();
  await expect.poll(() => summary.getByRole('button', { name: 'Undo' }).count()).toBe(0);
});

test('a call in a code fence runs, and its row says what was mended', async () => {
  const call = JSON.stringify({ name: 'read_file', arguments: { path: 'README.md' } });
  const fenced = `I read it.\n\n\`\`\`json\n${call}\n\`\`\``;
  const window = await begin(
    script([
      rule({ user: 'What does the readme say?', resultCount: 0 }, reply().text(fenced)),
      rule({}, reply().text('It is about tides.')),
    ]),
  );
  await window.ask('What does the readme say?');
  await window.transcript.getByText('It is about tides.').waitFor();
  await window.turnEnded();
  await window.showWork();
  const row = window.transcript.getByRole('button', { name: /README\.md repaired/ });
  await row.click();
  await window.transcript.getByText('Repaired before it ran: read from a code fence').waitFor();
  await expect.poll(() => window.transcript.innerText()).not.toContain('"arguments"');
});

test('what an earlier version said is found, unfolded and brought into view', async () => {
  const birds = [reply().text(`An ibis. ${long(1)}`), reply().text(`A stork. ${long(2)}`)];
  const window = await begin(script([rule({ user: 'Which bird?' }, () => birds.shift())]));
  await window.ask('Which bird?');
  await window.transcript.getByText(/^An ibis\./).waitFor();
  await window.turnEnded();
  await window.transcript.getByRole('button', { name: 'Regenerate' }).click();
  await window.transcript.getByText(/^A stork\./).waitFor();
  await window.turnEnded();
  await expect.poll(() => window.transcript.getByText(/^An ibis\./).count()).toBe(0);

  await window.page.getByRole('searchbox').fill('ibis');
  await window.page.locator('[data-row^="hit:"] > button').first().click();
  const found = window.transcript.getByText(/^An ibis\./);
  await found.waitFor();
  await expect.poll(async () => ((await found.boundingBox())?.y ?? -1) > 0).toBe(true);
});
