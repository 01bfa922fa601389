/**
 * Ollama's processes on this machine, by their command lines: its servers and the runners that they started.
 * Other programs' command lines are looked at and not kept.
 */
import { powershellProgram } from '../../platform/system-programs.ts';
import { z } from 'zod';
import { parseJson } from '../../protocol/json.ts';
import type { EngineFiles, EngineProcesses, Machine } from '../base/engine-deps.ts';

export interface EngineProcess {
  pid: number;
  parent: number;
  /** File name of the program in lower case, without `.exe`. */
  program: 'ollama' | 'llama-server';
  /** Without the program. */
  args: readonly string[];
}

/** Rejects when the processes cannot be listed here. */
export type ProcessLister = () => Promise<EngineProcess[]>;

export interface ProcessListerDeps {
  machine: Pick<Machine, 'platform' | 'env'>;
  files: Pick<EngineFiles, 'list' | 'readText'>;
  processes: Pick<EngineProcesses, 'run'>;
}

const listMs = 5_000;
const atOnce = 32;

/** By the kernel's files on Linux, by one short program elsewhere. */
export function createProcessLister({ machine, files, processes }: ProcessListerDeps): ProcessLister {
  if (machine.platform === 'linux') return () => readProc(files);
  if (machine.platform === 'win32') {
    const program = powershellProgram(machine.env);
    return async () => parseWindowsProcesses(await processes.run(program, windowsArgs, listMs));
  }
  return async () => parsePs(await processes.run('/bin/ps', psArgs, listMs));
}

const psArgs: readonly string[] = ['-axww', '-o', 'pid=,ppid=,command='];

const windowsQuery =
  `Get-CimInstance Win32_Process -Filter "Name='ollama.exe' OR Name='llama-server.exe'" | ` +
  'Select-Object ProcessId,ParentProcessId,CommandLine | ConvertTo-Json -Compress';

const windowsArgs: readonly string[] = ['-NoProfile', '-NonInteractive', '-Command', windowsQuery];

async function readProc(files: ProcessListerDeps['files']): Promise<EngineProcess[]> {
  const pids = (await files.list('/proc')).filter((name) => /^\d+$/.test(name));
  const found: EngineProcess[] = [];
  const readNext = async (): Promise<void> => {
    for (let pid = pids.pop(); pid !== undefined; pid = pids.pop()) {
      const entry = await readOne(files, pid);
      if (entry) found.push(entry);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, readNext));
  return found.toSorted((a, b) => a.pid - b.pid);
}

async function readOne(files: ProcessListerDeps['files'], pid: string): Promise<EngineProcess | null> {
  try {
    const [file = '', ...args] = (await files.readText(`/proc/${pid}/cmdline`)).split('\0');
    const program = programOf(file);
    if (!program) return null;
    const stat = await files.readText(`/proc/${pid}/stat`);
    // After the name in parentheses, which may hold anything: state, parent.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (!Number.isInteger(parent)) return null;
    return { pid: Number(pid), parent, program, args: args.filter((arg) => arg !== '') };
  } catch {
    // It ended while it was looked at, or is somebody else's: not one that we could use.
    return null;
  }
}

/** One line per process: pid, parent, command line with its parts joined by blanks. */
export function parsePs(stdout: string): EngineProcess[] {
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(\S.*?)\s*$/.exec(line) ?? [];
    // A folder of the path may hold blanks, so the program ends where its name is followed by one.
    const [, file, rest = ''] =
      /^(.*?(?:^|\/)(?:ollama|llama-server))(?:\s+(.*))?$/.exec(command ?? '') ?? [];
    const program = programOf(file ?? '');
    if (!program) return [];
    return { pid: Number(pid), parent: Number(parent), program, args: rest.split(/\s+/).filter(Boolean) };
  });
}

const windowsRow = z.object({
  ProcessId: z.number().int(),
  ParentProcessId: z.number().int(),
  /** null where we may not see it. */
  CommandLine: z.string().nullable(),
});
const windowsRows = z.union([z.array(windowsRow), windowsRow.transform((row) => [row])]);

/** PowerShell prints nothing for no row, an object for one and a list for several. */
export function parseWindowsProcesses(stdout: string): EngineProcess[] {
  if (stdout.trim() === '') return [];
  return windowsRows.parse(parseJson(stdout)).flatMap((row) => {
    const [file = '', ...args] = splitQuoted(row.CommandLine ?? '');
    const program = programOf(file);
    return program ? { pid: row.ProcessId, parent: row.ParentProcessId, program, args } : [];
  });
}

function splitQuoted(commandLine: string): string[] {
  return [...commandLine.matchAll(/"([^"]*)"|\S+/g)].map(([whole, quoted]) => quoted ?? whole);
}

/** Which of Ollama's programs a path names; null = none. */
export function programOf(path: string): EngineProcess['program'] | null {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase();
  const bare = name.replace(/\.exe$/, '');
  return bare === 'ollama' || bare === 'llama-server' ? bare : null;
}
