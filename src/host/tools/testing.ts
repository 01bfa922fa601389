/** A workspace on disk with the real tools, called as the loop calls them. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import type { MemoryAccess } from './memory-access.ts';
import type { CollectionAccess } from './collection-access.ts';
import type { McpAccess } from './mcp-access.ts';
import type { SkillAccess } from './skill-access.ts';
import type { WebAccess } from './web-access.ts';
import type { DocumentAccess } from './document-access.ts';
import type { ScheduleAccess } from './schedule-access.ts';
import type { TodoListRules } from './todo.ts';
import type { Todo } from '../../protocol/model.ts';
import type { Files } from '../../platform/files.ts';
import { systemFiles } from '../../platform/files.ts';
import { systemProcesses } from '../../platform/processes.ts';
import { createPathGuard, type PathGuard } from './path-guard.ts';
import type { ToolRegistryDeps } from './registry.ts';
import { createToolRegistry } from './registry.ts';
import type { CommandSandbox } from './command-sandbox.ts';
import { ToolFailure, type PreparedCall, type ToolContext, type ToolResult } from './tool.ts';

export interface Workbench {
  /** Holds the workspace and whatever lies beside it. */
  root: string;
  workspace: string;
  /** Paths are relative to the workspace; folders are made. */
  write: (path: string, content: string | Uint8Array) => void;
  read: (path: string) => string;
  /** Parse, check, execute; the first refusal is the result. */
  call: (tool: string, args: unknown, more?: Partial<ToolContext>) => Promise<ToolResult>;
  /** As it would be asked about; throws when it is refused. */
  parse: (tool: string, args: unknown) => PreparedCall;
  remove: () => void;
}

export const testRipgrep: string = rgPath;

/** Every command does what the person can. */
export const noCommandSandbox: CommandSandbox = {
  status: { kind: 'none', problem: 'system', detail: '' },
  keep: () => Promise.reject(new Error('There is no sandbox.')),
};

/** Keeps nothing and knows nothing. */
export const noMemory: MemoryAccess = {
  save: ({ category = '', key, value }) => ({ fact: { category, key, value }, change: 'added' }),
  search: () => Promise.resolve([]),
};

/** Nothing is planned. */
export const noSchedule: ScheduleAccess = {
  now: () => '2026-11-28T07:00 (UTC)',
  readTime: (text) => Date.parse(text) || null,
  cron: (expression) => ({ kind: 'cron', expression, timeZone: 'UTC' }),
  add: (_sessionId, { name, task }) => Promise.resolve({ id: 'job_1', name, task, next: null }),
  list: () => [],
  cancel: (_sessionId, id) => ({ id, name: id, task: '', next: null }),
};

/** There is no skill. */
export const noSkills: SkillAccess = {
  load: () => Promise.reject(new ToolFailure('There is no such skill.')),
};

/** No server is set up. */
export const noMcp: McpAccess = {
  search: () => Promise.resolve([]),
  check: () => Promise.reject(new ToolFailure('There is no such tool.')),
  call: () => Promise.reject(new ToolFailure('There is no such tool.')),
};

/** There is no network. */
export const noWeb: WebAccess = {
  read: () => Promise.reject(new ToolFailure('There is no such host.')),
  search: () => Promise.reject(new ToolFailure('No search service is set up.')),
  canSearch: () => false,
};

/** Nobody has a collection. */
export const noCollections: CollectionAccess = {
  hasAny: () => false,
  search: () => Promise.reject(new ToolFailure('There is no collection.')),
};

/** No file is a document, and none is made. */
export const noDocuments: DocumentAccess = {
  read: () => Promise.resolve(null),
  kindAt: () => Promise.resolve(null),
  write: () => Promise.reject(new ToolFailure('There is no such format.')),
};

export interface WorkbenchOptions extends Partial<ToolRegistryDeps> {
  /** Where it stands; the folder for temporary files unless given. */
  base?: string;
  /** Of the workspace folder. */
  name?: string;
  /** One that is there already, in place of a new one. */
  root?: string;
}

export function workbench(
  files: Files = systemFiles,
  { base = tmpdir(), name = 'work', root: there, ...deps }: WorkbenchOptions = {},
): Workbench {
  const root = realpathSync(there ?? mkdtempSync(join(base, 'andiron-tools-')));
  const workspace = join(root, name);
  mkdirSync(workspace, { recursive: true });
  const tools = createToolRegistry({
    files,
    guard: guardFor(files),
    processes: systemProcesses,
    ripgrepPath: rgPath,
    platform: process.platform,
    sandbox: noCommandSandbox,
    todo: fixedList,
    memory: noMemory,
    schedule: noSchedule,
    skills: noSkills,
    mcp: noMcp,
    web: noWeb,
    collections: noCollections,
    documents: noDocuments,
    ...deps,
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
        ...quietServices(),
        ...more,
      };
      const checked = await parsed.call.check(context);
      return checked.ok ? parsed.call.execute({ ...context, allowed: checked.touched }) : checked.result;
    },
    parse(name, args) {
      const parsed = tools.get(name)?.parse(args);
      if (!parsed?.ok) throw new Error(parsed?.error ?? `no tool ${name}`);
      return parsed.call;
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** With no data folder to protect. */
export const guardFor = (files: Files = systemFiles): PathGuard =>
  createPathGuard(files, { dataDirs: [], workspaces: [], homeDirs: [] });

/** The rules of the list belong to planning; here nothing changes. */
const fixedList: TodoListRules = {
  setSteps: (todo) => ({ ok: true, todo }),
  setStatus: (todo) => ({ ok: true, todo }),
  renderTodo: () => '',
  summarizeTodo: () => '',
};

/** Everything beside the workspace that a tool may use: a list in memory, nobody to spawn, one profile. */
export function quietServices(): Pick<ToolContext, 'data' | 'agents' | 'profiles'> {
  let todo: Todo = { steps: [] };
  let scratchpad: Record<string, string> = {};
  return {
    data: {
      todo: () => todo,
      setTodo: (next) => (todo = next),
      mustValidate: () => false,
      readScratchpad: () => scratchpad,
      writeScratchpad: (next) => (scratchpad = next),
    },
    agents: null,
    profiles: { list: () => [], switchTo: () => undefined },
  };
}
