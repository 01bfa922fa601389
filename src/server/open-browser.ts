/**
 * Opens the person's browser without a token in any argument list, which every user of the machine can read: the browser
 * gets a file that only this person can read, and that leads it to the address.
 */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../platform/clock.ts';
import { privateFileMode } from '../platform/private-data.ts';
import { windowsProgram } from '../platform/system-programs.ts';
import { withUmask } from '../platform/umask.ts';

/** A browser that was not running yet takes its time. The address is on the terminal, too. */
const maxFileMs = 60_000;

export type OpenedBrowser = ReturnType<typeof openBrowser>;

export interface BrowserEdges {
  platform: NodeJS.Platform;
  clock: Pick<Clock, 'after'>;
  /** Never rejects: without a browser there is still the address on the terminal. */
  run: (command: string, args: readonly string[]) => void;
}

/** Deletes what an Andiron that was killed left; then nobody finds an old token. */
export function forgetSignInFile(dataDir: string): void {
  rmSync(fileIn(dataDir), { force: true });
}

export function openBrowser(dataDir: string, address: string, edges: BrowserEdges) {
  const path = fileIn(dataDir);
  forgetSignInFile(dataDir);
  // `wx` makes the file new: nothing that somebody else has put there is written through.
  writeFileSync(path, pageTo(address), { flag: 'wx', mode: privateFileMode });
  const done = (): void => {
    timer.cancel();
    rmSync(path, { force: true });
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

const fileIn = (dataDir: string): string => join(dataDir, 'sign-in.html');

/** @param address has no character that HTML would read as its own */
const pageTo = (address: string): string => `<!doctype html>
<meta charset="utf-8">
<title>Andiron</title>
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<p><a href="${address}">Open Andiron</a></p>
`;
