/**
 * `npm start`: builds, then opens the desktop app; where Electron or a display is missing it says so in one line and
 * opens the same app in the browser. `--headless` only prints the address.
 */
import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { handOn, startClean } from '../src/platform/clean-start.ts';
import { closeCommand, fetchFailure, installedElectron, sandboxAdvice } from './electron-program.ts';
import { commandOf, nodePath, root, run } from './node.mjs';

/** With the keys that this process itself no longer has where others could read them. */
const given = startClean(() => false);

const args = process.argv.slice(2);
const headless = args.includes('--headless') || args.includes('--help');

/** Long enough for a slow line; where there is none at all the fetch fails within seconds. */
const fetchLimitMs = 180_000;
/** An Electron that ends this soon and badly could not open a window at all. */
const startLimitMs = 5_000;

const built = await run([commandOf('electron-vite'), 'build', '--logLevel', 'warn']);
if (built !== 0) process.exit(built);

if (headless) serve();
else {
  const electron = await findElectron();
  if (electron.path) openDesktop(electron.path);
  else {
    console.log(`${electron.missing}, so Andiron opens in the browser.`);
    serve();
  }
}

/** `{ path }`, or `{ missing }`: why there is no desktop app. */
async function findElectron() {
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    return { missing: 'There is no display' };
  }
  if (process.platform === 'linux' && process.getuid() === 0) {
    return { missing: 'Electron does not run as root' };
  }
  const path = electronPath();
  return path ? { path } : fetchElectron();
}

function electronPath() {
  return installedElectron(join(root, 'node_modules', 'electron'), {
    override: process.env.ELECTRON_OVERRIDE_DIST_PATH,
    platform: process.platform,
  });
}

async function fetchElectron() {
  console.log('Fetching the Electron program, once.');
  const install = join(root, 'node_modules', 'electron', 'install.js');
  const errors = [];
  const began = Date.now();
  await run([install], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: fetchLimitMs,
    onSpawn: (spawned) => spawned.stderr.on('data', (part) => errors.push(part)),
  });
  const path = electronPath();
  if (path) return { path };
  const why = fetchFailure(Buffer.concat(errors).toString(), Date.now() - began >= fetchLimitMs);
  return { missing: `The Electron program could not be fetched (${why})` };
}

function openDesktop(electron) {
  const began = Date.now();
  const child = spawn(electron, [root, ...joinValues(args)], {
    stdio: 'inherit',
    // In the terminals of some editors it is set, and Electron would be a plain Node.
    env: { ...given, ELECTRON_RUN_AS_NODE: undefined },
  });
  // Electron dies at once of a signal that comes twice, and the terminal's Ctrl-C reaches it without us.
  const end = () => {
    const command = closeCommand(process.platform, child.pid, given);
    const kill = () => child.kill('SIGTERM');
    if (!command) kill();
    else spawn(command.file, command.args, { stdio: 'ignore', windowsHide: true }).on('error', kill);
  };
  follow(child, end, (code) => {
    if (code === 0 || Date.now() - began > startLimitMs) return false;
    console.log('Electron could not open a window, so Andiron opens in the browser.');
    const advice = process.platform === 'linux' && sandboxAdvice(electron, statOf);
    if (advice) console.log(advice);
    serve();
    return true;
  });
}

function statOf(path) {
  return statSync(path, { throwIfNoEntry: false });
}

function serve() {
  // The server opens the browser itself: whatever this process passed to one could be read by every user.
  const open = headless ? [] : ['--open'];
  const { env, handed } = handOn(given);
  const child = spawn(nodePath(), [join(root, 'out', 'main', 'server.js'), ...args, ...open], {
    // The channel tells the server when this process is gone.
    stdio: ['ignore', 'inherit', 'inherit', 'pipe', 'ipc'],
    env,
  });
  // One that ended at once reads nothing.
  child.stdio[3]?.on('error', () => undefined);
  child.stdio[3]?.end(handed);
  // On Windows a signal is always the final one, and Ctrl-C reaches the server by itself.
  const end = (signal) => process.platform !== 'win32' && child.kill(signal);
  follow(child, end, () => false);
}

/** `--flag value` as `--flag=value`: on Windows Electron refuses whatever follows an argument that is an address. */
function joinValues(words) {
  const joined = [];
  for (const word of words) {
    if (joined.length === 0 || word.startsWith('-')) joined.push(word);
    else joined.push(`${joined.pop()}=${word}`);
  }
  return joined;
}

/** Ends when the child ends. Signals go to it first (`end`), so that it can stop politely. */
function follow(child, end, recover) {
  let asked = false;
  const pass = (signal) => {
    asked = true;
    end(signal);
  };
  process.on('SIGINT', pass);
  process.on('SIGTERM', pass);
  const ended = (code) => {
    process.off('SIGINT', pass);
    process.off('SIGTERM', pass);
    if (asked || !recover(code)) process.exit(code ?? 1);
  };
  child.on('exit', ended);
  child.on('error', (error) => {
    console.error(error.message);
    // Without a process id it never began, and no exit comes.
    if (child.pid === undefined) ended(null);
  });
}
