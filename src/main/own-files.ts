/** What the page may show or open outside the window: only what lies in a session's folder or the data folder. */
import { realpath, stat } from 'node:fs/promises';
import { extname, isAbsolute, relative, resolve, sep } from 'node:path';
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

/** What Windows hands to a program that runs it, as far as more than an editor knows the kind. */
const windowsPrograms = new Set(
  (
    '.appref-ms .application .appx .bat .cmd .com .cpl .dll .exe .gadget .hta .inf .ins .iso .jar .js .jse .lnk ' +
    '.msc .msi .msix .msp .mst .pif .ps1 .ps1xml .psc1 .py .pyw .pyz .rb .reg .scf .scr .settingcontent-ms .shb ' +
    '.sys .url .vb .vbe .vbs .vhd .vhdx .website .wsc .wsf .wsh .xbap .xll'
  ).split(' '),
);
const otherPrograms = new Set(
  (
    '.action .app .appimage .command .deb .desktop .dmg .fileloc .flatpak .flatpakref .inetloc .jar .mobileconfig ' +
    '.mpkg .pkg .rpm .run .scpt .service .snap .terminal .tool .webloc .workflow'
  ).split(' '),
);

/** Would opening it run it? A model may have written it. */
function isProgram(path: string, mode: number, platform: NodeJS.Platform): boolean {
  // Windows drops dots and spaces at the end, and looks at what is before them.
  const kind = extname(path.replace(/[. ]+$/, '')).toLowerCase();
  return platform === 'win32' ? windowsPrograms.has(kind) : otherPrograms.has(kind) || (mode & 0o111) !== 0;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
