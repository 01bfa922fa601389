/** What other users of the machine can read while the person's browser is opened: argument lists, and files that are not protected. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { launchChromium } from '../helpers/chromium.ts';
import {
  signIn,
  startServerProcess,
  temporaryFolder,
  type ServerProcess,
} from '../helpers/server-process.ts';
import { programsOf, type FakePrograms } from './fake-programs.ts';
import { AndironPage } from './page.ts';

/** Keeps what it was given and stays, so that its own argument list can be read, too. */
const opener = 'printf "%s\\n" "$@" > "$0.args"; cp "$1" "$0.page"; exec sleep 60';

let programs: FakePrograms & { path: string };
let folder: ReturnType<typeof temporaryFolder>;
let server: ServerProcess;
beforeEach(async () => {
  programs = programsOf({ 'xdg-open': opener });
  folder = temporaryFolder();
  const args = [`--data-dir=${join(folder.path, 'data')}`, '--demo', '--open'];
  server = await startServerProcess(args, undefined, { ...programs.env, HOME: folder.path });
});
afterEach(async () => {
  await server.stop();
  const pid = openerPid();
  if (pid !== undefined) process.kill(pid);
  programs.remove();
  folder.remove();
});

const written = (name: string): string => readFileSync(join(programs.path, `xdg-open.${name}`), 'utf8');

/** The argument lists of every process of this machine, as `ps` shows them. */
const argumentLists = (): Map<number, string> =>
  new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name): [number, string][] => {
        try {
          return [[Number(name), readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')]];
        } catch {
          // It has ended meanwhile.
          return [];
        }
      }),
  );

/** `exec` keeps the number: it is a child of nobody by now, and known by what it sleeps. */
function openerPid(): number | undefined {
  const started = existsSync(join(programs.path, 'xdg-open.args'));
  return started
    ? [...argumentLists()].find(([pid, line]) => line.startsWith('sleep 60') && isOurs(pid))?.[0]
    : undefined;
}

const isOurs = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${String(pid)}/environ`, 'utf8').includes(programs.path);
  } catch {
    return false;
  }
};

test.skipIf(process.platform !== 'linux')(
  'the browser is opened by a private file that leads to the address, and no argument has the token (audit-S4)',
  async () => {
    const address = server.address();
    const token = new URL(address).hash.slice('#token='.length);
    await vi.waitFor(() => expect(written('page')).toContain('</p>'), 100_000);
    const file = written('args').trim();
    expect(dirname(dirname(file))).toBe(folder.path);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const line of argumentLists().values()) expect(line).not.toContain(token);

    let browser: Browser | undefined;
    try {
      browser = await launchChromium();
      const tab = new AndironPage(await browser.newPage());
      await tab.page.goto(`file://${file}`);
      await tab.ready();
      expect(tab.page.url()).toBe(`${server.origin}/`);
    } finally {
      await browser?.close();
    }
    // Its token is spent.
    expect(existsSync(file)).toBe(false);
  },
);

test.skipIf(process.platform !== 'linux')(
  'the file is gone when somebody else signs in, and when the server ends (audit-S4)',
  async () => {
    await vi.waitFor(() => expect(written('page')).toContain('</p>'), 100_000);
    const file = written('args').trim();
    expect(existsSync(file)).toBe(true);
    await signIn(server);
    await vi.waitFor(() => expect(existsSync(file)).toBe(false), 100_000);
  },
);
