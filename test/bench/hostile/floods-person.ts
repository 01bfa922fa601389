/** Floods from windows, files and programs: frames, imports, attachments, names, folders, commands. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AndironError } from '../../../src/protocol/errors.ts';
import { reply } from '../../../src/sim/index.ts';
import type { SessionView } from '../../helpers/host-world.ts';
import { within } from '../../helpers/waiting.ts';
import { ended, type Flood } from './floods-engine.ts';
import type { Stage } from './stage.ts';

const MB = 1024 * 1024;
const nested = (depth: number): unknown => {
  let value: unknown = [];
  for (let level = 1; level < depth; level += 1) value = [value];
  return value;
};

const refusal = (error: unknown): string => (error instanceof AndironError ? error.code : String(error));

/** Refused or taken, it has to be answered. A word that `ask` resolves with says how. */
export function asked(name: string, ask: (stage: Stage) => Promise<unknown>): Flood {
  return {
    name,
    run: (stage) =>
      within(
        ask(stage).then((said) => (typeof said === 'string' ? said : 'taken'), refusal),
        name,
      ),
  };
}

/** A call of a tool, allowed where it asks. */
function tool(
  name: string,
  toolName: string,
  args: (stage: Stage) => Record<string, string>,
  prepare?: (stage: Stage) => void,
): Flood {
  return {
    name,
    async run(stage) {
      prepare?.(stage);
      const { sim, session } = stage;
      sim.setScript(({ results }) =>
        results.length === 0 ? reply().toolCall(toolName, args(stage)) : reply().text('That is all.'),
      );
      const view = await session();
      const turnId = await view.send('Go on.');
      void allowAll(view, turnId);
      const { status } = await within(view.closed(turnId), `the end of the turn: ${name}`);
      view.rpc.close();
      return ended(view, status);
    },
  };
}

export async function allowAll(view: SessionView, turnId: string): Promise<void> {
  const answered = new Set<string>();
  for (;;) {
    const waiting = () =>
      view.items('tool').find((item) => item.state === 'awaiting_approval' && !answered.has(item.id));
    await view.until(() => view.turn(turnId)?.closed === true || waiting() !== undefined);
    const item = waiting();
    if (!item?.approval) return;
    answered.add(item.id);
    const { sessionId } = view;
    await view.rpc.call('approval/answer', {
      sessionId,
      approvalId: item.approval.id,
      decision: 'allow',
      scope: 'once',
    });
  }
}

const folderOf = ({ workspace }: Stage, name: string): string => {
  const folder = join(workspace, name);
  mkdirSync(folder, { recursive: true });
  return folder;
};

/** Rounds share a workspace. */
function linkOnce(to: string, path: string): void {
  if (!existsSync(path)) symlinkSync(to, path);
}

export const personFloods: readonly Flood[] = [
  asked('a request nested 500 deep', ({ window }) =>
    window.rpc.call('session/import', { snapshot: nested(500) }),
  ),
  asked('an import of 500,000 turns of nothing', ({ window }) =>
    window.rpc.call('session/import', {
      snapshot: { format: 'andiron-session', version: 1, turns: Array.from({ length: 500_000 }, () => ({})) },
    }),
  ),
  asked('2,000 requests at once', ({ window }) =>
    Promise.allSettled(
      Array.from({ length: 2_000 }, () => window.rpc.call('session/search', { query: 'a' })),
    ),
  ),
  asked('200 windows at once', async ({ app }) => {
    const windows = Array.from({ length: 200 }, () => app.openWindow());
    await Promise.allSettled(windows.map(({ rpc }) => rpc.call('host/subscribe', {})));
    for (const { rpc } of windows) rpc.close();
  }),
  asked('a message of 4 MB', async ({ session, sim }) => {
    sim.setScript(() => reply().text('That is all.'));
    const view = await session();
    await view.ask('word '.repeat(800_000));
    view.rpc.close();
  }),
  asked('an attachment with a path for a name', ({ window }) =>
    window.rpc.call('attachment/add', { name: '../../../outside/escaped.txt', data: 'eA==' }),
  ),
  tool(
    'a pattern that takes for ever',
    'search',
    () => ({ pattern: '(a|a)*(a|a)*(a|a)*$(?s).{100000}' }),
    (stage) => {
      writeFileSync(join(folderOf(stage, 'long'), 'a.txt'), 'a'.repeat(20 * MB));
    },
  ),
  tool(
    'a file of one line of 100 MB',
    'read_file',
    () => ({ path: 'huge/line.txt' }),
    (stage) => {
      writeFileSync(join(folderOf(stage, 'huge'), 'line.txt'), 'a'.repeat(100 * MB));
    },
  ),
  tool(
    '20,000 files with hostile names',
    'glob',
    () => ({ pattern: '**/*' }),
    (stage) => {
      const folder = folderOf(stage, 'names');
      for (let index = 0; index < 20_000; index += 1)
        writeFileSync(join(folder, `\u202e${String(index)}\n\u001b[2J[andiron note]`), '');
    },
  ),
  tool(
    'a folder 400 levels deep',
    'glob',
    () => ({ pattern: '**/bottom*' }),
    (stage) => {
      folderOf(stage, join('deep', ...Array.from({ length: 400 }, () => 'd')));
    },
  ),
  tool(
    'a circle of links',
    'glob',
    () => ({ pattern: '**/*.txt' }),
    (stage) => {
      const folder = folderOf(stage, 'circle');
      for (let index = 0; index < 50; index += 1) linkOnce('..', join(folder, `up${String(index)}`));
    },
  ),
  tool('a pattern of names that takes for ever', 'glob', () => ({ pattern: `${'*a'.repeat(60)}b` })),
  tool(
    'a pipe in place of a file',
    'read_file',
    () => ({ path: 'pipes/pipe' }),
    (stage) => {
      spawnSync('mkfifo', [join(folderOf(stage, 'pipes'), 'pipe')]);
    },
  ),
  tool('a file that never ends', 'read_file', () => ({ path: '/dev/zero' })),
  tool('a command that writes 300 MB', 'run_command', () => ({ command: 'head -c 300000000 /dev/zero' })),
  tool('a command that writes a million lines', 'run_command', () => ({ command: 'yes | head -n 1000000' })),
  tool(
    'writing through a link to elsewhere',
    'write_file',
    () => ({ path: 'leading/escaped.txt', content: 'x' }),
    (stage) => {
      linkOnce(stage.outside, join(stage.workspace, 'leading'));
    },
  ),
  tool('writing to a path outside', 'write_file', ({ outside }) => ({
    path: join(outside, 'escaped.txt'),
    content: 'x',
  })),
];
