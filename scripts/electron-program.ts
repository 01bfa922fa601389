/** What `npm start` decides about the Electron program: pure, or about one folder that it is given. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { windowsProgram } from '../src/platform/system-programs.ts';

/** Where Electron's folder has its program. */
const programNames: Partial<Record<string, string>> = {
  linux: 'electron',
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};

/**
 * Absolute path of the program that belongs to the installed package; null = it is missing, or left by another version.
 * @param folder of the package `electron`
 * @param options `override`: a folder of whoever brings their own
 */
export function installedElectron(
  folder: string,
  { override, platform }: { override?: string | undefined; platform: string },
): string | null {
  if (override) return existing(join(override, programNames[platform] ?? ''));
  const listed = textOf(join(folder, 'path.txt'));
  if (!listed || !isCurrent(folder)) return null;
  return existing(join(folder, 'dist', listed));
}

/** An update of the package leaves the program of the version before until install.js runs. */
function isCurrent(folder: string): boolean {
  const manifest = textOf(join(folder, 'package.json'));
  const unpacked = textOf(join(folder, 'dist', 'version'))
    ?.trim()
    .replace(/^v/, '');
  return manifest !== null && unpacked === (JSON.parse(manifest) as { version?: string }).version;
}

function existing(path: string): string | null {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? path : null;
}

function textOf(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/**
 * Why a fetch failed, in one line.
 * @param errors what install.js wrote
 */
export function fetchFailure(errors: string, timedOut: boolean): string {
  if (timedOut) return 'the download took too long';
  const lines = errors
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^at |^[{}]+$/.test(line));
  // Its stack follows the message, and a warning may come before it.
  const reason = lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1);
  return reason?.replace(/^\w*Error: /, '').slice(0, 200) ?? 'no reason was given';
}

/**
 * How Electron is asked to close. On Windows every signal is the final one, while a closing window can still stop the
 * turns. null = by SIGTERM.
 */
export function closeCommand(
  platform: string,
  pid: number,
  env: Readonly<Record<string, string | undefined>>,
): { file: string; args: string[] } | null {
  if (platform !== 'win32') return null;
  return { file: windowsProgram(env, 'taskkill.exe'), args: ['/PID', String(pid)] };
}

/**
 * What a person can do when Electron ended at once on Linux: its sandbox needs a helper that root owns where user
 * namespaces are restricted (Ubuntu 24.04 and later). null = that is not the reason.
 * @param program absolute path of Electron
 */
export function sandboxAdvice(
  program: string,
  stat: (path: string) => { uid: number; mode: number } | undefined,
): string | null {
  const helper = join(program, '..', 'chrome-sandbox');
  const facts = stat(helper);
  if (!facts) return null;
  const isSetUid = (facts.mode & 0o4000) !== 0;
  if (facts.uid === 0 && isSetUid) return null;
  return `If Electron's sandbox helper is the reason, run: sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'`;
}
