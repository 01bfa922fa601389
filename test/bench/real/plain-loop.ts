/** The loop that everybody writes first: ask with tools, run the structured calls, stop when there are none. */
import { rgPath } from '@vscode/ripgrep';
import { editFileTool } from '../../../src/host/tools/edit-file.ts';
import { globTool } from '../../../src/host/tools/glob.ts';
import { listFilesTool } from '../../../src/host/tools/list-files.ts';
import { readFileTool } from '../../../src/host/tools/read-file.ts';
import { createReadLedger } from '../../../src/host/tools/read-ledger.ts';
import { runCommandTool } from '../../../src/host/tools/run-command.ts';
import { searchTool } from '../../../src/host/tools/search.ts';
import { guardFor, quietServices } from '../../../src/host/tools/testing.ts';
import type { Tool } from '../../../src/host/tools/tool.ts';
import { writeFileTool } from '../../../src/host/tools/write-file.ts';
import { systemFiles } from '../../../src/platform/files.ts';
import { systemProcesses } from '../../../src/platform/processes.ts';
import { parseAnswer, type WireMessage } from '../prefix/wire.ts';
import { staysInside } from './conduct.ts';

const system = 'You are a helpful assistant. You work in one folder and have tools for it. Use them.';

export interface PlainRun {
  url: string;
  model: string;
  workspace: string;
  ask: string;
  /** Sampling and the load plan. */
  options: Record<string, number | undefined>;
  shift: boolean;
  mostReplies: number;
  signal: AbortSignal;
}

export interface PlainResult {
  /** `failed`: the engine's answer could not be used. */
  ended: 'answered' | 'capped' | 'failed';
  answer: string;
  error: string;
  /** Everything that was said, the results of tools included. */
  messages: readonly WireMessage[];
}

type WireCall = NonNullable<WireMessage['tool_calls']>[number];

/** The tools with which files are read and changed and commands run, by name. */
export function ownTools(): ReadonlyMap<string, Tool> {
  const deps = {
    files: systemFiles,
    guard: guardFor(),
    ledger: createReadLedger(),
    processes: systemProcesses,
    ripgrepPath: rgPath,
    platform: process.platform,
  };
  const makers = [
    readFileTool,
    writeFileTool,
    editFileTool,
    listFilesTool,
    globTool,
    searchTool,
    runCommandTool,
  ];
  return new Map(makers.map((make) => make(deps)).map((tool) => [tool.name, tool]));
}

export async function runPlainLoop(run: PlainRun): Promise<PlainResult> {
  const tools = ownTools();
  const messages: WireMessage[] = [
    { role: 'system', content: system },
    { role: 'user', content: run.ask },
  ];
  try {
    for (let reply = 1; reply <= run.mostReplies; reply += 1) {
      const message = await ask(run, tools, messages);
      messages.push(message);
      const calls = message.tool_calls ?? [];
      if (calls.length === 0) return { ended: 'answered', answer: message.content, error: '', messages };
      for (const call of calls) {
        const { name } = call.function;
        const content = await runCall(call, tools, run);
        messages.push({ role: 'tool', content, tool_name: name, tool_call_id: call.id });
      }
    }
    return { ended: 'capped', answer: '', error: 'it never stopped calling', messages };
  } catch (error) {
    return {
      ended: 'failed',
      answer: '',
      error: error instanceof Error ? error.message : String(error),
      messages,
    };
  }
}

async function ask(
  { url, model, options, shift, signal }: PlainRun,
  tools: ReadonlyMap<string, Tool>,
  messages: readonly WireMessage[],
): Promise<WireMessage> {
  const offered = [...tools.values()].map(({ name, description, schema }) => ({
    type: 'function',
    function: { name, description, parameters: schema },
  }));
  const response = await fetch(`${url}/api/chat`, {
    method: 'POST',
    body: JSON.stringify({ model, messages, tools: offered, options, shift, stream: false }),
    signal,
  });
  if (!response.ok) throw new Error(await response.text());
  return parseAnswer(await response.json());
}

async function runCall(
  { id = '', function: { name, arguments: args } }: WireCall,
  tools: ReadonlyMap<string, Tool>,
  { workspace, signal }: PlainRun,
): Promise<string> {
  const tool = tools.get(name);
  if (tool === undefined) return `Error: there is no tool ${name}.`;
  const parsed = tool.parse(args);
  if (!parsed.ok) return parsed.error;
  if (!staysInside(args, workspace)) return 'Error: the person declined this call.';
  const context = {
    workspace,
    callId: id,
    sessionId: 'plain',
    signal,
    output: () => undefined,
    ...quietServices(),
  };
  const checked = await parsed.call.check(context);
  if (!checked.ok) return checked.result.content;
  return (await parsed.call.execute({ ...context, allowed: checked.touched })).content;
}
