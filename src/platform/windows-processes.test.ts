import { describe, expect, test } from 'vitest';
import { endCall, endTreeCall, findDescendants, listCall, parseWindowsList } from './windows-processes.ts';

const root = 100;
const self = 999;
const second = 1_000;
/** pid, parent, and when it began, in seconds after the command. */
type Row = [pid: number, parent: number, started: number];

function members(rows: Row[], known: [pid: number, started: number][] = []): number[] {
  const since = 1_000_000;
  const all = rows.map(([pid, parent, at]) => ({ pid, parent, started: since + at * second }));
  const command = { pid: root, since, known: new Map(known.map(([pid, at]) => [pid, since + at * second])) };
  return findDescendants(all, command, self)
    .map(({ pid }) => pid)
    .toSorted((a, b) => a - b);
}

describe('A command of Windows consists of (desk-F7)', () => {
  test.each<[string, Row[], number[]]>([
    ['its shell alone', [[root, self, 0]], [root]],
    [
      'its shell and what that started',
      [
        [root, self, 0],
        [5, root, 1],
      ],
      [5, root],
    ],
    [
      'grandchildren, whichever order they are listed in',
      [
        [7, 6, 3],
        [6, 5, 2],
        [5, root, 1],
        [root, self, 0],
      ],
      [5, 6, 7, root],
    ],
    ['what a shell that has ended left behind', [[5, root, 1]], [5]],
    [
      'what such a leftover started in its turn',
      [
        [6, 5, 2],
        [5, root, 1],
      ],
      [5, 6],
    ],
    ['nothing once all of it has ended', [[5, 1, 1]], []],
    [
      'no program that began before it, whose parent once had the id',
      [
        [root, self, 0],
        [5, root, -60],
      ],
      [root],
    ],
    [
      'no child of a later process that got the id of the shell',
      [
        [root, 1, 50],
        [5, root, 60],
      ],
      [],
    ],
    [
      'what it left before a later process got the id of its shell',
      [
        [root, 1, 50],
        [5, root, 10],
        [6, root, 60],
      ],
      [5],
    ],
    [
      'never Andiron, whatever is said of its parent',
      [
        [root, self, 0],
        [self, root, 1],
      ],
      [root],
    ],
    [
      'no neighbour',
      [
        [root, self, 0],
        [5, self, 1],
        [6, 5, 2],
      ],
      [root],
    ],
    [
      'all of it in a circle of ids',
      [
        [5, 6, 1],
        [6, 5, 1],
        [root, self, 0],
        [7, root, 1],
      ],
      [7, root],
    ],
    [
      'its shell, told a second before or after by its clock',
      [
        [root, self, -1],
        [5, root, -1],
      ],
      [5, root],
    ],
    ['not what has the id of the shell and began a minute earlier', [[root, self, -60]], []],
    [
      'children of the same moment as their parent',
      [
        [root, self, 0],
        [5, root, 0],
        [6, 5, 0],
      ],
      [5, 6, root],
    ],
  ])('%s', (_what, rows, expected) => {
    expect(members(rows)).toEqual(expected);
  });

  test.each<[string, Row[], [number, number][], number[]]>([
    [
      'what descends from a member that was seen and has ended',
      [[7, 5, 3]],
      [
        [root, 0],
        [5, 1],
      ],
      [7],
    ],
    [
      'a member that was seen, though its parent has ended',
      [[6, 5, 2]],
      [
        [root, 0],
        [6, 2],
      ],
      [6],
    ],
    [
      'not another process with the id of a member that was seen',
      [[6, 1, 30]],
      [
        [root, 0],
        [6, 2],
      ],
      [],
    ],
    [
      'not what that other process started',
      [
        [6, 1, 30],
        [8, 6, 31],
      ],
      [
        [root, 0],
        [6, 2],
      ],
      [],
    ],
    [
      'what the member had started before that',
      [
        [6, 1, 30],
        [8, 6, 5],
      ],
      [
        [root, 0],
        [6, 2],
      ],
      [8],
    ],
  ])('%s', (_what, rows, known, expected) => {
    expect(members(rows, known)).toEqual(expected);
  });

  test('its shell by when it was seen, and not by a tolerance, from the second look on', () => {
    const known = new Map<number, number>();
    const command = { pid: root, since: 0, known };
    findDescendants([{ pid: root, parent: self, started: 900 }], command, self);
    expect(known.get(root)).toBe(900);
    expect(findDescendants([{ pid: root, parent: 1, started: 950 }], command, self)).toEqual([]);
  });
});

describe('A list of Windows is read (desk-F7)', () => {
  const at = Date.UTC(2026, 10, 3, 8, 5, 9);
  test.each<[string, string, ReturnType<typeof parseWindowsList>]>([
    [
      'line by line',
      '4 0 2026-11-03T08:05:09.0000000Z\r\n8 4 2026-11-03T08:05:10.0000000Z\r\n',
      [
        { pid: 4, parent: 0, started: at },
        { pid: 8, parent: 4, started: at + second },
      ],
    ],
    [
      'without lines that are something else',
      'WARNING: slow\r\n8 4 2026-11-03T08:05:09.0000000Z\r\nx y z',
      [{ pid: 8, parent: 4, started: at }],
    ],
    [
      'without what has no date',
      '8 4 \r\n9 4 never\r\n7 4 2026-11-03T08:05:09Z',
      [{ pid: 7, parent: 4, started: at }],
    ],
    ['as no list where nothing is said', '', null],
    ['as no list where PowerShell may not run', 'Get-CimInstance : Access denied\r\n', null],
  ])('%s', (_how, stdout, expected) => {
    expect(parseWindowsList(stdout)).toEqual(expected);
  });
});

describe('A program of Windows is called by its full path (desk-F7)', () => {
  const env = { SystemRoot: 'D:\\Win', PATH: 'C:\\repo' };
  test.each([
    ['the list', listCall(env).file, 'D:\\Win\\System32\\WindowsPowerShell\\v1.0\\powershell.exe'],
    ['the end of some', endCall(env, [1]).file, 'D:\\Win\\System32\\taskkill.exe'],
    ['the end of a tree', endTreeCall(env, 1).file, 'D:\\Win\\System32\\taskkill.exe'],
    [
      'the list, where no root is known',
      listCall({}).file,
      'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
    ],
  ])('%s', (_what, file, expected) => {
    expect(file).toBe(expected);
  });

  test('several are ended by force at once, each by its own id', () => {
    expect(endCall(env, [7, 8]).args).toEqual(['/F', '/PID', '7', '/PID', '8']);
  });

  test('a tree is ended by force at once', () => {
    expect(endTreeCall(env, 7).args).toEqual(['/F', '/T', '/PID', '7']);
  });

  test('the list has no double quote, which would be read once more on the way', () => {
    expect(listCall(env).args.join(' ')).not.toContain('"');
  });
});
