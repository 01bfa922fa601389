/** Where Ollama is installed and how this platform starts it. */
import { posix, win32 } from 'node:path';
import type { EngineFiles, LaunchSpec, Machine } from '../base/engine-deps.ts';

export interface FoundProgram {
  /** Absolute path of the command line program, or of the app on a Mac. */
  program: string;
  /** null = not ours to start: `hint` says how a person does it. */
  launch: LaunchSpec | null;
  hint: string;
}

export interface ProgramSearch {
  found: FoundProgram | null;
  /** Every place that was looked at, in order. */
  tried: string[];
}

type Exists = EngineFiles['exists'];

const onThePath = 'ollama on the PATH';
const trayApp = 'ollama app.exe';

export async function findProgram(machine: Machine, exists: Exists): Promise<ProgramSearch> {
  if (machine.platform === 'darwin') return findOnMac(machine, exists);
  if (machine.platform === 'win32') return findOnWindows(machine, exists);
  return findOnLinux(machine, exists);
}

async function findOnLinux(machine: Machine, exists: Exists): Promise<ProgramSearch> {
  const places = ['/usr/local/bin/ollama', '/usr/bin/ollama', '/bin/ollama'];
  const tried = [onThePath, ...places];
  const program = await firstExisting([...onPath(machine, 'ollama'), ...places], exists);
  if (!program) return { found: null, tried };
  // The service runs as its own user with its own models: `ollama serve` beside it would show an empty library.
  if ((await exists('/etc/systemd/system/ollama.service')) && (await exists('/run/systemd/system'))) {
    const hint = 'It is installed as a system service. Start it with: sudo systemctl start ollama';
    return { found: { program, launch: null, hint }, tried };
  }
  return { found: serve(program, 'ollama serve'), tried };
}

async function findOnMac(machine: Machine, exists: Exists): Promise<ProgramSearch> {
  const apps = ['/Applications/Ollama.app', posix.join(machine.homeDir, 'Applications/Ollama.app')];
  // Apps get a short PATH, so the usual places are looked at besides.
  const places = ['/usr/local/bin/ollama', '/opt/homebrew/bin/ollama'];
  const tried = [...apps, onThePath, ...places];
  const app = await firstExisting(apps, exists);
  if (app) {
    const launch = { command: 'open', args: ['-j', '-a', app, '--args', '--fast-startup'], env: {} };
    return { found: { program: app, launch, hint: 'Open Ollama from the Applications folder.' }, tried };
  }
  const program = await firstExisting([...onPath(machine, 'ollama'), ...places], exists);
  return { found: program === null ? null : serve(program, 'ollama serve'), tried };
}

async function findOnWindows(machine: Machine, exists: Exists): Promise<ProgramSearch> {
  const local = machine.env['LOCALAPPDATA'] ?? win32.join(machine.homeDir, 'AppData', 'Local');
  const place = win32.join(local, 'Programs', 'Ollama', 'ollama.exe');
  const tried = [place, onThePath];
  const program = await firstExisting([place, ...onPath(machine, 'ollama.exe')], exists);
  if (!program) return { found: null, tried };
  const trays = [win32.dirname(program), win32.join(local, 'Ollama')].map((folder) =>
    win32.join(folder, trayApp),
  );
  const tray = await firstExisting([...trays, ...onPath(machine, trayApp)], exists);
  if (!tray) return { found: serve(program, 'ollama.exe serve'), tried };
  const launch = { command: tray, args: ['--hide', '--fast-startup'], env: {} };
  return { found: { program, launch, hint: 'Open Ollama from the Start menu.' }, tried };
}

function serve(program: string, typed: string): FoundProgram {
  return { program, launch: { command: program, args: ['serve'], env: {} }, hint: `Run: ${typed}` };
}

/** Every absolute place in which the PATH would look for `name`, in order. */
function onPath(machine: Machine, name: string): string[] {
  const windows = machine.platform === 'win32';
  const path = windows ? win32 : posix;
  // Windows spells the variable as it likes; process.env hides that, a copy of it does not.
  const key = Object.keys(machine.env).find((name) => (windows ? name.toUpperCase() : name) === 'PATH');
  const folders = (key ? (machine.env[key] ?? '') : '').split(path.delimiter);
  return folders.filter((folder) => path.isAbsolute(folder)).map((folder) => path.join(folder, name));
}

async function firstExisting(paths: readonly string[], exists: Exists): Promise<string | null> {
  for (const path of paths) if (await exists(path)) return path;
  return null;
}
