import type { JsonObject, Message } from '../render/index.ts';
import type { ScriptRequest } from '../script/script.ts';

/** A tool call of the running turn and what came back. */
export interface DemoStep {
  name: string;
  args: JsonObject;
  /** Undefined while nothing came back. */
  result: string | undefined;
  /** The tool failed, was declined or was stopped. */
  failed: boolean;
}

/** The running turn as the demo's rules see it. */
export interface DemoTurn {
  request: ScriptRequest;
  /** What the person wrote, without what the client puts around it. */
  words: string;
  steps: DemoStep[];
}

const FAILURE =
  /^\s*(?:tool )?error\b|^\s*operation cancelled|\bdeclined\b|\bnot allowed\b|^\s*interrupted;/i;
/** Clients put marked notes and facts about the workspace into messages; a person wrote neither. */
const NOTE = /\n*\[[a-z]+ note\][^\n]*/gi;
const FACTS = /^(?:[A-Z][a-z]+(?: [a-z]+)*: [^\n]*\n)+(?:[^\n]+\n)*\n/;

export function readTurn(request: ScriptRequest): DemoTurn {
  const start = request.messages.findLastIndex((message) => message.role === 'user');
  return {
    request,
    words: request.lastUser.replaceAll(NOTE, '').replace(FACTS, '').trim(),
    steps: stepsOf(request.messages.slice(start + 1)),
  };
}

function stepsOf(messages: readonly Message[]): DemoStep[] {
  const calls = messages.flatMap((message) => message.tool_calls ?? []);
  const results = messages.filter((message) => message.role === 'tool').map((message) => message.content);
  return calls.map((call, index) => {
    const result = results[index]?.replaceAll(NOTE, '');
    return {
      name: call.function.name,
      args: call.function.arguments,
      result,
      failed: result !== undefined && FAILURE.test(firstLine(result)),
    };
  });
}

export const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0] ?? '';
