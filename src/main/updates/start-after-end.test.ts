import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'andiron start-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const hostile = ['--data-dir', '/a b', '', '$(touch x)', "it's", 'two\nlines', '"', '-c', '$1'];

/** Writes down how it was started, in one move. */
function program(): { file: string; report: string } {
  const [file, report] = [join(dir, 'An "odd" $name.AppImage'), join(dir, 'report')];
  const script = [
    '#!/bin/sh',
    `{ pwd; echo "\${APPDIR-none} \${KEPT-none}"; grep NoNewPrivs /proc/self/status; for each; do printf '%s\\0' "$each"; done; } > "${report}.part"`,
    `mv "${report}.part" "${report}"`,
  ];
  writeFileSync(file, `${script.join('\n')}\n`);
  chmodSync(file, 0o755);
  return { file, report };
}

test.runIf(process.platform === 'linux')(
  'A program starts once a process has ended, with its arguments, and not before',
  async () => {
    const { file, report } = program();
    const child = fileURLToPath(new URL('../../../test/helpers/start-after-end-child.ts', import.meta.url));
    const asking = spawn(process.execPath, [child, file, ...hostile], {
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
      env: { ...process.env, APPDIR: '/mnt/a', APPIMAGE: file, KEPT: 'kept' },
    });
    await once(asking.stdout, 'data');
    await wait(700);
    expect(existsSync(report)).toBe(false);
    // The whole group, as a terminal or a session of the desktop may do.
    process.kill(-(asking.pid ?? 0), 'SIGKILL');
    await once(asking, 'exit');
    await expect.poll(() => existsSync(report)).toBe(true);
    const [cwd, variables, rights, ...rest] = readFileSync(report, 'utf8').split('\n');
    const ours = /NoNewPrivs:.*/.exec(readFileSync('/proc/self/status', 'utf8'))?.[0];
    expect([cwd, variables, rights]).toEqual(['/', 'none kept', ours]);
    expect(rest.join('\n').split('\0').slice(0, -1)).toEqual(hostile);
  },
);
