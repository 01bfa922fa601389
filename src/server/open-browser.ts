/**
 * Opens the person's browser without a token in any argument list, which every user of the machine can read: the browser
 * gets a file that only this person can read, and that leads it to the address.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../platform/clock.ts';
import { privateFileMode, privateFolderMode } from '../platform/private-data.ts';
import { windowsProgram } from '../platform/system-programs.ts';
import { withUmask } from '../platform/umask.ts';

/** A browser that was not running yet takes its time. The address is on the terminal, too. */
const maxFileMs = 60_000;

export type OpenedBrowser = ReturnType<typeof openBrowser>;

/** Where the file may be. */
export interface SignInPlaces {
  dataDir: string;
  /** The person's home folder. */
  home: string;
}

export interface BrowserEdges {
  platform: NodeJS.Platform;
  clock: Pick<Clock, 'after'>;
  /** Never rejects: without a browser there is still the address on the terminal. */
  run: (command: string, args: readonly string[]) => void;
}

/** Deletes what an Andiron that was killed left; then nobody finds an old token. */
export function forgetSignInFile(places: SignInPlaces): void {
  rmSync(join(places.dataDir, fileName), { force: true });
  rmSync(folderInHome(places), { recursive: true, force: true });
}

export function openBrowser(places: SignInPlaces, address: string, edges: BrowserEdges) {
  forgetSignInFile(places);
  const path = join(edges.platform in openers ? places.dataDir : readableFolder(places), fileName);
  // `wx` makes the file new: nothing that somebody else has put there is written through.
  writeFileSync(path, pageTo(address), { flag: 'wx', mode: privateFileMode });
  const done = (): void => {
    timer.cancel();
    forgetSignInFile(places);
  };
  const timer = edges.clock.after(maxFileMs, done);
  const [command, ...args] = openers[edges.platform] ?? ['xdg-open'];
  edges.run(command, [...args, path]);
  return {
    /** Deletes the file: its token is spent, or nobody needs it any more. Idempotent. */
    done,
  };
}

/** @param umask of the person: what their browser saves is not Andiron's */
export function runDetached(command: string, args: readonly string[], umask: number): void {
  const child = withUmask(umask, () => spawn(command, args, { stdio: 'ignore', detached: true }));
  child.on('error', () => undefined);
  child.unref();
}

const openers: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  win32: [windowsProgram(process.env, 'rundll32.exe'), 'url.dll,FileProtocolHandler'],
  darwin: ['open'],
};

const fileName = 'sign-in.html';

/** Of this data folder: another Andiron of the same person has another one. */
const folderInHome = ({ dataDir, home }: SignInPlaces): string =>
  join(home, `andiron-sign-in-${createHash('sha256').update(dataDir).digest('hex').slice(0, 8)}`);

/** A browser that was installed as a snap reads neither hidden folders, as the data folder is one, nor the system's /tmp. */
function readableFolder(places: SignInPlaces): string {
  const folder = folderInHome(places);
  try {
    mkdirSync(folder, { mode: privateFolderMode });
    return folder;
  } catch {
    // Some accounts have no home folder that they can write into.
    return places.dataDir;
  }
}

/** @param address has no character that HTML would read as its own */
const pageTo = (address: string): string => `<!doctype html>
<meta charset="utf-8">
<title>Andiron</title>
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<p><a href="${address}">Open Andiron</a></p>
`;
