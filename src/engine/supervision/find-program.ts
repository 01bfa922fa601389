/** Where Ollama is installed and how this platform starts it (contract 6.3, 6.4). */
import { posix, win32 } from 'node:path';
import type { EngineFiles, LaunchSpec, Machine } from '../deps.ts';

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

export async function findProgram(machine: Machine, exists: Exists): Promise<ProgramSearch> {
  if (machine.platform === 'darwin') return findOnMac(machine, exists);
  if (machine.platform === 'win32') return findOnWindows(machine, exists);
  return findOnLinux(machine, exists);
}

async function findOnLinux(machine: Machine, exists: Exists): Promise<ProgramSearch> {
  const tried = unique([
    ...pathFolders(machine).map((folder) => posix.join(folder, 'ollama')),
    '/usr/local/bin/ollama',
    '/usr/bin/ollama',
    '/bin/ollama',
  ]);
  const program = await firstExisting(tried, exists);
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
  const programs = unique([
    ...pathFolders(machine).map((folder) => posix.join(folder, 'ollama')),
    // Apps get a short PATH, so the usual places are named.
    '/usr/local/bin/ollama',
    '/opt/homebrew/bin/ollama',
  ]);
  const tried = [...apps, ...programs];
  const app = await firstExisting(apps, exists);
  if (app) {
    const launch = { command: 'open', args: ['-j', '-a', app, '--args', '--fast-startup'], env: {} };
    return { found: { program: app, launch, hint: 'Open Ollama from the Applications folder.' }, tried };
  }
  const program = await firstExisting(programs, exists);
  return { found: program ? serve(program, 'ollama serve') : null, tried };
}

async function findOnWindows(machine: Machine, exists: Exists): Promise<ProgramSearch> {
  const local = machine.env['LOCALAPPDATA'] ?? win32.join(machine.homeDir, 'AppData', 'Local');
  const onPath = pathFolders(machine);
  const tried = unique([
    win32.join(local, 'Programs', 'Ollama', 'ollama.exe'),
    ...onPath.map((folder) => win32.join(folder, 'ollama.exe')),
  ]);
  const program = await firstExisting(tried, exists);
  if (!program) return { found: null, tried };
  const trays = [win32.dirname(program), win32.join(local, 'Ollama'), ...onPath].map((folder) =>
    win32.join(folder, 'ollama app.exe'),
  );
  const tray = await firstExisting(trays, exists);
  if (!tray) return { found: serve(program, 'ollama.exe serve'), tried };
  const launch = { command: tray, args: ['--hide', '--fast-startup'], env: {} };
  return { found: { program, launch, hint: 'Open Ollama from the Start menu.' }, tried };
}

function serve(program: string, typed: string): FoundProgram {
  return { program, launch: { command: program, args: ['serve'], env: {} }, hint: `Run: ${typed}` };
}

function pathFolders(machine: Machine): string[] {
  const windows = machine.platform === 'win32';
  // Windows spells the variable as it likes; process.env hides that, a copy of it does not.
  const key = Object.keys(machine.env).find((name) => (windows ? name.toUpperCase() : name) === 'PATH');
  const folders = (key ? (machine.env[key] ?? '') : '').split(windows ? ';' : ':');
  return folders.filter((folder) => (windows ? win32 : posix).isAbsolute(folder));
}

async function firstExisting(paths: readonly string[], exists: Exists): Promise<string | null> {
  for (const path of paths) if (await exists(path)) return path;
  return null;
}

function unique(paths: readonly string[]): string[] {
  return [...new Set(paths)];
}
