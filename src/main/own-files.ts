/** What the page may show or open outside the window: only what lies in a session's folder or the data folder. */
import { realpath, stat } from 'node:fs/promises';
import { basename, extname, isAbsolute, relative, resolve, sep } from 'node:path';
import { shell } from 'electron';
import { z } from 'zod';
import type { FileOutcome } from '../protocol/desktop.ts';

export interface OwnFilesDeps {
  dataDir: string;
  /** As the host tells it, not the page; null = there is no such session. */
  workspaceOf: (sessionId: string) => string | null;
  platform: NodeJS.Platform;
}

/** As the page asks; nothing in it is trusted. */
export const fileActionSchema = z.object({
  action: z.enum(['show', 'open']),
  sessionId: z.string().max(200).nullable(),
  path: z.string().min(1).max(4096),
});
export type FileAction = z.infer<typeof fileActionSchema>;

/** A link that leads outside is outside. */
export async function handOut(
  { action, sessionId, path }: FileAction,
  { dataDir, workspaceOf, platform }: OwnFilesDeps,
): Promise<FileOutcome> {
  const workspace = sessionId === null ? null : workspaceOf(sessionId);
  const base = workspace ?? dataDir;
  try {
    const wanted = resolve(base, path);
    const homes = await Promise.all([dataDir, base].map((folder) => realpath(folder)));
    // Before anything is touched there: on Windows to look at a path may be to call another machine.
    if (![dataDir, base, ...homes].some((folder) => isInside(folder, wanted))) return 'outside';
    const target = await realpath(wanted);
    if (!homes.some((folder) => isInside(folder, target))) return 'outside';
    const found = await stat(target);
    const runs = isProgram(target, found.isDirectory() ? 0 : found.mode, platform);
    if (action === 'show' || runs) {
      shell.showItemInFolder(target);
      return runs && action === 'open' ? 'shown' : 'done';
    }
    return (await shell.openPath(target)) === '' ? 'done' : 'failed';
  } catch (error) {
    return isMissing(error) ? 'missing' : 'failed';
  }
}

function isInside(folder: string, target: string): boolean {
  const way = relative(folder, target);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/**
 * What Windows hands to a program that runs it, as far as more than an editor knows the kind: its own, those of Git
 * (`.sh`), Perl, Python, Ruby and AutoHotkey, images that it mounts, and help files with scripts in them.
 */
const windowsPrograms = new Set(
  (
    '.ahk .appinstaller .appref-ms .application .appx .bash .bat .chm .cmd .com .cpl .diagcab .dll .exe .gadget .hlp ' +
    '.hta .img .inf .ins .iso .jar .jnlp .js .jse .library-ms .lnk .msc .msi .msix .msp .mst .msu .pif .pl .ps1 ' +
    '.ps1xml .psc1 .py .pyc .pyw .pyz .pyzw .rb .rdp .reg .scf .scr .search-ms .settingcontent-ms .sh .shb .sys ' +
    '.theme .themepack .url .vb .vbe .vbs .vhd .vhdx .website .wsb .wsc .wsf .wsh .xbap .xll'
  ).split(' '),
);
/** Those of Windows, too, that Wine runs where it is installed. */
const otherPrograms = new Set(
  (
    '.action .app .appimage .bat .cmd .com .command .deb .desktop .dmg .exe .fileloc .flatpak .flatpakref .inetloc ' +
    '.jar .jnlp .lnk .mobileconfig .mpkg .msi .pif .pkg .prefpane .pyc .pyw .pyz .rpm .run .saver .scpt .scptd .scr ' +
    '.service .snap .terminal .tool .url .webloc .workflow'
  ).split(' '),
);
/** A Mac's Python opens what it has written by running it. */
const macPrograms = new Set(['.py']);

/** Would opening it run it? A model may have written it. */
function isProgram(path: string, mode: number, platform: NodeJS.Platform): boolean {
  // Windows drops dots and spaces at the end, and looks at what is before them.
  const kind = extname(path.replace(/[. ]+$/, '')).toLowerCase();
  // Behind a colon is a stream of a file: its kind is not what its name ends with.
  if (platform === 'win32') return windowsPrograms.has(kind) || basename(path).includes(':');
  if (platform === 'darwin' && macPrograms.has(kind)) return true;
  return otherPrograms.has(kind) || (mode & 0o111) !== 0;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
