/** The loop that everybody writes first: ask with tools, run the structured calls, stop when there are none. */
import { quietServices } from '../../../src/host/tools/testing.ts';
import type { Tool } from '../../../src/host/tools/tool.ts';
import { parseAnswer, type WireMessage } from '../prefix/wire.ts';
import { staysInside } from './conduct.ts';
import type { Deed } from './judge.ts';
import { ownTools } from './own-tools.ts';

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
  deeds: readonly Deed[];
}

type WireCall = NonNullable<WireMessage['tool_calls']>[number];

export async function runPlainLoop(run: PlainRun): Promise<PlainResult> {
  const tools = ownTools();
  const deeds: Deed[] = [];
  const messages: WireMessage[] = [
    { role: 'system', content: system },
    { role: 'user', content: run.ask },
  ];
  try {
    for (let reply = 1; reply <= run.mostReplies; reply += 1) {
      const message = await ask(run, tools, messages);
      messages.push(message);
      const calls = message.tool_calls ?? [];
      if (calls.length === 0)
        return { ended: 'answered', answer: message.content, error: '', messages, deeds };
      for (const call of calls) {
        const { name } = call.function;
        const { content, ...deed } = await runCall(call, tools, run);
        deeds.push({ tool: name, ...deed });
        messages.push({ role: 'tool', content, tool_name: name, tool_call_id: call.id });
      }
    }
    return { ended: 'capped', answer: '', error: 'it never stopped calling', messages, deeds };
  } catch (error) {
    return {
      ended: 'failed',
      answer: '',
      error: error instanceof Error ? error.message : String(error),
      messages,
      deeds,
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

const refused = (content: string) => ({ content, isOk: false, hasRun: false });

async function runCall(
  { id = '', function: { name, arguments: args } }: WireCall,
  tools: ReadonlyMap<string, Tool>,
  { workspace, signal }: PlainRun,
): Promise<{ content: string } & Omit<Deed, 'tool'>> {
  const tool = tools.get(name);
  if (tool === undefined) return refused(`Error: there is no tool ${name}.`);
  const parsed = tool.parse(args);
  if (!parsed.ok) return refused(parsed.error);
  if (!staysInside(args, workspace)) return refused('Error: the person declined this call.');
  const context = {
    workspace,
    callId: id,
    sessionId: 'plain',
    signal,
    output: () => undefined,
    ...quietServices(),
  };
  const checked = await parsed.call.check(context);
  if (!checked.ok) return refused(checked.result.content);
  const { ok, content, display } = await parsed.call.execute({ ...context, allowed: checked.touched });
  const hasRun = ok || (display?.kind === 'command' && display.exitCode !== null);
  return { content, isOk: ok, hasRun };
}
