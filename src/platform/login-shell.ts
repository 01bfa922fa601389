/**
 * The environment of a person's terminal for an Andiron that was started from an icon: a Mac gives such a program a PATH
 * without Homebrew, nvm and volta, and a Linux desktop does not read `.bashrc`. The login shell is asked once, for the few
 * variables that say where programs are and which language they speak.
 */
import { spawn } from 'node:child_process';
import { randomId, type Clock } from './clock.ts';
import { isAboutPrograms } from './inherited-environment.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where PATH came from. `fallback`: the shell did not say, so usual folders were added. */
export interface SearchPath {
  source: 'inherited' | 'shell' | 'fallback';
  /** The one that was asked; null = none was. */
  shell: string | null;
  /** Why it did not say; null = it did, or was not asked. */
  reason: string | null;
}

export interface UserEnvironment extends SearchPath {
  env: Record<string, string>;
}

export interface Started {
  platform: string;
  /** Somebody sits at a terminal, and gave Andiron the environment of it. */
  isTerminal: boolean;
  homeDir: string;
  /** As the system knows it; null = it does not. */
  loginShell: string | null;
}

/** Longer than a shell with a slow start needs, and not so long that the app seems dead. */
const limitMs = 5_000;
/** The shell may have more to do after it has said everything. */
const farewellMs = 1_000;
/** Of a flood nothing is read. */
const maxCharacters = 4 * 1024 * 1024;

export async function userEnvironment(
  given: Environment,
  started: Started,
  clock: Clock,
  ask: typeof askShell = askShell,
): Promise<UserEnvironment> {
  const own = present(given);
  const isAsked = (started.platform === 'darwin' || started.platform === 'linux') && !started.isTerminal;
  if (!isAsked) return { env: own, source: 'inherited', shell: null, reason: null };
  const shell = shellOf(own, started);
  const marker = randomId('andiron-environment-');
  const { said, reason } = await ask(shell, marker, own, clock);
  const read = readEnvironment(said, marker);
  const env = { ...own, ...read };
  if (read['PATH']) return { env: withLanguage(env, started), source: 'shell', shell, reason: null };
  const path = withUsualFolders(own['PATH'], started);
  return {
    env: withLanguage({ ...env, PATH: path }, started),
    source: 'fallback',
    shell,
    reason: reason ?? 'it did not tell its environment',
  };
}

function shellOf(env: Environment, { platform, loginShell }: Started): string {
  const named = [env['SHELL'], loginShell].find((path) => path?.startsWith('/'));
  return named ?? (platform === 'darwin' ? '/bin/zsh' : '/bin/sh');
}

/** Of the person, and never of ours: what a start file prints on the way is told from it by the marker. */
function shellScript(marker: string): string {
  // Every shell of a person, fish included, reads it the same way.
  return `printf '%s' ${marker}; /usr/bin/env -0; printf '%s' ${marker}`;
}

/** Wanted names between the last two markers; nothing where they are not there. */
export function readEnvironment(said: string, marker: string): Record<string, string> {
  const end = said.lastIndexOf(marker);
  const begin = end <= 0 ? -1 : said.lastIndexOf(marker, end - 1);
  if (begin === -1) return {};
  const found: Record<string, string> = {};
  for (const line of said.slice(begin + marker.length, end).split('\0')) {
    const at = line.indexOf('=');
    const name = line.slice(0, Math.max(0, at));
    if (at > 0 && isAboutPrograms(name)) found[name] = line.slice(at + 1);
  }
  return found;
}

const usualFolders: Readonly<Record<string, readonly string[]>> = {
  darwin: ['/opt/homebrew/bin', '/usr/local/bin', '~/.local/bin'],
  linux: ['/usr/local/bin', '~/.local/bin'],
};

/** They come last: what the system finds by itself stays what it is. */
export function withUsualFolders(
  path: string | undefined,
  { platform, homeDir }: Pick<Started, 'platform' | 'homeDir'>,
): string {
  const there = (path ?? '/usr/bin:/bin:/usr/sbin:/sbin').split(':').filter((folder) => folder !== '');
  const usual = (usualFolders[platform] ?? []).map((folder) => folder.replace(/^~/, homeDir));
  return [...new Set([...there, ...usual])].join(':');
}

/** Without a language, programs on a Mac take every letter beyond ASCII for a fault. */
function withLanguage(env: Record<string, string>, { platform }: Started): Record<string, string> {
  const hasOne = env['LANG'] || env['LC_ALL'] || env['LC_CTYPE'];
  return platform === 'darwin' && !hasOne ? { ...env, LANG: 'en_US.UTF-8' } : env;
}

/** What start files look for, so that they neither ask anything, nor update themselves, nor become another program. */
const quiet = {
  TERM: 'dumb',
  DISABLE_AUTO_UPDATE: 'true',
  ZSH_TMUX_AUTOSTART: 'false',
  ANDIRON_RESOLVING_ENVIRONMENT: '1',
};

/** Never rejects. `reason`: why nothing more was said; null = it ended. @param limit in milliseconds */
export function askShell(
  shell: string,
  marker: string,
  env: Record<string, string>,
  clock: Clock,
  limit = limitMs,
): Promise<{ said: string; reason: string | null }> {
  return new Promise((resolve) => {
    let said = '';
    // In a session of its own: an interactive shell would take the terminal, or be stopped for wanting to.
    const child = spawn(shell, ['-ilc', shellScript(marker)], {
      env: { ...env, ...quiet },
      cwd: '/',
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    const end = (): void => {
      child.stdout.destroy();
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // All of it is gone.
      }
    };
    const late = clock.after(limit, () => {
      settle(`it took longer than ${String(limit / 1000)} s`);
      end();
    });
    const settle = (reason: string | null): void => {
      late.cancel();
      resolve({ said, reason });
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      // A shell may print the line that it is about to run, markers and all.
      const isWhole = readEnvironment(said, marker)['PATH'] !== undefined;
      if (!isWhole && said.length <= maxCharacters) return;
      settle(isWhole ? null : 'it printed too much');
      clock.after(farewellMs, end);
    });
    child.once('error', (error) => settle(error.message));
    child.once('close', () => settle(null));
  });
}

const present = (env: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
