/**
 * `andiron` in a terminal where no installer could put it there: for an AppImage and on a Mac. A small script that names the
 * program by its whole path, in a folder of the person's.
 */
import { accessSync, chmodSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ownAppImage } from '../platform/app-dir.ts';
import { AndironError } from '../protocol/errors.ts';
import { askPerson, showFailure } from './show-failure.ts';
import { texts } from './texts.ts';

export interface InstalledCommand {
  path: string;
  folder: string;
  /** A terminal finds it by its name. */
  isOnPath: boolean;
}

export interface CommandPlace {
  homeDir: string;
  /** PATH as the person's terminal has it. */
  searchPath: string;
}

/** What the script starts; null = the package installed the command itself, or this is no installed Andiron. */
export function programOfCommand(
  platform: NodeJS.Platform,
  { execPath, env, isPackaged }: { execPath: string; env: NodeJS.ProcessEnv; isPackaged: boolean },
): string | null {
  if (!isPackaged) return null;
  if (platform === 'darwin') return execPath;
  return platform === 'linux' ? ownAppImage(env, execPath) : null;
}

/** Throws AndironError with what to do where it cannot be. An older one of Andiron's own is replaced. */
export function installCommand(program: string, { homeDir, searchPath }: CommandPlace): InstalledCommand {
  // macOS runs what was downloaded and never moved from a place that changes with each start.
  if (program.includes('/AppTranslocation/') || program.startsWith('/Volumes/'))
    throw new AndironError(
      'not_allowed',
      'Andiron is not in the Applications folder yet.',
      'Move it there, open it again, and install the command then.',
    );
  const listed = searchPath.split(delimiter);
  const own = join(homeDir, '.local', 'bin');
  const wanted = [own, join(homeDir, 'bin'), '/usr/local/bin', '/opt/homebrew/bin'];
  const folder = wanted.find((each) => listed.includes(each) && isWritable(each)) ?? own;
  const path = join(folder, 'andiron');
  const standing = read(path);
  if (standing !== null && !standing.includes(mark))
    throw new AndironError(
      'not_allowed',
      `Another program is ${path}.`,
      'Move it away or give it another name, then try again.',
    );
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, scriptOf(program));
    chmodSync(path, 0o755);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AndironError('storage', `${path} cannot be written.`, reason, { cause: error });
  }
  return { path, folder, isOnPath: listed.includes(folder) };
}

/** From the menu: does it, and says what became of it. Never rejects. */
export async function offerCommand(program: string, place: CommandPlace): Promise<void> {
  try {
    const { path, folder, isOnPath } = installCommand(program, place);
    const { message, detail, elsewhere } = texts.commandInstalled;
    await askPerson({
      type: 'info',
      message,
      detail: isOnPath ? detail(path) : elsewhere(path, folder),
      buttons: [texts.close],
      noLink: true,
    });
  } catch (error) {
    const isKnown = error instanceof AndironError;
    await showFailure(
      texts.commandNotInstalled,
      isKnown ? `${error.message}\n${error.advice}` : String(error),
    );
  }
}

const mark = '# The command line of Andiron.';

function scriptOf(program: string): string {
  const quoted = `'${program.replaceAll("'", `'\\''`)}'`;
  return `#!/bin/sh
${mark} Written by its menu: Help, Install command line.
if [ ! -x ${quoted} ]; then
  echo 'Andiron was moved. Open it, and choose Help, Install command line.' >&2
  exit 2
fi
exec ${quoted} "$@"
`;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** null = there is none. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? null : '';
  }
}
