/** The built command line as a child process of its own, as a person or a script starts it, against a simulated Ollama. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reply, rule, script, startSim, type Sim } from '../../src/sim/index.ts';
import { beginFolder } from '../helpers/begun-folder.ts';
import { proveModels } from '../helpers/proven-models.ts';
import {
  projectRoot,
  startServerProcess,
  temporaryFolder,
  type ServerProcess,
} from '../helpers/server-process.ts';

/** A terminal obeys each of them: it clears, turns text around, hides it, goes back in the line. */
export const hostileText = 'safe\u001B[2Jcleared \u202Eturned\u202C zero\u200Bwidth back\rover \u009B31mred';

const answers = script([
  rule({ user: 'think of hello' }, reply().thinking('A greeting. ').text('Thought of it.')),
  rule({ user: 'read notes', resultCount: 0 }, reply().toolCall('read_file', { path: 'notes.txt' })),
  rule({ user: 'read notes' }, reply().text('Two lines.')),
  rule({ user: 'change notes', resultCount: 0 }, reply().toolCall('read_file', { path: 'notes.txt' })),
  rule(
    { user: 'change notes', resultCount: 1 },
    reply().toolCall('edit_file', { path: 'notes.txt', old_text: 'two', new_text: 'three' }),
  ),
  rule({ user: 'change notes' }, reply().text('Changed.')),
  rule(
    { user: 'make a list', resultCount: 0 },
    reply().toolCall('todo', { action: 'set', steps: ['Look around', 'Say hello'] }),
  ),
  rule({ user: 'make a list' }, reply().text('Listed.')),
  rule({ user: 'hello' }, reply().text('Hello there.\nA second line.')),
  rule({ user: 'hostile' }, reply().text(hostileText)),
  rule({ user: 'wait' }, reply().text('Half an answer. And ').pause(300_000).text('the rest.')),
  rule({ user: 'many lines' }, reply().text('One line.\n').pause(50).text('Another line.\n'.repeat(4_000))),
  rule({ user: 'run it', resultCount: 0 }, reply().toolCall('run_command', { command: 'echo ran >proof' })),
  rule({ user: 'run it' }, ({ results }) => reply().text(`It said: ${results.at(-1) ?? ''}`)),
  rule({ user: 'go on for ever' }, ({ results }) =>
    reply().toolCall('list_files', { path: '.', depth: results.length + 1 }),
  ),
  rule({ user: 'files' }, ({ messages }) => reply().text(`I see: ${messages.at(-1)?.content ?? ''}`)),
]);

export interface CliRun {
  pid: number;
  stdout: () => string;
  stderr: () => string;
  write: (text: string) => void;
  endInput: () => void;
  kill: (signal: NodeJS.Signals) => void;
  /** Resolves with the exit code once all output is there. */
  ended: Promise<number | null>;
}

export interface CliHarness {
  sim: Sim;
  dataDir: string;
  /** Name both the folder and the simulated Ollama. */
  options: readonly string[];
  workspace: string;
  /** The headless server on the same data folder. */
  startServer(): Promise<ServerProcess>;
  /** Starts it with pipes; stdin stays open until `endInput`. */
  cli(...args: string[]): CliRun;
  /** Starts it in a terminal of Python's: stdout has what the terminal got, stderr as well. */
  inTerminal(...args: string[]): CliRun;
  /** Starts it in a shell, its arguments quoted as `"$@"`. */
  inShell(line: string, ...args: string[]): CliRun;
  close(): Promise<void>;
}

const terminal = `
import os, pty, select, sys
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
inputs = [0, fd]
while True:
    ready, _, _ = select.select(inputs, [], [])
    if fd in ready:
        try:
            data = os.read(fd, 65536)
        except OSError:
            data = b''
        if not data:
            break
        os.write(1, data)
    if 0 in ready:
        data = os.read(0, 65536)
        if data:
            os.write(fd, data)
        else:
            inputs.remove(0)
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status))
`;

export async function openCliHarness(): Promise<CliHarness> {
  const sim = await startSim({ speed: 100, script: answers });
  const data = temporaryFolder();
  const work = temporaryFolder();
  const options = [`--data-dir=${data.path}`, `--engine-url=${sim.url}`];
  await proveModels(options);
  beginFolder(data.path);
  writeProfile(data.path, 'short', { maxIterations: 2 });
  const open: { close(): unknown }[] = [];

  const start = (file: string, args: readonly string[]): CliRun => {
    const child = spawn(file, args, { cwd: work.path, env: { ...process.env, OLLAMA_HOST: '' } });
    open.push({ close: () => child.kill('SIGKILL') });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (part: string) => (stdout += part));
    child.stderr.setEncoding('utf8').on('data', (part: string) => (stderr += part));
    child.stdin.on('error', () => undefined);
    return {
      pid: child.pid ?? 0,
      stdout: () => stdout,
      stderr: () => stderr,
      write: (text) => void child.stdin.write(text),
      endInput: () => void child.stdin.end(),
      kill: (signal) => void child.kill(signal),
      ended: once(child, 'close').then(([code]) => code as number | null),
    };
  };
  const entry = join(projectRoot, 'scripts', 'andiron.mjs');
  const withOptions = (args: readonly string[]): string[] => [entry, ...args, ...options];
  return {
    sim,
    dataDir: data.path,
    options,
    workspace: work.path,
    async startServer() {
      const server = await startServerProcess(options);
      open.push({ close: () => server.stop() });
      return server;
    },
    cli: (...args) => start(process.execPath, withOptions(args)),
    inTerminal: (...args) => start('python3', ['-c', terminal, process.execPath, ...withOptions(args)]),
    inShell: (line, ...args) => start('sh', ['-c', line, 'sh', process.execPath, ...withOptions(args)]),
    async close() {
      for (const each of open.toReversed()) await each.close();
      await sim.close();
      for (const folder of [data, work]) folder.remove();
    },
  };
}

function writeProfile(dataDir: string, id: string, changes: object): void {
  const folder = join(dataDir, 'profiles', id);
  mkdirSync(folder, { recursive: true });
  const about = { name: id, description: '', models: [], tools: ['list_files'], approvals: 'auto_read' };
  writeFileSync(join(folder, 'profile.json'), JSON.stringify({ ...about, ...changes }));
  writeFileSync(join(folder, 'system.md'), 'You help.\n');
}
