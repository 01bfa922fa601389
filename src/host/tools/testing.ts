/** A workspace on disk with the real tools, called as the loop calls them. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import type { Files } from '../../platform/files.ts';
import { systemFiles } from '../../platform/files.ts';
import { systemProcesses } from '../../platform/processes.ts';
import { createToolRegistry } from './registry.ts';
import type { ToolContext, ToolResult } from './tool.ts';

export interface Workbench {
  /** Holds the workspace and whatever lies beside it. */
  root: string;
  workspace: string;
  /** Paths are relative to the workspace; folders are made. */
  write: (path: string, content: string | Uint8Array) => void;
  read: (path: string) => string;
  /** Parse, check, execute; the first refusal is the result. */
  call: (tool: string, args: unknown, more?: Partial<ToolContext>) => Promise<ToolResult>;
  remove: () => void;
}

export function workbench(files: Files = systemFiles): Workbench {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'andiron-tools-')));
  const workspace = join(root, 'work');
  mkdirSync(workspace);
  const tools = createToolRegistry({
    files,
    processes: systemProcesses,
    ripgrepPath: rgPath,
    platform: process.platform,
  });
  return {
    root,
    workspace,
    write(path, content) {
      const target = join(workspace, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, content);
    },
    read: (path) => readFileSync(join(workspace, path), 'utf8'),
    async call(name, args, more = {}) {
      const parsed = tools.get(name)?.parse(args) ?? { ok: false, error: `no tool ${name}` };
      if (!parsed.ok) return { ok: false, content: parsed.error, display: null };
      const context: ToolContext = {
        workspace,
        callId: 'call',
        sessionId: 'session',
        signal: new AbortController().signal,
        output: () => undefined,
        ...more,
      };
      const checked = await parsed.call.check(context);
      return checked.ok ? parsed.call.execute(context) : checked.result;
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
