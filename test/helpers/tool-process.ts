/** The real tools in a process of their own, for machines that refuse things: no rights, no room, no free file. */
import { renderTodo, setStatus, setSteps, summarizeTodo } from '../../src/host/planning/todo-list.ts';
import {
  guardFor,
  noCollections,
  noCommandSandbox,
  noDocuments,
  noMemory,
  noMcp,
  noSkills,
  noWeb,
  noSchedule,
  quietServices,
} from '../../src/host/tools/testing.ts';
import { spawn, spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { rgPath } from '@vscode/ripgrep';
import { systemFiles } from '../../src/platform/files.ts';
import { systemProcesses } from '../../src/platform/processes.ts';
import { createToolRegistry } from '../../src/host/tools/registry.ts';

export interface ToolProcessRequest {
  workspace: string;
  /** One after the other, in one session. */
  calls: readonly (readonly [tool: string, args: Record<string, unknown>])[];
  /** Opens files until the system gives no more, between two calls. */
  exhaustAfter?: number;
}

export interface ToolProcessOptions {
  /** Shell commands that prepare the process; the tools run where they leave it. */
  prepare?: string;
  /** Run in a user and mount namespace of its own, where anybody may mount. */
  namespace?: boolean;
  uid?: number;
}

const entry = fileURLToPath(import.meta.url);

/** What the model would read of each call. Rejects when the process did not end well. */
export async function runTools(
  request: ToolProcessRequest,
  { prepare = 'true', namespace = false, uid }: ToolProcessOptions = {},
): Promise<string[]> {
  const shell = ['/bin/sh', '-c', `${prepare} && exec "$0" "$@"`];
  const line = [...(namespace ? ['unshare', '-Urm'] : []), ...shell, process.execPath, entry];
  const [file = '', ...args] = line;
  const child = spawn(file, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    cwd: '/',
    ...(uid !== undefined && { uid, gid: uid }),
  });
  child.stdin.end(JSON.stringify(request));
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (stdout += piece));
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (stderr += piece));
  const code = await new Promise((resolve, reject) => {
    child.on('close', resolve);
    child.on('error', reject);
  });
  if (code !== 0) throw new Error(`The tools ended with ${String(code)}: ${stderr}`);
  return JSON.parse(stdout) as string[];
}

/** Whether this machine lets anybody have a namespace with mounts of its own. */
export function mayMount(): boolean {
  if (process.platform !== 'linux') return false;
  return spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
}

async function main({ workspace, calls, exhaustAfter }: ToolProcessRequest): Promise<void> {
  const tools = createToolRegistry({
    files: systemFiles,
    guard: guardFor(),
    processes: systemProcesses,
    ripgrepPath: rgPath,
    platform: process.platform,
    sandbox: noCommandSandbox,
    todo: { setSteps, setStatus, renderTodo, summarizeTodo },
    memory: noMemory,
    schedule: noSchedule,
    skills: noSkills,
    mcp: noMcp,
    web: noWeb,
    collections: noCollections,
    documents: noDocuments,
  });
  const context = {
    workspace,
    callId: 'call',
    sessionId: 'session',
    signal: new AbortController().signal,
    output: () => undefined,
    ...quietServices(),
  };
  const results: string[] = [];
  for (const [index, [name, args]] of calls.entries()) {
    if (index === exhaustAfter) openAll();
    const parsed = tools.get(name)?.parse(args);
    if (!parsed?.ok) throw new Error(`${name} does not take ${JSON.stringify(args)}`);
    const checked = await parsed.call.check(context);
    const result = checked.ok
      ? await parsed.call.execute({ ...context, allowed: checked.touched })
      : checked.result;
    results.push(result.content);
  }
  process.stdout.write(JSON.stringify(results));
}

/** Leaves no file descriptor. */
function openAll(): void {
  try {
    for (;;) openSync('/dev/null', 'r');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EMFILE')) throw error;
  }
}

if (process.argv[1] === entry) await main(JSON.parse(await text(process.stdin)) as ToolProcessRequest);
