/**
 * `node test/smoke/packed.mjs FOLDER`: drives a packed Andiron as a person would. Playwright's own way into Electron
 * needs `--inspect`, which the fuses turn off, so the page is reached over Chromium's debugging port.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { AndironPage } from '../e2e/page.ts';

const startLimitMs = 90_000;
const programNames = { linux: 'andiron', darwin: 'Andiron', win32: 'Andiron.exe' };

/** The program in a folder of packages, an installation or an extracted AppImage. */
export function findProgram(folder, platform = process.platform) {
  const name = programNames[platform];
  const isProgram = (path) =>
    path.endsWith(join('/', name)) && (platform !== 'darwin' || path.endsWith(`.app/Contents/MacOS/${name}`));
  const found = readdirSync(folder, { recursive: true })
    .map((path) => join(folder, String(path)))
    .filter((path) => isProgram(path) && statSync(path).isFile())
    .toSorted((a, b) => a.length - b.length);
  if (found.length === 0) throw new Error(`${folder} has no ${name}.`);
  return found[0];
}

/** Where Chromium tells its port: on stderr, and in a file where a Windows program has none. */
async function debuggingAddress(child, dataDir) {
  let errors = '';
  child.stderr.on('data', (part) => {
    errors += part;
  });
  const file = join(dataDir, 'desktop', 'DevToolsActivePort');
  for (const began = Date.now(); Date.now() - began < startLimitMs; await sleep(200)) {
    const told = /DevTools listening on (ws:\S+)/.exec(errors)?.[1];
    if (told) return told;
    if (existsSync(file)) return `http://127.0.0.1:${readFileSync(file, 'utf8').split('\n')[0]}`;
    if (child.exitCode !== null) throw new Error(`Andiron ended with ${child.exitCode}.\n${errors}`);
  }
  throw new Error(`Andiron opened no debugging port within ${startLimitMs / 1000} s.\n${errors}`);
}

async function withAndiron(program, dataDir, act) {
  const child = spawn(program, ['--remote-debugging-port=0', `--data-dir=${dataDir}`, '--demo'], {
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const exited = once(child, 'exit');
  try {
    const browser = await chromium.connectOverCDP(await debuggingAddress(child, dataDir));
    const [context] = browser.contexts();
    const page = context.pages()[0] ?? (await context.waitForEvent('page'));
    await act(new AndironPage(page));
    // As the button of the window does. The connection ends with it.
    await page.evaluate(() => globalThis.andiron.window.close()).catch(() => undefined);
    const [code] = await Promise.race([exited, sleep(30_000, ['none'])]);
    if (code !== 0) throw new Error(`Closing the window ended Andiron with ${code}.`);
  } finally {
    if (child.exitCode === null) child.kill('SIGKILL');
  }
}

function check(is, what) {
  if (!is) throw new Error(`Not so: ${what}`);
  console.log(`ok: ${what}`);
}

const question = 'What is in this folder? Read the readme and tell me what it does.';

async function firstStart(window) {
  await window.ready();
  check(window.page.url() === 'app://andiron/', 'the page comes from the package');
  const open = await window.page.evaluate(() => 'require' in globalThis || 'process' in globalThis);
  check(!open, 'the page has no Node');
  await window.ask(question);
  await window.stop.waitFor();
  await window.turnEnded();
  const said = await window.transcript.innerText();
  check(said.includes('readme') || said.includes('README'), 'a turn read a file and answered');
  const files = await window.page.evaluate(() => performance.getEntriesByType('resource').length);
  check(files > 0, 'scripts and styles were loaded');
}

async function secondStart(window) {
  await window.ready();
  await window.sessions.getByRole('listitem').first().waitFor();
  check((await window.sessions.getByRole('listitem').count()) > 0, 'the session is there after a restart');
}

if (process.argv[1]?.endsWith('packed.mjs')) {
  const dataDir = mkdtempSync(join(process.env.RUNNER_TEMP ?? tmpdir(), 'andiron-smoke-'));
  try {
    const program = findProgram(process.argv[2] ?? 'dist');
    console.log(`Trying ${program}`);
    await withAndiron(program, dataDir, firstStart);
    await withAndiron(program, dataDir, secondStart);
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    // The data stays: its logs are uploaded.
    console.error(error);
    process.exitCode = 1;
  }
}
