import type { Message, ThinkValue, Tool } from '../render/index.ts';
import { callsOf, Reply } from './reply.ts';

/** What a rule may look at. */
export interface ScriptRequest {
  endpoint: 'chat' | 'generate';
  model: string;
  messages: readonly Message[];
  /** Text of the last user message, or the prompt of a generate request. */
  lastUser: string;
  /** Contents of the tool results since the last user message, in order. */
  results: readonly string[];
  tools: readonly Tool[];
  think: ThinkValue | undefined;
  format: unknown;
  /** 1 for the first request of this endpoint that this script is asked about. */
  nth: number;
}

/** Chooses the reply to a request; undefined = this script has none. */
export interface Script {
  (request: ScriptRequest): Reply | undefined;
  /** What it will reply with from this request on, as far as can be told; nothing is used up. */
  ahead?: (request: ScriptRequest) => readonly Reply[];
}

/** A reply, or how to make one out of the request. */
export type ReplySource = Reply | ((request: ScriptRequest) => Reply | undefined);

/** Conditions that all must hold. A string must be contained, without regard to case. */
export interface Match {
  model?: string | RegExp;
  user?: string | RegExp;
  /** The last result that a tool returned. */
  lastResult?: string | RegExp;
  /** How many tool results came since the last user message. */
  resultCount?: number;
  /** Names of tools that must be offered. */
  tools?: readonly string[];
  nth?: number;
  endpoint?: 'chat' | 'generate';
  /** Anything else. */
  where?: (request: ScriptRequest) => boolean;
}

export interface Rule {
  match: Match;
  source: ReplySource;
}

export const rule = (match: Match, source: ReplySource): Rule => ({ match, source });

/** The first rule that matches answers. */
export function script(rules: readonly Rule[]): Script {
  const choose = (request: ScriptRequest): Reply | undefined => {
    for (const { match, source } of rules) {
      const made = matches(match, request) ? make(source, request) : undefined;
      if (made !== undefined) return made;
    }
    return undefined;
  };
  /** As if each call had come to a result, of which nothing is known. */
  const ahead = (request: ScriptRequest): readonly Reply[] => {
    const replies: Reply[] = [];
    for (let results = request.results; replies.length < maxAhead; results = [...results, '']) {
      const next = choose({ ...request, results });
      if (next !== undefined) replies.push(next);
      if (next === undefined || callsOf(next.steps).length === 0) break;
    }
    return replies;
  };
  return Object.assign(choose, { ahead });
}

/** One reply after the other to chat requests; the last one repeats. Other endpoints do not use one up. */
export function sequence(...sources: readonly ReplySource[]): Script {
  let used = 0;
  const choose = (request: ScriptRequest): Reply | undefined => {
    if (request.endpoint !== 'chat') return undefined;
    const source = sources[Math.min(used, sources.length - 1)];
    used += 1;
    return source && make(source, request);
  };
  const ahead = (request: ScriptRequest): readonly Reply[] =>
    sources.slice(Math.min(used, sources.length - 1)).flatMap((source) => make(source, request) ?? []);
  return Object.assign(choose, { ahead });
}

/** An opening has room for fewer steps. */
const maxAhead = 8;

function make(source: ReplySource, request: ScriptRequest): Reply | undefined {
  return source instanceof Reply ? source : source(request);
}

function matches(match: Match, request: ScriptRequest): boolean {
  const { endpoint = 'chat' } = match;
  const offered = new Set(request.tools.map((tool) => tool.function.name));
  return (
    endpoint === request.endpoint &&
    fits(match.model, request.model) &&
    fits(match.user, request.lastUser) &&
    fits(match.lastResult, request.results.at(-1) ?? '') &&
    (match.resultCount ?? request.results.length) === request.results.length &&
    (match.tools ?? []).every((name) => offered.has(name)) &&
    (match.nth ?? request.nth) === request.nth &&
    (match.where?.(request) ?? true)
  );
}

function fits(pattern: string | RegExp | undefined, text: string): boolean {
  if (pattern === undefined) return true;
  return typeof pattern === 'string'
    ? text.toLowerCase().includes(pattern.toLowerCase())
    : pattern.test(text);
}

/** What a script sees of a chat request. */
export function chatScriptRequest(
  parts: Pick<ScriptRequest, 'model' | 'messages' | 'tools' | 'think' | 'format'>,
): Omit<ScriptRequest, 'nth'> {
  const lastUserAt = parts.messages.findLastIndex((message) => message.role === 'user');
  const since = parts.messages.slice(lastUserAt + 1);
  return {
    ...parts,
    endpoint: 'chat',
    lastUser: parts.messages[lastUserAt]?.content ?? '',
    results: since.filter((message) => message.role === 'tool').map((message) => message.content),
  };
}
