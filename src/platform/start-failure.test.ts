import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeFileFailure } from './start-failure.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'andiron-start-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const thrownBy = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('It was expected to throw.');
};

test.each(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'])(
  '%s is said with the path and what to do, without a code or a call (audit-S17)',
  (code) => {
    const error = Object.assign(new Error(`${code}: permission denied, mkdir '/data/logs'`), {
      code,
      path: '/data/logs',
    });
    const failure = describeFileFailure(error);
    expect(failure?.message).toContain('/data/logs');
    expect(`${failure?.message} ${failure?.advice}`).not.toMatch(/E[A-Z]{4,}|mkdir|undefined/);
    expect(failure?.advice).toMatch(/^(Give|Make|Free) .*\.$/);
  },
);

test('what the system itself throws for something in the way is said, too (audit-S17)', () => {
  writeFileSync(join(dir, 'file'), '');
  symlinkSync(join(dir, 'circle'), join(dir, 'circle'));
  for (const act of [
    () => mkdirSync(join(dir, 'file', 'logs'), { recursive: true }),
    () => mkdirSync(join(dir, 'file')),
    () => readFileSync(join(dir, 'circle')),
  ]) {
    expect(describeFileFailure(thrownBy(act))?.message).toContain(dir);
  }
});

test.each([new Error('bug'), Object.assign(new Error('x'), { code: 'toString', path: '/x' }), 'text', null])(
  'a mistake of ours is none of these (audit-S17)',
  (error) => {
    expect(describeFileFailure(error)).toBeNull();
  },
);
