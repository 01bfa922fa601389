import { describe, expect, test } from 'vitest';
import type { Grant } from '../protocol/model.ts';
import {
  askReason,
  farEffectOf,
  isOnlyPlanned,
  offeredGrant,
  stricterPolicy,
  type ApprovalInput,
} from './approval.ts';
import { approvalModeSchema } from '../protocol/profile.ts';
import { grantFor, isGranted, shownFolder, type Touched } from './grants.ts';

const at = (path: string, more: Partial<Touched> = {}): Touched => ({
  path,
  folder: path.slice(0, path.lastIndexOf('/')),
  protection: null,
  ...more,
});
const writing: Grant = { tool: 'write_file', folder: '/work/src' };

describe('a grant', () => {
  test.each([
    ['/work/src/a.ts', true],
    ['/work/src/deep/er/a.ts', true],
    ['/work/src', true],
    ['/work/src2/a.ts', false],
    ['/work/a.ts', false],
    ['/work', false],
    ['/work/src/../a.ts', false],
    ['/work/src/./a.ts', false],
    ['/work/SRC/a.ts', false],
    ['/work/sr\u0063\u0327/a.ts', false],
    ['work/src/a.ts', false],
    ['/other/work/src/a.ts', false],
    ['/work/src\\..\\a.ts', false],
  ])('for /work/src reaches %s: %s (audit-S1)', (path, reaches) => {
    expect(isGranted([writing], 'write_file', at(path))).toBe(reaches);
  });

  test('in one Unicode form does not reach a folder named in the other (audit-S1)', () => {
    const composed: Grant = { tool: 'write_file', folder: '/work/caf\u00e9' };
    expect(isGranted([composed], 'write_file', at('/work/cafe\u0301/a.ts'))).toBe(false);
    expect(isGranted([composed], 'write_file', at('/work/caf\u00e9/a.ts'))).toBe(true);
  });

  test('compares Windows paths by their own separator (audit-S1)', () => {
    const grant: Grant = { tool: 'write_file', folder: 'C:\\work\\src' };
    expect(isGranted([grant], 'write_file', at('C:\\work\\src\\a.ts'))).toBe(true);
    expect(isGranted([grant], 'write_file', at('C:\\work\\src2\\a.ts'))).toBe(false);
    expect(isGranted([grant], 'write_file', at('C:\\work\\src\\..\\a.ts'))).toBe(false);
  });

  test('is for one tool, and for files only where it names a folder (audit-S1)', () => {
    expect(isGranted([writing], 'edit_file', at('/work/src/a.ts'))).toBe(false);
    expect(isGranted([{ tool: 'write_file', folder: null }], 'write_file', at('/work/src/a.ts'))).toBe(false);
    expect(isGranted([{ tool: 'todo', folder: null }], 'todo', null)).toBe(true);
    expect(isGranted([{ tool: 'todo', folder: '/work' }], 'todo', null)).toBe(false);
  });

  test('of the root of a disk reaches all that is ordinary on it', () => {
    expect(isGranted([{ tool: 'write_file', folder: '/' }], 'write_file', at('/tmp/a'))).toBe(true);
    expect(isGranted([{ tool: 'write_file', folder: '' }], 'write_file', at('/tmp/a'))).toBe(false);
  });

  test('is offered for the folder of the call, and never for what is protected (audit-S1)', () => {
    expect(grantFor('write_file', at('/work/src/a.ts'))).toEqual(writing);
    expect(grantFor('todo', null)).toEqual({ tool: 'todo', folder: null });
    const protection = { kind: 'program', what: 'name', name: 'package.json' } as const;
    expect(grantFor('write_file', at('/work/package.json', { protection }))).toBeNull();
  });
});

test.each([
  ['/work', '/work/src', 'src/'],
  ['/work', '/work/src/deep', 'src/deep/'],
  ['/home/ann/kiln', '/home/ann/kiln', 'kiln/'],
  ['/work', '/other', '/other'],
  ['C:\\work', 'C:\\work\\src\\deep', 'src/deep/'],
])('in %s the folder %s is shown as %s', (workspace, folder, shown) => {
  expect(shownFolder(workspace, folder)).toBe(shown);
});

describe('whether a call asks', () => {
  const program = { kind: 'program', what: 'name', name: 'package.json' } as const;
  const keys = { kind: 'private', what: 'keys', name: '.ssh' } as const;
  const input = (more: Partial<ApprovalInput>): ApprovalInput => ({
    tool: 'write_file',
    risk: 'write',
    policy: 'auto_read',
    touched: at('/work/src/a.ts'),
    isTainted: false,
    isUnannounced: false,
    isCovered: false,
    grants: [],
    isRuled: false,
    ...more,
  });
  const alone = { policy: 'autonomous', risk: 'execute', touched: null } as const;
  const all: Grant = { tool: 'write_file', folder: '/' };

  test.each<[string, Partial<ApprovalInput>, ReturnType<typeof askReason>]>([
    ['a write', {}, 'policy'],
    ['a write under a grant', { grants: [writing] }, null],
    ['a write beside a grant', { grants: [writing], touched: at('/work/b.ts') }, 'policy'],
    [
      'a protected write under a grant',
      { grants: [all], touched: at('/work/package.json', { protection: program }) },
      'protected',
    ],
    ['a command that is always allowed', { risk: 'execute', touched: null, isRuled: true }, null],
    [
      'a command that is always allowed, in a profile that asks for all',
      { risk: 'execute', touched: null, isRuled: true, policy: 'ask' },
      'command',
    ],
    [
      'a command that is always allowed, of a model that nobody led to it',
      { risk: 'execute', touched: null, isRuled: true, isUnannounced: true },
      'command',
    ],
    ['a command alone', { ...alone, isCovered: true }, null],
    ['a command alone that is not covered', alone, 'command'],
    [
      'a command alone of a model that nobody led to it',
      { ...alone, isCovered: true, isUnannounced: true },
      'unannounced',
    ],
    [
      'a command that is covered, where edits are accepted',
      { ...alone, isCovered: true, policy: 'accept_edits' },
      'command',
    ],
    ['a write alone', { policy: 'autonomous' }, null],
    ['a tainted write alone', { policy: 'autonomous', isTainted: true }, 'tainted'],
    ['what changes no file alone', { policy: 'autonomous', touched: null }, 'policy'],
    ['a write where edits are accepted', { policy: 'accept_edits' }, null],
    [
      'a protected write where edits are accepted',
      { policy: 'accept_edits', touched: at('/work/package.json', { protection: program }) },
      'protected',
    ],
    ['what changes no file where edits are accepted', { policy: 'accept_edits', touched: null }, 'policy'],
    ['a tainted write where edits are accepted', { policy: 'accept_edits', isTainted: true }, 'tainted'],
    [
      'an unled write where edits are accepted',
      { policy: 'accept_edits', isUnannounced: true },
      'unannounced',
    ],
    ['a read where edits are accepted', { policy: 'accept_edits', risk: 'read' }, null],
    [
      'a command where edits are accepted',
      { policy: 'accept_edits', risk: 'execute', touched: null },
      'command',
    ],
    ['a read', { tool: 'read_file', risk: 'read' }, null],
    ['a read where everything asks', { tool: 'read_file', risk: 'read', policy: 'ask' }, 'policy'],
    [
      'a read of keys',
      { tool: 'read_file', risk: 'read', touched: at('/home/a/.ssh/id', { protection: keys }) },
      'protected',
    ],
    [
      'a command',
      {
        tool: 'run_command',
        risk: 'execute',
        touched: null,
        grants: [{ tool: 'run_command', folder: null }],
      },
      'command',
    ],
    ['a tool of Andiron', { tool: 'memory_save', risk: 'read', touched: null }, null],
    ['a tainted one', { tool: 'memory_save', risk: 'read', touched: null, isTainted: true }, 'tainted'],
    [
      'a tainted one with a grant',
      {
        tool: 'memory_save',
        risk: 'read',
        touched: null,
        isTainted: true,
        grants: [{ tool: 'memory_save', folder: null }],
      },
      'tainted',
    ],
    ['an unannounced write under a grant', { grants: [writing], isUnannounced: true }, 'unannounced'],
    ['an unannounced read', { tool: 'read_file', risk: 'read', isUnannounced: true }, null],
  ])('%s: %#', (_what, more, reason) => expect(askReason(input(more))).toBe(reason));

  test.each(approvalModeSchema.options)(
    'a far effect in a session that has read asks in the mode %s, whatever was granted or is covered',
    (policy) => {
      const lifted = { policy, isTainted: true, isRuled: true, isCovered: true, grants: [all] };
      for (const risk of ['read', 'write', 'network', 'execute'] as const) {
        expect(askReason(input({ ...lifted, risk }))).not.toBeNull();
        expect(
          askReason(
            input({ ...lifted, risk, tool: 'x', touched: null, grants: [{ tool: 'x', folder: null }] }),
          ),
        ).not.toBeNull();
      }
    },
  );

  test('only a question of the profile can be answered for the session', () => {
    expect(offeredGrant(input({}), 'policy')).toEqual(writing);
    for (const reason of ['command', 'protected', 'tainted', 'unannounced'] as const)
      expect(offeredGrant(input({ touched: null }), reason)).toBeNull();
  });
});

test.each([
  ['read', '', false],
  ['read', 'What it remembers', true],
  ['write', '', true],
  ['execute', '', true],
  ['network', '', true],
] as const)(
  'Where a session only plans, a call that may %s and changes “%s” is not made: %s',
  (risk, mutates, isKept) => {
    expect(isOnlyPlanned('plan_only', { risk, mutates })).toBe(isKept);
    expect(isOnlyPlanned('ask', { risk, mutates })).toBe(false);
  },
);

describe('an effect beyond the folder', () => {
  const need = { risk: 'read', summary: 'what it does', sandboxed: false } as const;
  const service = { kind: 'service', target: 'what it does' };
  const outside = { kind: 'outside', target: 'what it does' };
  const declared = { kind: 'memory', target: 'a text' } as const;

  test.each<[string, Parameters<typeof farEffectOf>[0], Touched | null, unknown]>([
    ['a read', need, null, null],
    ['a read elsewhere', need, at('/other/a.ts'), null],
    ['a write in the folder', { ...need, risk: 'write' }, at('/work/a.ts'), null],
    [
      'a write elsewhere',
      { ...need, risk: 'write' },
      at('/other/a.ts'),
      { kind: 'outside', target: '/other/a.ts' },
    ],
    [
      'a write beside the folder',
      { ...need, risk: 'write' },
      at('/work2/a.ts'),
      { kind: 'outside', target: '/work2/a.ts' },
    ],
    ['a command that is kept in', { ...need, risk: 'execute', sandboxed: true }, null, null],
    ['a command that is not', { ...need, risk: 'execute' }, null, outside],
    ['what goes over the network', { ...need, risk: 'network', sandboxed: true }, null, service],
    ['what the tool itself says', { ...need, farEffect: declared }, null, declared],
    [
      'what a write says of itself',
      { ...need, risk: 'write', farEffect: declared },
      at('/work/a.ts'),
      declared,
    ],
  ])('is told of %s by its kind and never by its tool', (_, given, touched, effect) => {
    expect(farEffectOf(given, touched, '/work')).toEqual(effect);
  });
});

test.each([
  ['ask', 'accept_edits', 'ask'],
  ['ask', 'auto_read', 'ask'],
  ['auto_read', 'accept_edits', 'auto_read'],
  ['accept_edits', 'accept_edits', 'accept_edits'],
] as const)('Of %s and %s the stricter is %s, in either order', (one, other, stricter) => {
  expect(stricterPolicy(one, other)).toBe(stricter);
  expect(stricterPolicy(other, one)).toBe(stricter);
});
