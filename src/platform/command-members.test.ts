import { describe, expect, test } from 'vitest';
import { createMark, isMark } from './command-mark.ts';
import { findMembers } from './command-members.ts';
import { marksOf, parsePs, type ScannedProcess } from './process-scan.ts';

/** A command whose first process has id 100 and started at 1000; its mark is 7. */
function members(
  processes: readonly Partial<ScannedProcess>[],
  known: [number, number][] = [],
  mark = '7',
): number[] {
  const all = processes.map((each): ScannedProcess => ({
    pid: 0,
    parent: 1,
    group: 50,
    session: 50,
    started: 2_000,
    isDead: false,
    carries: () => 'no',
    ...each,
  }));
  const command = { mark, started: 1_000, known: new Map([[100, 1_000], ...known]) };
  return findMembers(all, command).map(({ pid }) => pid);
}

const leader = { pid: 100, group: 100, session: 100, started: 1_000 };

describe('the members of a command', () => {
  test.each<[string, Partial<ScannedProcess>]>([
    ['its group', { group: 100 }],
    ['its session, in a group of its own', { session: 100, group: 200 }],
    ['its children', { parent: 100 }],
    ['what has its mark and nothing else of it', { carries: (mark) => (mark === '7' ? 'sure' : 'no') }],
    ['what has only its variable, when it is nobody’s child', { carries: () => 'maybe', parent: 1 }],
  ])('a process is a member when it belongs to %s (audit-S5)', (_what, process) => {
    expect(members([leader, { pid: 200, ...process }])).toEqual([100, 200]);
    // Also once the first process is gone.
    expect(members([{ pid: 200, ...process }])).toEqual([200]);
  });

  test.each<[string, Partial<ScannedProcess>]>([
    ['nothing of it', {}],
    ['its group, but is older than it', { group: 100, started: 999 }],
    ['its mark, but is older than it', { carries: () => 'sure', started: 999 }],
    ['its variable, but is the child of another program', { carries: () => 'maybe', parent: 60 }],
    ['the mark of another command', { carries: (mark) => (mark === '8' ? 'sure' : 'no') }],
    ['its group, but has ended', { group: 100, isDead: true }],
    ['its mark, but is the first process of all', { pid: 1, carries: () => 'sure' }],
    ['its group, but is Andiron itself', { pid: process.pid, group: 100 }],
  ])('a process is no member when it has %s (audit-S5)', (_what, process) => {
    expect(members([leader, { pid: 200, ...process }])).toEqual([100]);
  });

  test('descendants are found at any depth, whatever the order of the list', () => {
    const chain = [400, 300, 200].map((pid) => ({ pid, parent: pid - 100, session: pid, group: pid }));
    expect(members([...chain, leader]).toSorted((a, b) => a - b)).toEqual([100, 200, 300, 400]);
  });

  test('a member seen before stays one without mark and parent, and so do its children', () => {
    const fled = { pid: 200, session: 200, group: 200, started: 1_500 };
    const below = { pid: 300, parent: 1, session: 200, group: 200 };
    expect(members([fled, below], [[200, 1_500]])).toEqual([200, 300]);
    expect(members([below], [[200, 1_500]])).toEqual([300]);
  });

  test('another process that got the id of a member that ended is left alone, with all around it', () => {
    const later = { pid: 200, session: 200, group: 200, started: 1_600 };
    const below = { pid: 300, parent: 200, session: 200, group: 200 };
    expect(members([later, below], [[200, 1_500]])).toEqual([]);
    expect(
      members([
        { ...leader, started: 1_700 },
        { pid: 300, group: 100 },
      ]),
    ).toEqual([]);
  });
});

describe('a process whose limit is lower than the mark', () => {
  const host = { pid: process.pid, parent: 40, group: process.pid, session: 40, started: 500 };
  const shell = { pid: 40, parent: 30, group: 40, session: 40, started: 400 };
  const reaper = { pid: 30, parent: 1, group: 30, session: 30, started: 300 };
  const left = { pid: 200, session: 199, group: 199, limit: 5 };
  const found = (...more: Partial<ScannedProcess>[]): number[] =>
    members([leader, host, shell, reaper, ...more]);

  test('is a member with all below it when nobody else has started it (audit-S5)', () => {
    expect(found(left, { pid: 201, parent: 200, session: 201, limit: 5 })).toEqual([100, 200, 201]);
    expect(found({ ...left, parent: 30 })).toEqual([100, 200]);
    expect(found({ ...left, limit: 6 }, { pid: 201, parent: 200, session: 201, limit: 3 })).toEqual([
      100, 200, 201,
    ]);
  });

  test('is none of it when the limit is the mark of another command, of this Andiron or another, whose first process has ended', () => {
    const mark = createMark();
    const other = Number(createMark(Number(mark)));
    const around = [leader, host, shell, reaper];
    expect(members([...around, { ...left, limit: other }], [], mark)).toEqual([100]);
    expect(members([...around, { ...left, limit: other - 1 }], [], mark)).toEqual([100, 200]);
    // A program of that other command has lowered it further.
    const child = { pid: 201, parent: 200, session: 199, group: 199, limit: other - 1 };
    expect(members([...around, { ...left, limit: other }, child], [], mark)).toEqual([100]);
  });

  test.each<[string, Partial<ScannedProcess>[]]>([
    ['is older than the command', [{ ...left, started: 999 }]],
    ['has the limit of the mark or more', [{ ...left, limit: 8 }]],
    ['has the mark of another command of this host', [left, { pid: 210, parent: process.pid, limit: 5 }]],
    [
      'is a command’s of another host',
      [
        { pid: 60, parent: 30, started: 600 },
        { ...left, parent: 60 },
      ],
    ],
    [
      'is below what has a limit of its own',
      [
        { pid: 60, started: 600 },
        { ...left, parent: 60 },
        { pid: 201, parent: 200, limit: 5 },
      ],
    ],
    [
      'is of a host that another command has started',
      [
        { pid: 210, parent: process.pid, session: 210, limit: 6 },
        { pid: 211, parent: 210, session: 211, limit: 6 },
        { ...left, parent: 211 },
      ],
    ],
    ['is a job of the shell that has started Andiron', [{ ...left, parent: 40, session: 40 }]],
    [
      'is in a session that was open before',
      [
        { pid: 70, session: 70, started: 700 },
        { ...left, session: 70 },
      ],
    ],
    ['has ended', [{ ...left, isDead: true }]],
  ])('is no member when it %s (audit-S5)', (_what, processes) => {
    expect(found(...processes)).toEqual([100]);
  });

  test('is left alone when the Andiron above has started it, where this one runs in a command (audit-S5)', () => {
    const nested = { ...host, limit: 8 };
    expect(members([leader, nested, shell, reaper, { ...left, parent: 40 }])).toEqual([100]);
  });

  test('is left alone where nobody knows when the command began (audit-S5)', () => {
    const all = [{ ...left, parent: 1, started: 2_000, isDead: false, carries: () => 'no' as const }];
    expect(findMembers(all, { mark: '7', started: 0, known: new Map() })).toEqual([]);
  });
});

const limits = (hard: string): string =>
  `Max cpu time  unlimited  unlimited  seconds\nMax file locks            ${hard}            ${hard}            locks     \n`;
const marked = 'PATH=/bin\0ANDIRON_COMMAND=700\0';

describe('the mark of a process', () => {
  test.each([
    ['the limit', limits('700'), '', 'sure'],
    ['neither', limits('unlimited'), 'PATH=/bin\0', 'no'],
    ['a lower limit of its own and the variable', limits('600'), marked, 'sure'],
    ['a lower limit alone', limits('600'), 'PATH=/bin\0', 'no'],
    ['the variable, with a limit that no descendant has', limits('unlimited'), marked, 'no'],
    ['the variable, with the limit of another command', limits('701'), marked, 'no'],
    ['the variable, where the system tells no limits', '', marked, 'maybe'],
    ['a longer variable', '', 'ANDIRON_COMMAND=7001\0OLD_ANDIRON_COMMAND=700\0', 'no'],
  ])('is read from %s', (_what, limit, environment, expected) => {
    expect(marksOf(limit, environment, '700')).toBe(expected);
  });

  test('a new mark never exceeds the limit of Andiron itself, so that it can be set', () => {
    for (const own of [2 ** 53, 2 ** 45, 1_000, 2]) {
      for (let n = 0; n < 50; n++) {
        expect(Number(createMark(own))).toBeGreaterThan(0);
        expect(Number(createMark(own))).toBeLessThan(Math.min(own, 2 ** 52));
      }
    }
    expect(createMark()).not.toBe(createMark());
  });

  test('any mark is known as one, and hardly any other number', () => {
    for (const own of [2 ** 53, 2 ** 45, 2 ** 30]) expect(isMark(Number(createMark(own)))).toBe(true);
    const near = Number(createMark());
    const found = Array.from({ length: 100_000 }, (_, n) => isMark(near - 1 - n));
    expect(found.filter(Boolean).length).toBeLessThan(2);
    for (const own of [0, 1_000, Infinity]) expect(isMark(own)).toBe(false);
  });
});

test('what ps of a Mac prints is read with the environment behind each command', () => {
  const found = parsePs(
    [
      '    1     0     1 Ss   Mon Nov 23 08:00:01 2026     /sbin/launchd',
      '  812     1   812 S    Mon Nov 23 09:10:11 2026     sleep 60 PATH=/bin ANDIRON_COMMAND=700',
      '  813     1   812 Z    Mon Nov 23 09:10:12 2026     (sleep)',
      'ps: warning',
    ].join('\n'),
  );
  expect(found.map(({ pid, parent, group, isDead }) => [pid, parent, group, isDead])).toEqual([
    [1, 0, 1, false],
    [812, 1, 812, false],
    [813, 1, 812, true],
  ]);
  expect((found[2]?.started ?? 0) - (found[1]?.started ?? 0)).toBe(1_000);
  expect(found.map((each) => each.carries('700'))).toEqual(['no', 'maybe', 'no']);
  expect(found[1]?.carries('70')).toBe('no');
});
