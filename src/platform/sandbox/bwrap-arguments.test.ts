import { expect, test } from 'vitest';
import { bwrapArguments } from './bwrap-arguments.ts';

const start = { file: '/bin/sh', args: ['-c', 'true'], cwd: '/home/ann/work' };
const policy = {
  hidden: ['/tmp', '/home'],
  readable: ['/home/ann/.nvm/bin'],
  writable: ['/home/ann/work'],
  readOnly: ['/home/ann/work/.vscode'],
  proxy: null,
  masked: [
    { path: '/home/ann/work/.ssh', isFolder: true },
    { path: '/home/ann/work/.netrc', isFolder: false },
  ],
};

test('a command has no right, no network and no process but its own, and nothing that outlives its starter', () => {
  const line = bwrapArguments(start, policy).join(' ');
  expect(line).toContain('--unshare-all --unshare-user --disable-userns --die-with-parent --new-session');
  expect(line).toContain('--cap-drop ALL --ro-bind / / --dev /dev --proc /proc');
  expect(line).toMatch(/--chdir \/home\/ann\/work -- \/bin\/sh -c true$/);
});

test('what is shown comes after what hides it, and what is kept after what may be written', () => {
  const line = bwrapArguments(start, policy).join(' ');
  const mounts = [
    '--tmpfs /home --tmpfs /tmp',
    '--bind /home/ann/work /home/ann/work',
    '--ro-bind /home/ann/work/.vscode /home/ann/work/.vscode',
    '--tmpfs /home/ann/work/.ssh --ro-bind /dev/null /home/ann/work/.netrc',
    '--ro-bind /home/ann/.nvm/bin /home/ann/.nvm/bin',
  ];
  expect(line).toContain(mounts.join(' '));
});

test('a folder is mounted before those beneath it, in whatever order they are named', () => {
  const line = bwrapArguments(start, { ...policy, writable: ['/w/.git', '/w'] }).join(' ');
  expect(line).toContain('--bind /w /w --bind /w/.git /w/.git');
});
