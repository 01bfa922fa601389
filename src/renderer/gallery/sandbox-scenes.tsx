/** Questions about commands: kept in, not kept in and why, refused something in the sandbox, and very long. */
import type { Approval } from '../../protocol/model.ts';
import { window, type Scene } from './scene.tsx';
import { approvalOf, askingSession } from './session-fixtures.ts';

const all = 'The command can do all that you can';

/** Nothing keeps it in: it is asked about each time, and nothing is offered for longer. */
const bare = (id: string, why: string): Scene =>
  window(id, (now) => ({
    session: askingSession(now, {
      sandboxed: false,
      approval: approvalOf(now, {
        sandboxed: false,
        isUsual: undefined,
        network: undefined,
        rules: undefined,
        mutates: 'Anything your account can',
        why,
      }),
    }),
  }));

const asked = (id: string, over: (now: number) => Partial<Approval>): Scene =>
  window(id, (now) => ({ session: askingSession(now, { approval: approvalOf(now, over(now)) }) }));

const steps = Array.from(
  { length: 200 },
  (_, at) => `step ${String(at + 1)}; cp -r build/part-${String(at + 1)} out/part-${String(at + 1)}`,
).join('\n');

const line = (at: number): string => `export const value${String(at)} = compute(${String(at)});`;
const fiveThousand = Array.from({ length: 2_500 }, (_, at) => [`-${line(at)}`, `+${line(at + 1)}`]).flat();

export const sandboxScenes: Scene[] = [
  bare(
    'approval-bare',
    `${all}, because the sandbox program is missing. Install bubblewrap, then start Andiron again.`,
  ),
  bare(
    'approval-bare-refused',
    `${all}: this system did not let the sandbox start (bwrap: setting up uid map: Permission denied).`,
  ),
  window('approval-second', (now) => ({
    session: askingSession(now, {
      sandboxed: true,
      output: 'error: could not lock config file .git/config: Device or resource busy\n',
      approval: approvalOf(now, {
        sandboxed: false,
        isUsual: undefined,
        network: undefined,
        rules: undefined,
        mutates: 'Anything your account can',
        why: 'It failed as it tried to change something that the sandbox protects. Outside the sandbox it can do all that you can.',
      }),
    }),
  })),
  asked('approval-command-200', () => ({
    summary: steps,
    editable: { argument: 'command', text: steps },
    rules: undefined,
  })),
  window('approval-diff-5000', (now) => ({
    session: askingSession(now, {
      subject: 'src/generated/values.ts',
      display: {
        kind: 'diff',
        path: 'src/generated/values.ts',
        hunks: [{ oldStart: 1, newStart: 1, lines: fiveThousand }],
        added: 2_500,
        removed: 2_500,
      },
      approval: approvalOf(now, {
        tool: 'write_file',
        risk: 'write',
        summary: 'Write src/generated/values.ts (2500 lines)',
        mutates: 'Replaces all of src/generated/values.ts',
        why: 'The profile Developer asks before changes.',
        sandboxed: false,
        scopes: ['once', 'session'],
        grant: { tool: 'write_file', folder: '/home/ada/code/kiln/src', shown: 'src/' },
        editable: undefined,
        rules: undefined,
        undo: undefined,
      }),
    }),
  })),
];
