import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from './clock.ts';
import { askShell, userEnvironment, readEnvironment, withUsualFolders } from './login-shell.ts';

const fromIcon = { isTerminal: false, homeDir: '/Users/ann', loginShell: null };
const mac = { ...fromIcon, platform: 'darwin' };

/** A shell that prints what `answer` makes of the marker. */
const saying =
  (answer: (marker: string) => string, reason: string | null = null) =>
  async (_shell: string, marker: string) => ({ said: answer(marker), reason });

const neverAsked = (): never => expect.fail('a shell was asked');

const told = (env: Record<string, string>): string =>
  Object.entries(env)
    .map(([name, value]) => `${name}=${value}\0`)
    .join('');

describe('Between two markers is read (desk-F4)', () => {
  test.each([
    ['the environment alone', `#7#${told({ PATH: '/a' })}#7#`, { PATH: '/a' }],
    [
      'the environment behind a banner',
      `Welcome!\nPATH=/evil\n#7#${told({ PATH: '/a' })}#7#`,
      { PATH: '/a' },
    ],
    ['the environment before a farewell', `#7#${told({ PATH: '/a' })}#7#Bye\n`, { PATH: '/a' }],
    [
      'the last one, where the shell echoed its line',
      `printf #7#; env; printf #7#\n#7#${told({ PATH: '/a' })}#7#`,
      { PATH: '/a' },
    ],
    ['a value with lines and equal signs', `#7#${told({ PATH: '/a=b\n/c' })}#7#`, { PATH: '/a=b\n/c' }],
    [
      'a language',
      `#7#${told({ LANG: 'de_DE.UTF-8', LC_TIME: 'C' })}#7#`,
      { LANG: 'de_DE.UTF-8', LC_TIME: 'C' },
    ],
    [
      'where toolchains live',
      `#7#${told({ NVM_DIR: '/n', VOLTA_HOME: '/v' })}#7#`,
      { NVM_DIR: '/n', VOLTA_HOME: '/v' },
    ],
    ['no secret and no wish', `#7#${told({ OPENAI_API_KEY: 'x', NODE_OPTIONS: 'y', HOME: '/h' })}#7#`, {}],
    ['nothing without a marker', told({ PATH: '/a' }), {}],
    ['nothing with one marker', `#7#${told({ PATH: '/a' })}`, {}],
    ['nothing of a shell that knows no such option', '#7##7#', {}],
    ['nothing of nothing', '', {}],
  ])('%s', (_what, said, expected) => {
    expect(readEnvironment(said, '#7#')).toEqual(expected);
  });
});

describe('The environment of a person who clicked an icon (desk-F4)', () => {
  const finder = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', SHELL: '/bin/zsh', HOME: '/Users/ann', KEY: 'k' };
  const personsPath = '/opt/homebrew/bin:/usr/bin';

  test('is that of the login shell, and all else as it was given', async () => {
    const ask = saying(
      (marker) => `${marker}${told({ PATH: personsPath, LANG: 'de_DE.UTF-8', KEY: 'no' })}${marker}`,
    );
    expect(await userEnvironment(finder, mac, systemClock, ask)).toEqual({
      env: { ...finder, PATH: personsPath, LANG: 'de_DE.UTF-8' },
      source: 'shell',
      shell: '/bin/zsh',
      reason: null,
    });
  });

  test('gets the usual folders where the shell hangs, and why is told', async () => {
    const ask = saying(() => 'Password: ', 'it took longer than 5 s');
    expect(await userEnvironment(finder, mac, systemClock, ask)).toMatchObject({
      env: {
        PATH: `${finder.PATH}:/opt/homebrew/bin:/usr/local/bin:/Users/ann/.local/bin`,
        LANG: 'en_US.UTF-8',
      },
      source: 'fallback',
      reason: 'it took longer than 5 s',
    });
  });

  test('gets the usual folders where the shell says something else', async () => {
    const said = await userEnvironment(
      finder,
      mac,
      systemClock,
      saying(() => 'Welcome!'),
    );
    expect(said).toMatchObject({ source: 'fallback', reason: 'it did not tell its environment' });
  });

  test.each([
    ['on Windows', { ...fromIcon, platform: 'win32' }],
    ['in a terminal of a Mac', { ...mac, isTerminal: true }],
    ['in a terminal of Linux', { ...fromIcon, platform: 'linux', isTerminal: true }],
  ])('is as it was given, and no shell is asked, %s', async (_where, started) => {
    const { env, source, shell } = await userEnvironment(finder, started, systemClock, neverAsked);
    expect({ env, source, shell }).toEqual({ env: finder, source: 'inherited', shell: null });
  });

  test.each([
    ['SHELL', { SHELL: '/usr/bin/fish' }, '/bin/bash', '/usr/bin/fish'],
    ['what the system knows, where SHELL is missing', {}, '/bin/bash', '/bin/bash'],
    ['what the system knows, where SHELL is no path', { SHELL: 'zsh' }, '/bin/bash', '/bin/bash'],
    ['zsh, where nothing is known of a Mac', {}, null, '/bin/zsh'],
  ])('asks %s', async (_what, env, loginShell, expected) => {
    const { shell } = await userEnvironment(
      env,
      { ...mac, loginShell },
      systemClock,
      saying(() => ''),
    );
    expect(shell).toBe(expected);
  });

  test.each([
    ['a Mac without one gets English in UTF-8', 'darwin', {}, 'en_US.UTF-8'],
    ['a Mac with one keeps it', 'darwin', { LANG: 'ja_JP.UTF-8' }, 'ja_JP.UTF-8'],
    ['a Mac with one for letters alone gets no other', 'darwin', { LC_CTYPE: 'UTF-8' }, undefined],
    ['Linux is left without one', 'linux', {}, undefined],
  ])('has a language: %s', async (_what, platform, env, expected) => {
    const found = await userEnvironment(
      env,
      { ...fromIcon, platform },
      systemClock,
      saying(() => ''),
    );
    expect(found.env['LANG']).toBe(expected);
  });
});

describe('The usual folders (desk-F4)', () => {
  test.each([
    ['come last on a Mac', 'darwin', '/usr/bin', '/usr/bin:/opt/homebrew/bin:/usr/local/bin:/h/.local/bin'],
    ['come last on Linux', 'linux', '/usr/bin', '/usr/bin:/usr/local/bin:/h/.local/bin'],
    ['come once', 'linux', '/usr/local/bin:/usr/bin', '/usr/local/bin:/usr/bin:/h/.local/bin'],
    [
      'come behind those of the system where no PATH is given',
      'linux',
      undefined,
      '/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin:/h/.local/bin',
    ],
    [
      'bring no empty entry along, which is the current folder',
      'linux',
      ':/bin:',
      '/bin:/usr/local/bin:/h/.local/bin',
    ],
  ])('%s', (_what, platform, path, expected) => {
    expect(withUsualFolders(path, { platform, homeDir: '/h' })).toBe(expected);
  });
});

/** Start files of each shell below a home folder. */
const shells: [name: string, file: string, exportPath: string][] = [
  ['bash', '.bash_profile', 'export PATH="/mine/bin:$PATH"'],
  ['dash', '.profile', 'export PATH="/mine/bin:$PATH"'],
  ['zsh', '.zshrc', 'export PATH="/mine/bin:$PATH"'],
  ['fish', '.config/fish/config.fish', 'set -gx PATH /mine/bin $PATH'],
];

describe.skipIf(process.platform === 'win32')('A real shell', () => {
  let home: string;
  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'andiron-home-')));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const ask = (shell: string, limit?: number) => {
    const env = { HOME: home, PATH: '/usr/bin:/bin', ZDOTDIR: home, XDG_CONFIG_HOME: join(home, '.config') };
    return askShell(shell, 'marker-77', env, systemClock, limit);
  };
  const write = (file: string, ...lines: string[]): void => {
    const path = join(home, file);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, lines.join('\n') + '\n');
  };

  describe.each(shells.map((each) => [...each, `/usr/bin/${each[0]}`] as const))(
    '%s',
    (_name, file, set, shell) => {
      const isMissing = !existsSync(shell);

      test.skipIf(isMissing)(
        'tells the PATH of its start file, behind banners on both streams (desk-F4)',
        async () => {
          write(file, 'echo Welcome; echo PATH=/evil; echo careful >&2', set, 'echo "You have mail"');
          const { said, reason } = await ask(shell);
          expect(reason).toBeNull();
          expect(readEnvironment(said, 'marker-77')['PATH']).toMatch(/^\/mine\/bin:/);
        },
      );

      test.skipIf(isMissing)(
        'that hangs in its start file is given up, and all of it ends (desk-F4)',
        async () => {
          write(file, `sh -c 'echo $$ > ${home}/pid; exec sleep 60'`);
          const { reason } = await ask(shell, 500);
          expect(reason).toBe('it took longer than 0.5 s');
          const pid = Number(readFileSync(join(home, 'pid'), 'utf8'));
          await expect.poll(() => lives(pid)).toBe(false);
        },
      );

      test.skipIf(isMissing)('that asks for input gets none, and tells all the same (desk-F4)', async () => {
        write(file, 'read answer', set);
        expect(readEnvironment((await ask(shell)).said, 'marker-77')['PATH']).toMatch(/^\/mine\/bin:/);
      });

      test.skipIf(isMissing)('that ends early tells nothing (desk-F4)', async () => {
        write(file, 'exec true');
        expect(readEnvironment((await ask(shell)).said, 'marker-77')).toEqual({});
      });
    },
  );

  test('that is not there is told, and nothing is thrown (desk-F4)', async () => {
    const { said, reason } = await ask('/no/such/shell');
    expect([said, reason]).toEqual(['', expect.stringContaining('ENOENT')]);
  });

  test('that prints without end is given up (desk-F4)', async () => {
    write('.bash_profile', 'yes');
    const { reason } = await ask('/bin/bash', 20_000);
    expect(reason).toBe('it printed too much');
  });
});

function lives(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${String(pid)}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
