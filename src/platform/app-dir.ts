/** Which AppImage this process is, and the environment as it was before that put its own folders into it. Pure. */
import { posix } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The file to start again, because the mount with the program ends with this process; null = it is no AppImage. The
 * variables are inherited: in the terminal of another AppImage they name that one.
 */
export function ownAppImage({ APPIMAGE: file, APPDIR: mount }: Environment, execPath: string): string | null {
  if (!file || !mount || !posix.isAbsolute(file)) return null;
  return execPath.startsWith(posix.join(mount, '/')) ? file : null;
}

/** What its start sets, and what says nothing to anybody else. */
const ofAppImage: ReadonlySet<string> = new Set(['APPDIR', 'APPIMAGE', 'ARGV0', 'OWD']);

/**
 * For whatever is started from here: the folder of an AppImage is a mount that ends with it, and its libraries are not those
 * of the programs of the machine. Entries below it leave every list; a list of nothing else leaves too. This process itself
 * keeps what it was started with, because an update is told by `APPIMAGE` which file to replace.
 */
export function withoutAppDir(env: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  const folder = env['APPDIR']?.replace(/\/+$/, '');
  // Only both together are an AppImage: somebody else may name a variable so.
  const mount = folder?.startsWith('/') && env['APPIMAGE'] !== undefined ? folder : null;
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    const rest = mount === null ? value : withoutFolder(name, value, mount);
    if (rest !== null) kept[name] = rest;
  }
  return kept;
}

/** null = nothing is left of it. */
function withoutFolder(name: string, value: string, folder: string): string | null {
  if (ofAppImage.has(name)) return null;
  const isInside = (entry: string): boolean => entry === folder || entry.startsWith(`${folder}/`);
  const entries = value.split(':');
  const rest = entries.filter((entry) => !isInside(entry));
  if (rest.length === entries.length) return value;
  // An empty entry would mean the current folder: AppRun leaves one behind where a list was empty before.
  const named = rest.filter((entry) => entry !== '');
  return named.length === 0 ? null : named.join(':');
}
