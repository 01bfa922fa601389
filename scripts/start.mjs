/**
 * `npm start`: builds, then opens the desktop app; where Electron or a display is missing it says so in one line and
 * opens the same app in the browser. `--headless` only prints the address.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { commandOf, nodePath, root, run } from './node.mjs';

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
  const path = electronPath() ?? (await fetchElectron());
  return path ? { path } : { missing: 'The Electron program is not here and cannot be fetched' };
}

function electronPath() {
  const folder = join(root, 'node_modules', 'electron');
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  try {
    const path = join(override ?? join(folder, 'dist'), readFileSync(join(folder, 'path.txt'), 'utf8'));
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

async function fetchElectron() {
  console.log('Fetching the Electron program, once.');
  const install = join(root, 'node_modules', 'electron', 'install.js');
  await run([install], { stdio: 'ignore', timeout: fetchLimitMs });
  return electronPath();
}

function openDesktop(electron) {
  const began = Date.now();
  const child = spawn(electron, [root, ...args], { stdio: 'inherit' });
  follow(child, (code) => {
    if (code === 0 || Date.now() - began > startLimitMs) return false;
    console.log('Electron could not open a window, so Andiron opens in the browser.');
    serve();
    return true;
  });
}

function serve() {
  const child = spawn(nodePath(), [join(root, 'out', 'main', 'server.js'), ...args], {
    // The channel tells the server when this process is gone.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let opened = headless;
  createInterface({ input: child.stdout }).on('line', (line) => {
    console.log(line);
    const address = /http:\/\/127\.0\.0\.1:\d+\/#token=\S+/.exec(line)?.[0];
    if (!address || opened) return;
    opened = true;
    openBrowser(address);
  });
  follow(child, () => false);
}

/** Ends when the child ends. Signals go to it first, so that it can stop politely. */
function follow(child, recover) {
  const forward = (signal) => child.kill(signal);
  process.on('SIGINT', forward);
  process.on('SIGTERM', forward);
  child.on('exit', (code) => {
    process.off('SIGINT', forward);
    process.off('SIGTERM', forward);
    if (!recover(code)) process.exit(code ?? 1);
  });
}

/** The address is on the screen already, so a missing browser is no error. */
function openBrowser(address) {
  const [command, ...before] =
    process.platform === 'win32'
      ? ['rundll32', 'url.dll,FileProtocolHandler']
      : [process.platform === 'darwin' ? 'open' : 'xdg-open'];
  const child = spawn(command, [...before, address], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
