import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { seatbeltProgram, seatbeltStart } from './seatbelt.ts';
import { quoted } from './shell-words.ts';
import { srtPolicy } from './srt-policy.ts';
import { startSrtThread, type SrtThread } from './srt-thread.ts';
import { readProfile, type Profile } from './testing/read-profile.ts';

const home = '/Users/ann';
const work = `${home}/w[o]rk *`;
const policy = {
  hidden: ['/Users', '/Volumes', '/private/tmp', '/System/Volumes/Data'],
  readable: [`${home}/.nvm/bin`, `${work}/.tools/bin`],
  writable: [work, `${work}/.git`],
  readOnly: [`${work}/.git/hooks`, `${work}/.git/config`, `${work}/.envrc`],
  masked: [
    { path: `${work}/.ssh`, isFolder: true },
    { path: `${work}/.netrc`, isFolder: false },
    { path: `${work}/.tools`, isFolder: true },
  ],
  proxy: null,
};
const start = { file: '/bin/sh', args: ['-c', "echo 'it is' in"], cwd: work };

/** The runtime writes the profile of a Mac on any system with a shell. */
describe.skipIf(process.platform === 'win32')('the profile of a command on a Mac', () => {
  let thread: SrtThread;
  let line: string;
  let profile: Profile;
  beforeAll(async () => {
    // Of Andiron itself, and of whoever started it.
    vi.stubEnv('CLAUDE_CODE_TMPDIR', '/of-andiron');
    vi.stubEnv('JAVA_TOOL_OPTIONS', '-Dof=andiron');
    thread = await startSrtThread(new URL('srt-worker.ts', import.meta.url), process.env['PATH'] ?? '');
    const question = { platform: 'darwin', command: ':', bwrap: '', policy: srtPolicy(policy) };
    line = await thread.wrap(question);
    profile = readProfile(seatbeltStart(line, start, policy).args[1] ?? '');
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await thread.close();
  });

  test('the command starts as it is under the profile, with no shell and no variable of the runtime', () => {
    const { file, args, cwd } = seatbeltStart(line, start, policy);
    expect([file, args[0], cwd]).toEqual(['/usr/bin/sandbox-exec', '-p', work]);
    expect(args.slice(2)).toEqual(['/bin/sh', '-c', "echo 'it is' in"]);
    expect(line).toContain('TMPDIR=');
    expect(line).not.toMatch(/of-andiron|of=andiron/);
    expect(args.join(' ')).not.toMatch(/TMPDIR|SANDBOX_RUNTIME|tmp\/claude/);
  });

  test('the folder that Andiron was started in makes no difference', () => {
    expect(line).not.toContain(process.cwd());
  });

  test.each([`${work}/a`, `${work}/.git/index`, `${work}/sub/.git/hooks/x`, '/dev/null', '/dev/fd/3'])(
    'the command writes to %s',
    (path) => {
      expect(profile.allows('file-write-data', path)).toBe(true);
    },
  );

  test.each([
    `${home}/other`,
    `${home}/work`,
    `${home}/wok *`,
    `${home}/.nvm/bin/node`,
    '/private/tmp/claude/x',
    '/tmp/claude/x',
    '/dev/tty',
    '/dev/ttys001',
    '/etc/hosts',
    `${work}/.git/hooks/pre-push`,
    `${work}/.git/config`,
    `${work}/.envrc`,
    `${work}/.ssh/config`,
    `${work}/.netrc`,
  ])('the command does not write to %s', (path) => {
    expect(profile.allows('file-write-data', path)).toBe(false);
    expect(profile.allows('file-write-create', path)).toBe(false);
    expect(profile.allows('file-write-mode', path)).toBe(false);
  });

  test.each([
    `${work}/.git`,
    `${work}/.git/hooks`,
    `${work}/.envrc`,
    `${work}/.ssh`,
    `${work}/.netrc`,
    work,
    `${home}/.nvm/bin`,
    home,
  ])('%s is neither moved away nor removed', (path) => {
    expect(profile.allows('file-write-unlink', path)).toBe(false);
  });

  test.each([`${work}/a`, `${work}/.git/index.lock`])('%s can be removed', (path) => {
    expect(profile.allows('file-write-unlink', path)).toBe(true);
  });

  test.each([
    `${home}/.ssh/id`,
    `${home}/.nvm/cache`,
    `${work}/.ssh/id`,
    `${work}/.netrc`,
    `${work}/.tools/key`,
    '/Volumes/disk/x',
    '/System/Volumes/Data/Users/ann/.ssh/id',
    '/private/tmp/x',
  ])('the command does not read %s', (path) => {
    expect(profile.allows('file-read-data', path)).toBe(false);
  });

  test.each([
    `${work}/a`,
    `${work}/.git/hooks/pre-push`,
    `${work}/.envrc`,
    `${home}/.nvm/bin/node`,
    `${work}/.tools/bin/x`,
    '/usr/bin/git',
    '/opt/homebrew/bin/node',
  ])('the command reads %s', (path) => {
    expect(profile.allows('file-read-data', path)).toBe(true);
  });

  test.each([
    'network-outbound',
    'network-bind',
    'network-inbound',
    'appleevent-send',
    'lsopen',
    'job-creation',
  ])('nothing allows %s', (operation) => {
    expect(profile.allows(operation, 'localhost:80')).toBe(false);
  });

  test('no command line and no environment of another program can be read', () => {
    expect(profile.allows('sysctl-read', 'kern.procargs2.1')).toBe(false);
    expect(profile.allows('sysctl-read', 'hw.ncpu')).toBe(true);
  });

  test('the services that it can talk to reach neither the keychain nor other apps', () => {
    expect(profile.allowed('mach-lookup', 'global-name')).toEqual([
      'com.apple.FontObjectsServer',
      'com.apple.PowerManagement.control',
      'com.apple.audio.systemsoundserver',
      'com.apple.bsd.dirhelper',
      'com.apple.fonts',
      'com.apple.logd',
      'com.apple.lsd.mapdb',
      'com.apple.system.logger',
      'com.apple.system.notification_center',
      'com.apple.system.opendirectoryd.libinfo',
      'com.apple.system.opendirectoryd.membership',
    ]);
    expect(profile.allows('distributed-notification-post')).toBe(false);
  });
});

test.each([
  'true',
  `${seatbeltProgram} -f ${quoted('(version 1)\n(deny default (x))')} sh`,
  `${seatbeltProgram} -p ${quoted('(version 1)\n(allow default)')} sh`,
  `${seatbeltProgram} -p ${quoted('(version 1)\n(deny default (x))')}; sh`,
])('a line of the runtime that is none of a profile starts nothing: %j', (line) => {
  expect(() => seatbeltStart(line, start, policy)).toThrow(/no profile|something else/);
});
