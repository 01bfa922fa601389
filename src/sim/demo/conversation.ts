import type { JsonObject, Message, Tool } from '../render/index.ts';
import type { ScriptRequest } from '../script/script.ts';
import { splitAttached, type DemoFile } from './attached.ts';
import { isPersons, mayOnlyPlan, readInstruction, type Instruction } from './instructions.ts';
import { toolsOfGrammar } from './under-grammar.ts';

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
  /** What may be called: offered as tools, or allowed by the grammar. */
  tools: readonly Tool[];
  /** What the person wrote, without what the client puts around it. */
  words: string;
  files: readonly DemoFile[];
  /** What the client asks instead of an answer to those words. */
  instruction: Instruction | undefined;
  /** Nothing may be changed or run in it. */
  plansOnly: boolean;
  /** Since the last message that is no result. */
  steps: DemoStep[];
}

const FAILURE =
  /^\s*(?:tool )?error\b|^\s*operation cancelled|\bdeclined\b|\bnot allowed\b|^\s*interrupted;/i;
/** Clients put marked notes and facts about the workspace into messages; a person wrote neither. */
const NOTE = /\n*\[[a-z]+ note\][^\n]*(?:\n(?!\n)[^\n]+)*/gi;
const FACTS = /^(?:[A-Z][a-z]+(?: [a-z]+)*: [^\n]*\n)+(?:[^\n]+\n)*\n/;
/** The step that begins now, at the end of a result. */
const NEXT = /\n\nNext[:,] [^\n]*$/;
/** What a subagent is told before its task, and what it is told of it. */
const TASK = /^[\s\S]*?^Task:\n/m;
const BRIEFING = /\n+What is known:\n[\s\S]*$/;
/** Where calls and results go as text. */
const RESULT = /^Result of [\w.-]+:\n/;

export function readTurn(request: ScriptRequest): DemoTurn {
  const messages = request.messages.map(withResult);
  const start = messages.findLastIndex((message) => message.role === 'user');
  const asked = messages.findLast((message) => message.role === 'user' && isPersons(message.content));
  const constrained = toolsOfGrammar(request.format);
  const said = (asked?.content ?? request.lastUser).replaceAll(NOTE, '');
  const { words, files } = splitAttached(said);
  return {
    request,
    tools: request.format === undefined ? request.tools : constrained,
    words: words.replace(TASK, '').replace(BRIEFING, '').replace(FACTS, '').trim(),
    files,
    instruction: readInstruction(messages[start]?.content ?? ''),
    plansOnly: mayOnlyPlan(messages[start]?.content ?? ''),
    steps: stepsOf(messages.slice(start + 1), said.replace(FACTS, '').trim()),
  };
}

/** A result that goes as text is one all the same, and so is the call before it. */
function withResult(message: Message): Message {
  if (message.role === 'user' && RESULT.test(message.content)) {
    return { role: 'tool', content: message.content.replace(RESULT, '') };
  }
  if (message.role !== 'assistant' || message.tool_calls) return message;
  const call = writtenCall(message.content);
  return call ? { ...message, content: '', tool_calls: [{ function: call }] } : message;
}

function writtenCall(text: string): { name: string; arguments: JsonObject } | undefined {
  const line = text.trim().split('\n').at(-1) ?? '';
  if (!line.startsWith('{"call":')) return undefined;
  try {
    const { call, with: args } = JSON.parse(line) as { call: string; with?: JsonObject };
    return { name: call, arguments: args ?? {} };
  } catch {
    return undefined;
  }
}

/** @param said stands again behind the result that is answered from, if the client leads its model through the turn. */
function stepsOf(messages: readonly Message[], said: string): DemoStep[] {
  const calls = messages.flatMap((message) => message.tool_calls ?? []);
  const results = messages.filter((message) => message.role === 'tool').map((message) => message.content);
  return calls.map((call, index) => {
    const whole = results[index]?.replaceAll(NOTE, '').replace(NEXT, '');
    const result = whole?.endsWith(`\n\n${said}`) ? whole.slice(0, -said.length).trimEnd() : whole;
    return {
      name: call.function.name,
      args: call.function.arguments,
      result,
      failed: result !== undefined && FAILURE.test(firstLine(result)),
    };
  });
}

export const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0] ?? '';
